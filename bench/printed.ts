/** Printed statements: right of what is given, and given of what is printed, by item and by years. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { pageRows } from '../src/filings/documents/index.ts';
import type { Row } from '../src/filings/forms/index.ts';
import { mapFiling } from '../src/filings/statements/index.ts';
import { printedFaces as ownFaces } from '../src/filings/statements/printed/printed-faces.ts';
import { sharedFolder } from '../test/support/shared.ts';
import { type Case, corpus } from './printed-score/corpus.ts';
import { type FaceReader, scoreFaces } from './printed-score/faces.ts';
import { CORE, emptyTally, type Miss, scoreCase, type Tally } from './printed-score/score.ts';
import { cpuSeconds, median } from './recording/measuring.ts';

export const summary =
  'items of printed statements against tags, schedules and labels: [MODULE, ROWS.jsonl or faces] [LABELLED-FOLDER] [MISSES]';

type Reader = { rows: (one: Case) => Row[] } | { faces: FaceReader };

const groupOf = (one: Case): string =>
  `${one.set} ${one.era}${one.set === 'inline' ? (one.held ? ' held' : ' open') : ''}`;

/** @param args a module with `printedRows(filing, report)`, or rows with `case` (the file's name); a folder of labels; how many misses to list */
export async function run([source, byHand, shown = '60']: string[], { json }: { json: boolean }): Promise<void> {
  if (sharedFolder === null) throw new Error('the real filings are not at hand: FILINGLAKE_SHARED names their folder');
  const cases = corpus(sharedFolder, byHand === undefined || byHand === '-' ? null : byHand);
  const reader = await readerOf(source);
  if ('faces' in reader) return runFaces(cases, reader.faces, Number(shown));
  const tallies = new Map<string, Map<string, Tally>>();
  const misses: Miss[] = [];
  const costs = new Map<string, number[]>();
  for (const one of cases) {
    let rows: Row[] = [];
    const cost = cpuSeconds(() => {
      rows = reader.rows(one);
    });
    const group = groupOf(one);
    costs.set(group, [...(costs.get(group) ?? []), cost * 1000]);
    const items = tallies.get(group) ?? new Map<string, Tally>();
    tallies.set(group, items);
    scoreCase(one, rows, (item, outcome, miss) => {
      const tally = items.get(item) ?? emptyTally();
      items.set(item, tally);
      if (outcome !== 'missing') tally[outcome]++;
      if (miss !== null && !one.held) misses.push(miss);
    });
  }
  const listed = misses.filter(({ item }) => CORE.includes(item)).slice(0, Number(shown));
  const rows = [...tallies].flatMap(([group, items]) => {
    const core = [...items].filter(([item]) => CORE.includes(item));
    const more = [...items].filter(
      ([item, tally]) => !CORE.includes(item) && tally.right + tally.wrong + tally.invented + tally.elsewhere > 0,
    );
    return [
      ...core.sort(([a], [b]) => CORE.indexOf(a) - CORE.indexOf(b)).map(([item, tally]) => rowOf(group, item, tally)),
      rowOf(group, 'ALL CORE', sum(core.map(([, tally]) => tally))),
      ...(more.length === 0 ? [] : [rowOf(group, 'all others', sum(more.map(([, tally]) => tally)))]),
    ];
  });
  const kinds = Object.fromEntries(
    [
      ...Map.groupBy(
        misses.filter(({ item }) => CORE.includes(item)),
        (miss) => `${miss.case.set} ${miss.outcome}`,
      ),
    ].map(([kind, own]) => [kind, own.length]),
  );
  const cpu = Object.fromEntries([...costs].map(([group, own]) => [group, Math.round(median(own))]));
  if (json)
    return void process.stdout.write(
      `${JSON.stringify({ rows, kinds, cpu_ms_median: cpu, misses: listed.map(plain) })}\n`,
    );
  process.stdout.write(formatTable(rows, Object.keys(rows[0] ?? { group: '' })));
  process.stdout.write(
    `\nmisses of core items, without those that are held back: ${JSON.stringify(kinds)}\nCPU ms of a filing, median: ${JSON.stringify(cpu)}\n\n`,
  );
  for (const miss of listed) {
    const { file, outcome, item, period, given, truth, line } = plain(miss);
    process.stdout.write(
      `${outcome.padEnd(9)} ${file} ${item} ${period}: given ${given ?? '-'} (${line}); truth ${truth ?? 'none'}\n`,
    );
  }
}

