/** Filings that are known only by their accession number: their plans, their filing_info, and the windows of long lists. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RecordNotFoundError, UnprocessableError } from '../../../../src/export/client/index.ts';
import { type ExportDefinition, hash64, PASSES } from '../../../../src/export/index.ts';
import { joinedSteps, type WorkLine } from '../../../../src/export/pipeline/coverage/coverage.ts';
import { readNumbers } from '../../../../src/export/pipeline/lookup/read-numbers.ts';
import { listedLine, unlistedLine } from '../../../../src/export/pipeline/plan/plan-by-number.ts';
import type { RowBatch } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import { readPage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import { recordHashOf, revisionOf, revisionWithoutDocuments } from '../../../../src/export/revisions/index.ts';
import { type CoveredStep, pendingSteps } from '../../../../src/export/steps/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { clientOf, fetcherOf, listedSection, sinkTo } from '../../../support/pipeline/activity-harness.ts';
import { accessionNumber, definitionOf, filingOfLookup } from '../../../support/pipeline/lake-of-runs.ts';

const NUMBER = accessionNumber(1);
/** As the lookup has it. */
const FILING = filingOfLookup(1);

function definition(tables: string, more = ''): ExportDefinition {
  return definitionOf(tables, more, `{ accession_numbers: [${NUMBER}] }`);
}

/** What is delivered for a line, over all passes. */
async function fetched(
  wanted: ExportDefinition,
  line: WorkLine,
  answers: Parameters<typeof clientOf>[0] = {},
): Promise<RowBatch[]> {
  const delivered: RowBatch[] = [];
  const client = clientOf({
    info: () => ({ sections: [listedSection('1A'), listedSection('7')] }),
    sections: () => ['1A', '7', '8'].map((code) => [code, '<p>x</p>'] as const),
    ...answers,
  });
  const sink = sinkTo((batch) => delivered.push(batch));
  for (const pass of PASSES) await fetcherOf({ definition: wanted, client, sink, pass }).fetch(line);
  return delivered;
}

const rowsOf = (delivery: RowBatch | undefined, table: string) =>
  ((delivery?.rows ?? {}) as Record<string, Record<string, unknown>[]>)[table] ?? [];

/** What coverage would have after the delivery. */
function coverageAfter(deliveries: readonly RowBatch[]): Map<string, CoveredStep> {
  const rows = deliveries.flatMap((delivery) => rowsOf(delivery, 'coverage'));
  return new Map(
    rows.map(({ step, selector, revision, status }) => [String(step), { selector, revision, status } as CoveredStep]),
  );
}

describe('a filing of which the accession number is all that is known', () => {
  const all = definition('filings, documents, sections, section_contents, document_contents');
  const line = (wanted = all) => unlistedLine(wanted, NUMBER, new Set());

  it('comes in one delivery: its own row by filing_info, and all that follows from it', async () => {
    const delivered = await fetched(all, line());
    expect(delivered).toHaveLength(1);
    const [delivery] = delivered;
    expect(rowsOf(delivery, 'filings')).toEqual([
      expect.objectContaining({ accession_number: NUMBER, form_type: '10-K', entity_name: 'A', size: null }),
    ]);
    expect(rowsOf(delivery, 'documents').map(({ size }) => size)).toEqual([1, 1]);
    expect(rowsOf(delivery, 'sections')).toHaveLength(2);
    expect(rowsOf(delivery, 'section_contents')).toHaveLength(3);
    expect(rowsOf(delivery, 'document_contents')).toHaveLength(1);
    const steps = rowsOf(delivery, 'coverage').map(({ step, revision }) => [step, revision]);
    const revision = revisionWithoutDocuments(FILING);
    expect(steps).toEqual(['filing', 'info', 'sections', `document:${NUMBER}-1`].map((step) => [step, revision]));
  });

  it('needs filing_info even if only its own row is wanted', async () => {
    const wanted = definition('filings');
    const delivered = await fetched(wanted, line(wanted));
    expect(rowsOf(delivered[0], 'coverage').map(({ step }) => step)).toEqual(['filing']);
    expect(rowsOf(delivered[0], 'filings')).toHaveLength(1);
  });

  it('is known the next time, by its number and by the lookup, which only adds the size', async () => {
    const covered = coverageAfter(await fetched(all, line()));
    const inLake = { ...FILING, size: null };
    expect(listedLine(all, inLake, covered)).toBeNull();
    expect(pendingSteps(all, FILING, covered)).toMatchObject({
      known: true,
      isSameRecord: false,
      steps: [],
      changed: false,
    });
    covered.set('filing', {
      selector: 'documents,filings',
      revision: revisionOf(FILING),
      status: 'done',
      record: recordHashOf(FILING),
    });
    expect(pendingSteps(all, FILING, covered)).toMatchObject({ known: true, isSameRecord: true });
    const renamed = { ...FILING, entity_name: 'Another Name' };
    expect(pendingSteps(all, renamed, covered)).toMatchObject({ known: true, isSameRecord: false, changed: false });
  });

  it('is known without its documents in the lake, and pending again if a content of it failed', async () => {
    const wanted = definition('filings, document_contents');
    const inLake = { ...FILING, documents: [] };
    const whole = coverageAfter(await fetched(wanted, unlistedLine(wanted, NUMBER, new Set())));
    expect(listedLine(wanted, inLake, whole)).toBeNull();
    const failing = () => {
      throw new UnprocessableError('it can not be given');
    };
    const broken = coverageAfter(await fetched(wanted, unlistedLine(wanted, NUMBER, new Set()), { document: failing }));
    const again = listedLine(wanted, inLake, broken);
    expect(again?.steps).toMatchObject([{ step: 'info' }]);
    const delivered = await fetched(wanted, again!);
    expect(rowsOf(delivered[0], 'document_contents')).toHaveLength(1);
    expect(delivered[0]!.replace.map(({ table }) => table)).toContain('coverage');
  });

  it('that the service does not know leaves a failure and nothing else, and the failure goes when it succeeds', async () => {
    const unknown = () => {
      throw new RecordNotFoundError('it was not found');
    };
    const [delivery] = await fetched(all, line(), { info: unknown });
    expect(Object.keys(delivery!.rows)).toEqual(['export_failures']);
    expect(rowsOf(delivery, 'export_failures')).toEqual([
      expect.objectContaining({ step: 'info', subject: NUMBER, accession_number: NUMBER }),
    ]);
    const [again] = await fetched(all, unlistedLine(all, NUMBER, new Set(['info'])));
    const cleared = again!.replace.filter(({ table }) => table === 'export_failures').flatMap(({ values }) => values);
    expect(cleared).toContainEqual(['t', 'info', NUMBER]);
  });

  it('gives the chosen sections only, and more if more are requested', async () => {
    const some = definition('filings, sections, section_contents', 'sections: { codes: [1A] }');
    const first = await fetched(some, line(some));
    expect(rowsOf(first[0], 'sections').map(({ section }) => section)).toEqual(['1A']);
    expect(rowsOf(first[0], 'section_contents').map(({ section }) => section)).toEqual(['1A']);
    const covered = coverageAfter(first);
    expect([covered.get('info')?.selector, covered.get('sections')?.selector]).toEqual([
      'sections:1A,section_contents:1A',
      '10-K:1A',
    ]);
    expect(listedLine(some, FILING, covered)).toBeNull();
    const others = definition('filings, section_contents', 'sections: { codes: [7] }');
    const second = await fetched(others, listedLine(others, FILING, covered)!);
    expect(rowsOf(second[0], 'section_contents').map(({ section }) => section)).toEqual(['1A', '7']);
  });
});

