/**
 * `npm run check [-- --no-tests]`: lint and format, types, the unit tier.
 * `npm run check -- --changed`: the same in seconds, for files that differ from the last commit and those that import them. Tests of docs
 * are left to the whole check.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, runSteps, runTool } from './steps.ts';

const UNIT_TIER = ['run', '--reporter=dot', '--project=unit*'];
// A wing is checked again if it changed, or what it sees of another one.
const types = { name: 'types', run: () => runTool('tsc', ['--build', 'test']) };

const whole = [
  { name: 'lint and format', run: () => runTool('biome', ['check', '.']) },
  types,
  { name: 'unit tests', run: () => runTool('vitest', UNIT_TIER) },
];

const ofChanged = [
  {
    name: 'lint and format',
    run: async () => {
      const files = changedFiles();
      return files.length === 0 ? 0 : runTool('biome', ['check', '--no-errors-on-unmatched', ...files]);
    },
  },
  types,
  {
    name: 'unit tests',
    run: () => runTool('vitest', [...UNIT_TIER, '--changed', '--passWithNoTests', ...unitFolders()]),
  },
];

const onlyChanged = process.argv.includes('--changed');
const steps = (onlyChanged ? ofChanged : whole).slice(0, process.argv.includes('--no-tests') ? -1 : undefined);
process.exitCode = (await runSteps(steps, { atOnce: onlyChanged })) ? 0 : 1;

/** Without tests of docs, which read the whole tree. An `--exclude` of vitest's has no effect on its projects. */
function unitFolders(): string[] {
  return globSync('test/{*.test.ts,*/unit/*}', { cwd: CHECKOUT }).filter((name) => name !== 'test/project/unit/docs');
}

/** Files that differ from the last commit, and new ones. */
function changedFiles(): string[] {
  const listed = (...args: string[]) => execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' }).split('\0');
  const names = [
    ...listed('diff', '--name-only', '-z', 'HEAD'),
    ...listed('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return names.filter((name) => name !== '' && existsSync(join(CHECKOUT, name)));
}
