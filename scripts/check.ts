/** `npm run check [-- --no-tests]`: lint and format, types, the unit tier. */
import { runSteps, runTool } from './steps.ts';

const steps = [
  { name: 'lint and format', run: () => runTool('biome', ['check', '.']) },
  { name: 'types', run: () => runTool('tsc', ['-p', '.']) },
];
if (!process.argv.includes('--no-tests')) {
  steps.push({ name: 'unit tests', run: () => runTool('vitest', ['run', '--reporter=dot', '--project=unit']) });
}
process.exitCode = (await runSteps(steps)) ? 0 : 1;
