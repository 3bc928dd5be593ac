/** A work list in stretches: all planned lines are taken, from any line on, by any number of lanes. */
import { expect } from 'vitest';
import { PASSES } from '../../../../src/export/index.ts';
import type { WorkLine } from '../../../../src/export/pipeline/coverage/coverage.ts';
import { lineOf } from '../../../../src/export/pipeline/plan/plan-filings.ts';
import { PlansReadLast, stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import {
  lineOfText,
  readStretch,
  WorkListWriter,
  WorkQueue,
} from '../../../../src/export/pipeline/staging/work-list.ts';
import { revisionOf } from '../../../../src/export/revisions/index.ts';
import { type CoveredStep, type Pass, pendingSteps, stepsInPass } from '../../../../src/export/steps/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import {
  definitionOf,
  filingOfLookup,
  linesOfPlan,
  planDriven,
  runOf,
} from '../../../support/pipeline/activity-harness.ts';
import { quickIt as it, slowIt } from '../../../support/tier-cases.ts';

const definition = definitionOf('e', 'filings, parties, document_contents', 'documents: { types: [all], xml: json }');

function filing(n: number): Filing {
  const { documents, ...rest } = filingOfLookup(n);
  const xml = { ...documents[0]!, document_id: `${rest.accession_number}-9`, sequence: 9, filename: 'x.xml' };
  // Some whose documents only filing_info names.
  return { ...rest, documents: n % 7 === 0 ? [] : [...documents, xml] };
}

async function stageLines(lake: Lake, lines: readonly WorkLine[]) {
  const list = new WorkListWriter(lake, 'r', definition, 'w', 1);
  for (const line of lines) await list.add(line);
  return list.end();
}

async function setting(filings: number) {
  const lake = await openLake(temporaryFolder(), { create: true });
  const lines: WorkLine[] = [];
  for (let n = 1; n <= filings; n++) {
    const of = filing(n);
    const done = { selector: 'parties', revision: revisionOf(of), status: 'done' };
    // Every third has its filing_info already.
    const covered = new Map<string, CoveredStep>(
      n % 3 === 0
        ? [
            ['filing', { ...done, selector: 'filings' }],
            ['info', done],
          ]
        : [],
    );
    lines.push(lineOf(of, pendingSteps(definition, of, covered)));
  }
  const list = await stageLines(lake, lines);
  const plans = new PlansReadLast();
  const queue = (from: number, pass: Pass, to?: number) =>
    new WorkQueue(list.stretches, from, definition, pass, (stretch) => plans.stretch(lake, 'r', 'w', stretch), to);
  return { lines, list, queue };
}

const inPass = (lines: readonly WorkLine[], pass: Pass) => lines.filter((line) => stepsInPass(definition, line, pass));
const numbersOf = (lines: readonly WorkLine[]) => lines.map((line) => line.filing.accession_number);

it('returns each line once, in order, unchanged, whatever the first line and the one after the last', async () => {
  const { lines, list, queue } = await setting(1_203);
  expect(list.stretches.map((stretch) => stretch.lines)).toEqual([500, 500, 203]);
  expect(list.numbers).toEqual(numbersOf(lines));
  for (const pass of PASSES) {
    for (const [from, to] of [
      ...[0, 499, 500, 777, 1_202, 1_203].map((from): [number, number?] => [from]),
      ...([
        [0, 1],
        [0, 500],
        [3, 501],
        [499, 500],
        [500, 1_000],
        [620, 640],
        [998, 1_203],
        [1_000, 9_999],
      ] as const),
    ]) {
      const expected = inPass(lines.slice(from, to), pass);
      const one = queue(from, pass, to);
      expect(await one.requests()).toBe(
        expected.reduce((sum, line) => sum + stepsInPass(definition, line, pass)!.length, 0),
      );
      expect((await one.last())?.filing.accession_number).toBe(numbersOf(expected).at(-1));
      const taken: WorkLine[] = [];
      const lane = async () => {
        for (let line = await one.take(); line; line = await one.take()) taken.push(line);
      };
      await Promise.all([lane(), lane(), lane()]);
      expect(numbersOf(taken)).toEqual(numbersOf(expected));
      expect(taken.map(({ filing: of, steps, revision }) => ({ filing: of, steps, revision }))).toEqual(
        expected.map(({ filing: of, steps, revision }) => ({ filing: of, steps, revision })),
      );
      expect([await one.next(), await one.last(), one.isUntouched]).toEqual([null, null, expected.length === 0]);
    }
  }
});