const plain = ({ case: one, ...miss }: Miss) => ({ file: one.name, ...miss });

async function readerOf(source: string | undefined): Promise<Reader> {
  if (source === undefined || source === '-') return { rows: ownRows };
  if (source === 'faces') return { faces: (text, report) => ownFaces(pageRows(text), report) };
  if (/\.(jsonl|ndjson)$/.test(source)) {
    const lines = readFileSync(source, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const byCase = Map.groupBy(
      lines.map((line) => JSON.parse(line) as Row),
      (row) => String(row.case ?? row.file),
    );
    return { rows: (one) => byCase.get(one.name) ?? [] };
  }
  const module = (await import(pathToFileURL(resolve(source)).href)) as {
    printedRows?: (filing: Case['filing'], report: Case['report']) => Row[];
    printedFaces?: FaceReader;
  };
  const { printedRows, printedFaces } = module;
  if (printedRows !== undefined) return { rows: (one) => printedRows(one.filing, one.report) };
  if (printedFaces !== undefined) return { faces: printedFaces };
  throw new Error(`${source} exports neither printedRows nor printedFaces`);
}

function runFaces(cases: readonly Case[], read: FaceReader, shown: number): void {
  const misses: string[] = [];
  const rows = [...Map.groupBy(cases, groupOf)].map(([group, own]) => {
    const costs: number[] = [];
    const scores = own.map((one) => {
      let score = emptyFaces;
      costs.push(
        cpuSeconds(() => {
          score = scoreFaces(one, read);
        }) * 1000,
      );
      if (!one.held) misses.push(...score.misses);
      return score;
    });
    const [printed, found, numbers, untagged] = (['printed', 'found', 'numbers', 'untagged'] as const).map((name) =>
      scores.reduce((total, score) => total + score[name], 0),
    ) as [number, number, number, number];
    const [share, tagged] = [found / printed, (numbers - untagged) / numbers].map((one) => one.toFixed(4));
    return { group, printed, found, share, numbers, untagged, tagged, cpu_ms: Math.round(median(costs)) };
  });
  process.stdout.write(formatTable(rows, Object.keys(rows[0] ?? { group: '' })));
  for (const miss of misses.slice(0, shown)) process.stdout.write(`${miss}\n`);
}

const emptyFaces = { printed: 0, found: 0, numbers: 0, untagged: 0, misses: [] as readonly string[] };

const PRINTED = new Set(['printed_fundamentals']);
const ownRows = (one: Case): Row[] =>
  [...mapFiling(one.filing, PRINTED, pageRows)].flatMap(({ table, row }) => (PRINTED.has(table) ? [row] : []));

function rowOf(group: string, item: string, { right, wrong, invented, elsewhere, printed, given }: Tally) {
  const all = right + wrong + invented + elsewhere;
  const share = (part: number, whole: number) => (whole === 0 ? '-' : (part / whole).toFixed(4));
  return {
    group,
    item,
    values: all,
    right: share(right, all),
    wrong,
    invented,
    elsewhere,
    printed,
    given: share(given, printed),
  };
}

const sum = (tallies: readonly Tally[]): Tally =>
  tallies.reduce((total, each) => {
    for (const name of Object.keys(total) as (keyof Tally)[]) total[name] += each[name];
    return total;
  }, emptyTally());
