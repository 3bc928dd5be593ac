/** docs/internals/measurements.md and performance.md, made from bench/results. `npm run bench -- NAME --record` records results. */
import {
  type Cell,
  type RecordedRun,
  type Results,
  type ResultTable,
  readResults,
} from '../../bench/recording/results.ts';

/** The sections of the page, in order. */
export const SECTIONS = [
  'commands',
  'export',
  'lookup',
  'sections',
  'ingest',
  'service',
  'large-documents',
  'mcp',
  'lake',
];

const NUMERIC = /^(?:[<~]?-?\d[^;]*|)$/;

/** The text of docs/internals/measurements.md. */
export function measurementsDocument(): string {
  return `# Measurements

<!-- Made by npm run docs from bench/results. -->

Recorded results of the benchmarks. [Performance](performance.md) has the summary. Most runs shared their machine with other work: wall
times are then pessimistic, and seconds of CPU say more. "Transcribed" results come from an earlier page: their JSON was not kept.

To record a benchmark again, run its command with \`--record\`, then \`npm run docs\`.

${SECTIONS.map((name) => sectionOf(readResults(name))).join('\n')}`;
}

/** The text of docs/internals/performance.md. */
export function performanceDocument(): string {
  const rows = SECTIONS.flatMap((name) => readResults(name).summary).map(
    ({ what, figure, goal, measured }) => `| ${what} | ${figure} | ${goal ?? ''} | ${measured} |`,
  );
  return `# Performance

<!-- Made by npm run docs from bench/results. -->

Figures of two cores with nothing beside the benchmark, each of its day: what changed in the code since then is not in it. [Measurements](measurements.md) has
conditions, tables and the commands that repeat them.

| what | figure | goal, where not reached | measured |
|---|---|---|---|
${rows.join('\n')}

\`npm run bench\` lists all benchmarks.
`;
}

function sectionOf({ title, about, runs, notes }: Results): string {
  return `## ${title}\n\n${[...about, ...runs.map(runOf)].join('\n\n')}\n${notes.length > 0 ? `\n${notes.map((note) => `- ${note}`).join('\n')}\n` : ''}`;
}

function runOf({ command, date, commit, machine, load, source, tables }: RecordedRun): string {
  const head = `\`${command}\`: ${date}, commit ${commit}, ${machine}, ${load}${source === 'transcribed' ? ', transcribed' : ''}.`;
  return [head, ...tables.map(tableOf)].join('\n\n');
}

function tableOf({ caption, rows }: ResultTable): string {
  const columns = Object.keys(rows[0]!);
  const isRight = columns.map((name, i) => i > 0 && rows.every((row) => NUMERIC.test(plain(row[name] ?? ''))));
  const lines = [
    `| ${columns.join(' | ')} |`.replace('|  |', '| |'),
    `|${isRight.map((right) => (right ? '---:' : '---')).join('|')}|`,
    ...rows.map((row) => `| ${columns.map((name) => textOf(row[name] ?? '')).join(' | ')} |`),
  ];
  return [...(caption === undefined ? [] : [`${caption}:`, '']), ...lines].join('\n');
}

const plain = (cell: Cell) => textOf(cell).replaceAll('*', '');
const textOf = (cell: Cell) =>
  typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumSignificantDigits: 4 }) : cell;
