/** `npm run check [-- --no-tests]`: all that CI does but the slow: lint and format, types, the tests that take no server. */
import { runSteps, runTool } from './steps.ts';

/** Tests that start servers, kill them, or read every real file: `npm test` runs them. */
const SLOW = ['test/e2e/**', 'test/slow/**', 'test/integration/runtime/temporal-server.test.ts'];

const steps = [
  { name: 'lint and format', run: () => runTool('biome', ['check', '.']) },
  { name: 'types', run: () => runTool('tsc', ['-p', '.']) },
];
if (!process.argv.includes('--no-tests')) {
  const exclude = SLOW.flatMap((pattern) => ['--exclude', pattern]);
  steps.push({ name: 'quick tests', run: () => runTool('vitest', ['run', '--reporter=dot', ...exclude]) });
}
process.exitCode = (await runSteps(steps)) ? 0 : 1;
