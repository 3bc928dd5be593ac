/**
 * `npm run size`: writes docs/internals/size.md, the lines of each wing.
 * `npm run size -- --check`: fails if a wing has more lines than its number allows.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, type Limit } from './size-limits.ts';
import { CHECKOUT } from './steps.ts';

/** Commits to compare the sums with. */
const COMMITS = ['d44b1a58', 'cae5d808', '20e158f8'];
const FOLDERS = ['src', 'workflows', 'activities', 'test', 'bench'];

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' });

/** Lines of TypeScript and SQL by file. @param commit default: the checkout */
function linesOf(commit?: string): Map<string, number> {
  const found = git(
    'grep',
    '-c',
    ...(commit ? [] : ['--untracked']),
    '',
    ...(commit ? [commit] : []),
    '--',
    ...FOLDERS,
  );
  const lines = found.matchAll(/^(?:\w+:)?([^:]+\.(?:ts|sql)):(\d+)$/gm);
  return new Map(Array.from(lines, ([, path, count]) => [path!, Number(count)]));
}

/** Sum of the files below any of the folders. */
function sum(lines: ReadonlyMap<string, number>, ...folders: readonly string[]): number {
  let total = 0;
  for (const [path, count] of lines) if (folders.some((folder) => path.startsWith(`${folder}/`))) total += count;
  return total;
}

const now = linesOf();
const figure = (lines: number) => lines.toLocaleString('en');
const wings = Object.entries(LIMITS).map(([wing, limit]) => {
  const own = wing === 'export' ? ['src/export', 'workflows', 'activities'] : [`src/${wing}`];
  return { wing, limit, source: sum(now, ...own), tests: sum(now, `test/${wing}`) };
});

if (process.argv.includes('--check')) {
  const tooLarge = wings.flatMap(({ wing, limit, source, tests }) => [
    ...over(`src/${wing}`, source, limit.source, limit),
    ...over(`test/${wing}`, tests, limit.tests, limit),
  ]);
  for (const line of tooLarge) process.stderr.write(`${line}\n`);
  if (tooLarge.length === 0) process.stdout.write(`${wings.length} wings are within their numbers\n`);
  process.exitCode = tooLarge.length === 0 ? 0 : 1;
} else writeFileSync(join(CHECKOUT, 'docs/internals/size.md'), page());

function over(folder: string, lines: number, allowed: number, { because }: Limit): string[] {
  if (lines <= allowed) return [];
  return [
    `${folder} has ${figure(lines)} lines, and may have ${figure(allowed)}${because ? ` (${because})` : ''}. Take something away, or raise the number in scripts/size-limits.ts and say there what the new lines replace.`,
  ];
}

function page(): string {
  const rows = wings.map(
    ({ wing, limit, source, tests }) =>
      `| \`src/${wing}\` | ${[source, limit.source, tests, limit.tests].map(figure).join(' | ')} | ${limit.because ?? ''} |`,
  );
  const states = [...COMMITS.map((commit) => linesOf(commit)), now];
  const heads = COMMITS.map((commit) => `${commit} (${git('log', '-1', '--format=%cs', commit).trim()})`);
  const sums = FOLDERS.map(
    (folder) => `| \`${folder}\` | ${states.map((state) => figure(sum(state, folder))).join(' | ')} |`,
  );
  return `# Size

<!-- Made by npm run size. -->

Lines of TypeScript and SQL, without recorded histories. \`workflows\` and \`activities\` count with \`src/export\`. Each wing has a number that it may
not pass: \`npm run size -- --check\` says so, and \`.ci/run\` fails. Who raises a number in \`scripts/size-limits.ts\` says there what the new lines replace.

| wing | source | may have | tests | may have | raised |
|---|--:|--:|--:|--:|---|
${rows.join('\n')}

| all of | ${heads.join(' | ')} | now |
|---|${'--:|'.repeat(states.length)}
${sums.join('\n')}
`;
}