it('returns the first line that was not taken, among those that take part', async () => {
  const { lines, queue } = await setting(20);
  const one = queue(0, 'info');
  for (let n = 0; n < 3; n++) await one.take();
  const expected = lines.indexOf(inPass(lines, 'info')[3]!);
  expect(await one.next()).toBe(expected);
  expect((await queue(expected, 'info').take())?.filing).toEqual(lines[expected]!.filing);
});

it('keeps the coverage that the steps of a line need, and all of it if filing_info is one of them', async () => {
  const lake = await openLake(temporaryFolder(), { create: true });
  const done = { selector: 'raw', revision: '..', status: 'done' };
  const covered = Object.fromEntries([1, 2, 3].map((n) => [`document:${filing(1).accession_number}-${n}`, done]));
  const { steps } = lineOf(filing(1), pendingSteps(definition, filing(1), new Map()));
  const lineWith = (hasInfo: boolean) => ({
    ...lineOf(filing(1), pendingSteps(definition, filing(1), new Map())),
    steps: steps.filter(({ step }) => hasInfo || step !== 'info'),
    covered: { ...covered, info: done },
  });
  const { stretches } = await stageLines(lake, [lineWith(false), lineWith(true)]);
  const [some, all] = (await readStretch(lake, 'r', stretches[0]!))!.map(lineOfText);
  expect(Object.keys(some!.covered).sort()).toEqual(
    [`document:${filing(1).accession_number}-1`, `document:${filing(1).accession_number}-2`, 'info'].sort(),
  );
  expect(Object.keys(all!.covered)).toHaveLength(4);
});

slowIt(
  'is planned a group of pages at a time if filings have hundreds of documents, and nothing of them is stored twice',
  async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const many = (n: number): Filing => {
      const { accession_number, documents, ...rest } = filingOfLookup(n);
      const more = Array.from({ length: 400 }, (_, i) => ({
        ...documents[0]!,
        document_id: `${accession_number}-${i + 1}`,
        sequence: i + 1,
        filename: `d${i}.htm`,
      }));
      return { accession_number, ...rest, documents: more };
    };
    const pages = 3;
    for (const run_id of ['r1', 'r2'])
      for (let page = 0; page < pages; page++) {
        const records = Array.from({ length: 80 }, (_, i) => many(page * 80 + i + 1));
        await stagePage(lake, run_id, 'w', page, { state: null, records, violations: [] });
      }
    const wanted = definitionOf('e', 'filings, document_contents', 'documents: { types: [all] }');
    const first = await planDriven(lake, runOf(wanted, 'r1', lake), { pages });
    expect(first.pending.documents).toEqual({ filings: 240, requests: 96_000 });
    const lines = await linesOfPlan(lake, 'r1', 'w', 1);
    expect(numbersOf(lines)).toEqual(Array.from({ length: 240 }, (_, i) => filingOfLookup(i + 1).accession_number));
    // All but one document of the first filing are there by the second run.
    const staging = lake.openStaging('x', 'b', 1);
    for (const line of lines)
      for (const { step, selector } of line.steps.slice(line === lines[0] ? 1 : 0)) {
        const { accession_number } = line.filing;
        staging.append('coverage', { accession_number, step, selector, revision: line.revision, status: 'done' });
      }
    const segment = (await staging.seal())!;
    await lake.commitBatch({
      run_id: 'x',
      batch_id: 'b',
      base_version: await lake.currentVersion(),
      segments: [segment],
    });
    const second = await planDriven(lake, runOf(wanted, 'r2', lake), { pages });
    expect(second).toMatchObject({ known: 239, pending: { documents: { filings: 1, requests: 1 } } });
    expect(numbersOf(await linesOfPlan(lake, 'r2', 'w', 1))).toEqual([filingOfLookup(1).accession_number]);
  },
);
