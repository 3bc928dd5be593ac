/** `npm run size`: writes docs/internals/size.md, the lines of each room now and at earlier commits. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './steps.ts';

/** Commits to compare with. The last column is the difference to the last of these. */
const COMMITS = ['d44b1a58', 'cae5d808'];
const FOLDERS = ['src', 'workflows', 'activities', 'test', 'bench'];

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' });

/** Lines by room: folders of `src`, and the other folders. @param commit default: the checkout */
function linesByRoom(commit?: string): Map<string, number> {
  const found = git('grep', '-c', '', ...(commit ? [commit] : []), '--', ...FOLDERS);
  const rooms = new Map<string, number>();
  for (const [, path, lines] of found.matchAll(/^(?:\w+:)?([^:]+\.(?:ts|sql)):(\d+)$/gm)) {
    const [top, room] = path!.split('/');
    const name = top === 'src' ? `src/${room}` : top!;
    rooms.set(name, (rooms.get(name) ?? 0) + Number(lines));
  }
  return rooms;
}

const states = [...COMMITS.map((commit) => linesByRoom(commit)), linesByRoom()];
const rooms = [...new Set(states.flatMap((state) => [...state.keys()]))];
const inSource = rooms.filter((room) => room.startsWith('src/')).sort();
const linesOf = (names: readonly string[]) =>
  states.map((state) => names.reduce((sum, name) => sum + (state.get(name) ?? 0), 0));
const figure = (lines: number) => lines.toLocaleString('en');

function row(name: string, names: readonly string[]): string {
  const lines = linesOf(names);
  const change = lines.at(-1)! - lines.at(-2)!;
  return `| ${[name, ...lines.map(figure), `${change > 0 ? '+' : ''}${figure(change)}`].join(' | ')} |`;
}

const heads = COMMITS.map((commit) => `${commit} (${git('log', '-1', '--format=%cs', commit).trim()})`);
const page = `# Size

<!-- Made by npm run size. -->

Lines of TypeScript and SQL. \`test\` is without recorded histories. Run \`npm run size\` at a release, and after a large change.
The house must not grow faster than what it gives: a change that adds much says what it took away.

| room | ${heads.join(' | ')} | now | change |
|---|${'--:|'.repeat(states.length + 1)}
${inSource.map((room) => row(`\`${room}\``, [room])).join('\n')}
${row('**src**', inSource)}
${FOLDERS.slice(1)
  .map((room) => row(`\`${room}\``, [room]))
  .join('\n')}
`;
writeFileSync(join(CHECKOUT, 'docs/internals/size.md'), page);