describe('the request for a step that was done before', () => {
  it('includes everything that the lake has of it, if it is of an older revision', () => {
    const wanted = definition('filings, documents');
    const before = revisionOf({ ...FILING, acceptance_datetime: '1999-01-01T10:00:00' });
    const covered = new Map<string, CoveredStep>([
      ['filing', { selector: 'documents,filings', revision: before, status: 'done' }],
      ['info', { selector: 'documents,parties', revision: before, status: 'done' }],
    ]);
    const pending = pendingSteps(wanted, FILING, covered);
    expect(pending).toMatchObject({ changed: true, known: false, revision: revisionOf(FILING) });
    expect(joinedSteps(pending.steps, pending.stated, { ...pending, documents: FILING.documents })).toEqual([
      { step: 'info', selector: 'documents,parties' },
    ]);
  });

  it('is what failed before too, since it may have rows of an answer before that; but for contents, which nobody would fetch', () => {
    const wanted = definition('filings, documents');
    const covered = new Map<string, CoveredStep>([
      ['filing', { selector: 'documents,filings', revision: revisionOf(FILING), status: 'done' }],
      ['info', { selector: 'contents:10-K,parties,sections:7', revision: revisionOf(FILING), status: 'failed' }],
    ]);
    const pending = pendingSteps(wanted, FILING, covered);
    expect(joinedSteps(pending.steps, pending.stated, { ...pending, documents: FILING.documents })).toEqual([
      { step: 'info', selector: 'documents,parties,sections:7' },
    ]);
  });
});

describe('a list of accession numbers', () => {
  const numbers = Array.from({ length: 200_000 }, (_, i) => accessionNumber(i));

  async function setting(text: string, hash?: string) {
    const folder = temporaryFolder();
    const file = join(folder, 'numbers.txt');
    writeFileSync(file, text);
    const lake = await openLake(join(folder, 'lake'), { create: true });
    const plain = definition('filings');
    const accession_numbers = { file, ...(hash === undefined ? {} : { hash }) };
    const run = {
      run_id: 'r',
      workflow_id: 'export/t',
      lake: lake.root,
      definition: { ...plain, select: { accession_numbers } },
    };
    const window = { id: 'n', of: 'numbers' as const, filter: {}, today: '2024-01-01', inexact: null };
    return { file, lake, run, window };
  }

  it('of 200,000 is split into windows of positions, and continues unchanged when its file changes', async () => {
    const text = numbers.join('\n');
    const { file, lake, run, window } = await setting(text, hash64(text));
    const whole = await readNumbers({ lake, run }, window);
    expect(whole.split).toHaveLength(20);
    expect(JSON.stringify(whole.split).length).toBeLessThan(4_000);
    writeFileSync(file, 'gone');
    const last = whole.split!.at(-1)!;
    const read = await readNumbers({ lake, run }, last);
    expect(read).toMatchObject({ split: null, pages: 1, promised: 10_000, found: 10_000, proven: true });
    expect((await readPage<string>(lake, 'r', last.id, 0))?.records).toEqual(numbers.slice(190_000));
    await lake.close();
  });

  it('that changed after the export started is refused, and so is one with a wrong line', async () => {
    const changed = await setting(numbers[0]!, hash64('another'));
    await expect(readNumbers(changed, changed.window)).rejects.toThrow('numbers.txt changed after the export started');
    const wrong = await setting(`${numbers[0]}\nnone`);
    await expect(readNumbers(wrong, wrong.window)).rejects.toThrow('numbers.txt:2:1: no accession number: "none"');
    await changed.lake.close();
    await wrong.lake.close();
  });
});
