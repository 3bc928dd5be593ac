/** What a window's plan writes of the lookup, run after run over one lake. */
import { describe, expect, it } from 'vitest';
import { type FilingClient, UnprocessableError } from '../../../../src/export/client/index.ts';
import { planWindows } from '../../../../src/export/pipeline/plan/plan-windows.ts';
import { dropStagedWindow, stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import type { ExportWindow } from '../../../../src/export/windows/index.ts';
import { splitWindow } from '../../../../src/export/windows/windows.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import {
  clientOf,
  clientThatFails,
  dependenciesOf,
  fetchDriven,
  knowingClient,
  planDriven,
  runOf,
} from '../../../support/pipeline/activity-harness.ts';
import { accessionNumber, definitionOf, filingOfLookup, LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';

async function newLake(): Promise<LakeOfRuns> {
  return new LakeOfRuns(await openLake(temporaryFolder(), { create: true }));
}

describe('documents of a filing whose export with sizes was stopped before filing_info', () => {
  const filing = filingOfLookup(1);
  const withSizes = definitionOf('filings, documents');
  const withoutSizes = definitionOf('filings, documents', 'documents: { sizes: false }');
  const documents = 'SELECT document_id, size FROM documents ORDER BY document_id';
  const client = clientOf({});

  it('are written from the lookup once their sizes are not wanted any more', async () => {
    const runs = await newLake();
    const stopped = await runs.lookUp(withSizes, { records: [filing] });
    expect(stopped.pending.whole.requests).toBe(1);
    expect(await runs.rows(documents)).toEqual([]);
    await runs.lookUp(withoutSizes, { records: [filing] });
    expect(await runs.rows(documents)).toHaveLength(2);
    const again = await runs.lookUp(withoutSizes, { records: [filing] });
    expect([again.known, again.committed]).toEqual([1, null]);
    expect(await runs.rows('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 1 }]);
  });

  it('stay those of filing_info once it has written them', async () => {
    const runs = await newLake();
    await runs.fetch(await runs.lookUp(withSizes, { records: [filing] }), client);
    for (const wanted of [withSizes, withoutSizes]) {
      expect((await runs.lookUp(wanted, { records: [filing] })).known).toBe(1);
    }
    expect((await runs.rows(documents)).map(({ size }) => Number(size))).toEqual([1, 1]);
  });

  it('are there once when their sizes come later', async () => {
    const runs = await newLake();
    await runs.lookUp(withoutSizes, { records: [filing] });
    await runs.fetch(await runs.lookUp(withSizes, { records: [filing] }), client);
    expect((await runs.rows(documents)).map(({ size }) => Number(size))).toEqual([1, 1]);
    expect((await runs.lookUp(withSizes, { records: [filing] })).known).toBe(1);
  });

  it('are those of the lookup if filing_info fails, whatever is wanted later', async () => {
    const runs = await newLake();
    await runs.fetch(await runs.lookUp(withSizes, { records: [filing] }), clientThatFails());
    expect(await runs.rows(documents)).toHaveLength(2);
    expect((await runs.lookUp(withoutSizes, { records: [filing] })).known).toBe(1);
    expect(await runs.rows(documents)).toHaveLength(2);
  });
});

describe('a filing without a form in the lookup', () => {
  const filing = filingOfLookup(1, { form_type: null });

  const asked: string[] = [];
  const client = clientOf({
    info: () => {
      asked.push('info');
      return {};
    },
    sections: (_number, form) => {
      asked.push(`sections ${form}`);
      return ['1A', '7'].map((code) => [code, '<p>x</p>'] as const);
    },
  });
  const sections = 'SELECT section FROM section_contents ORDER BY section';

  it('needs sections by the form in filing_info, and is known then', async () => {
    const runs = await newLake();
    const wanted = definitionOf('filings, section_contents');
    asked.length = 0;
    await runs.fetch(await runs.lookUp(wanted, { records: [filing] }), client);
    expect(asked).toEqual(['info', 'sections 10-K']);
    expect(await runs.rows(sections)).toEqual([{ section: '1A' }, { section: '7' }]);
    expect((await runs.lookUp(wanted, { records: [filing] })).known).toBe(1);
  });

  it('fetches failed sections again in the next run', async () => {
    const runs = await newLake();
    const wanted = definitionOf('filings, section_contents');
    const failing = clientOf({
      sections: () => {
        throw new UnprocessableError('no');
      },
    });
    await runs.fetch(await runs.lookUp(wanted, { records: [filing] }), failing);
    expect(await runs.rows(sections)).toEqual([]);
    await runs.fetch(await runs.lookUp(wanted, { records: [filing] }), client);
    expect(await runs.rows(sections)).toHaveLength(2);
    expect(await runs.rows('SELECT * FROM export_failures')).toEqual([]);
    expect((await runs.lookUp(wanted, { records: [filing] })).known).toBe(1);
  });

  it('fetches more of its sections if more are wanted', async () => {
    const runs = await newLake();
    const few = definitionOf('filings, section_contents', "sections: { codes: ['1A'] }");
    await runs.fetch(await runs.lookUp(few, { records: [filing] }), client);
    expect(await runs.rows(sections)).toEqual([{ section: '1A' }]);
    expect((await runs.lookUp(few, { records: [filing] })).known).toBe(1);
    const all = definitionOf('filings, section_contents');
    await runs.fetch(await runs.lookUp(all, { records: [filing] }), client);
    expect(await runs.rows(sections)).toEqual([{ section: '1A' }, { section: '7' }]);
  });
});

describe('a filing in several windows that are planned together', () => {
  const hitOf = (n: number): unknown => {
    const accession_number = accessionNumber(n);
    return { id: `${accession_number}-1`, accession_number, form_type: null };
  };
  const found: [window: string, numbers: number[]][] = [
    ['w-1', [1, 2]],
    ['w-2', [2, 3]],
    ['w-3', [3, 1]],
  ];

  it.each([
    { of: undefined, recordOf: (n: number): unknown => filingOfLookup(n), select: undefined },
    { of: 'hits' as const, recordOf: hitOf, select: '{ fulltext: { query: x } }' },
  ])('is planned in the first of them only, and requested once (of: $of)', async ({ of, recordOf, select }) => {
    const { lake } = await newLake();
    const run = runOf(definitionOf('filings, parties', '', select), 'r', lake);
    for (const [window, numbers] of found)
      await stagePage<unknown>(lake, 'r', window, 0, { state: null, records: numbers.map(recordOf), violations: [] });
    const windows = found.map(([window]) => ({ window, pages: 1, plan: 1, record: null, ...(of && { of }) }));
    const plan = (attempt: number) =>
      planWindows(dependenciesOf(lake, { attempt }), { run, batch_id: 'plan-w-1-1', windows });
    const planned = await plan(1);
    expect(planned.windows.map(({ pending }) => pending.info.filings)).toEqual([2, 1, 0]);
    expect((await plan(2)).windows).toEqual(planned.windows);

    const asked: string[] = [];
    const client = {
      ...knowingClient(),
      filingInfo: (number: string) => {
        asked.push(number);
        return knowingClient().filingInfo(number);
      },
    } as unknown as FilingClient;
    for (const [i, { base_version }] of planned.windows.entries())
      await fetchDriven(lake, run, 'info', base_version, client, windows[i]!.window);
    expect(asked).toEqual([1, 2, 3].map(accessionNumber));
    expect(await lake.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 3 }]);
    expect(await lake.query('SELECT count(*)::INT AS n FROM parties')).toEqual([{ n: 6 }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe('a filing of several parties, of a day that is cut by letters of names', () => {
  it('is planned in the first window that has it, whichever windows are planned together', async () => {
    const { lake } = await newLake();
    const wanted = definitionOf('filings, parties', '', '{ entity_query: { name_includes: [X] } }');
    const run = runOf(wanted, 'r', lake);
    const day = { date_from: '2024-03-01', date_to: '2024-03-01', form_types: ['4'] };
    const whole = { id: 'w-2-1', filter: { ...wanted.select, ...day }, today: '2024-06-30', inexact: null };
    const sample = ['AX', 'BX', 'CX', 'DX'].map((entity_name, n) => {
      return { key: accessionNumber(n), form_type: '4', filing_date: '2024-03-01', entity_name };
    });
    const halves = (window: ExportWindow) => splitWindow(window, 20_000, sample)!;
    const [first, second] = halves(whole);
    const quarters = [...halves(first!), ...halves(second!)];
    expect(quarters.map(({ id }) => id)).toEqual(['w-2-1-1-1', 'w-2-1-1-2', 'w-2-1-2-1', 'w-2-1-2-2']);

    const numbers = [
      [1, 2, 3, 4],
      [1, 2],
      [2, 5, 6],
      [3, 6, 7],
    ];
    const pending: number[] = [];
    for (const [i, window] of quarters.entries()) {
      const records = numbers[i]!.map((n) => filingOfLookup(n));
      await stagePage(lake, 'r', window.id, 0, { state: null, records, violations: [] });
      const record = { window, read: { promised: records.length, found: records.length, proven: true } };
      const planned = await planDriven(lake, run, { window: window.id, record });
      pending.push(planned.pending.info.filings);
      // Like any window without pending steps.
      if (i === 1) await dropStagedWindow(lake, 'r', { window: window.id, pages: 1, plan: 1 });
    }
    expect(pending).toEqual([4, 0, 2, 1]);
  });
});

describe('records of a lookup that broke the contract', () => {
  const read = { promised: 2, found: 1, proven: false };
  const recordOf = (window: ExportWindow) => ({ window, read });
  const window = (id: string, of?: ExportWindow['of']): ExportWindow => ({
    id,
    ...(of ? { of } : {}),
    filter: {},
    today: '2024-06-30',
    inexact: null,
  });
  const failures = 'SELECT step, subject FROM export_failures ORDER BY subject';

  it('are no longer failures once they are valid', async () => {
    const runs = await newLake();
    const wanted = definitionOf('filings');
    const record = recordOf(window('w'));
    const broken = [
      { subject: accessionNumber(1), path: 'filings[0].filing_date', value: 'x' },
      { subject: accessionNumber(3), path: 'filings[2].filing_date', value: 'x' },
      { subject: null, path: 'filings[1]', value: null },
    ];
    await runs.lookUp(wanted, { records: [], violations: broken }, { record });
    expect(await runs.rows(failures)).toHaveLength(3);
    const records = [filingOfLookup(1), filingOfLookup(2)];
    await runs.lookUp(wanted, { records, violations: broken.slice(1, 2) }, { record });
    expect(await runs.rows(failures)).toEqual([{ step: 'filing', subject: accessionNumber(3) }]);
    expect(await runs.rows('SELECT attempts::INT AS n FROM export_failures')).toEqual([{ n: 2 }]);
  });

  it('stay failures if another export, or none of the windows read, has them valid', async () => {
    const runs = await newLake();
    const broken = [
      { subject: accessionNumber(1), path: 'filings[0].filing_date', value: 'x' },
      { subject: null, path: 'filings[1]', value: null },
    ];
    const wanted = definitionOf('filings');
    await runs.lookUp(wanted, { records: [], violations: broken }, { window: 'w-2', record: null });
    const others = { ...wanted, name: 'others' };
    const record = { ...recordOf(window('w')), read: { promised: 1, found: 1, proven: true } };
    await runs.lookUp(others, { records: [filingOfLookup(1)] }, { record });
    const elsewhere = { window: 'w-1', record: recordOf(window('w-1')) };
    await runs.lookUp(wanted, { records: [filingOfLookup(5)] }, elsewhere);
    expect(await runs.rows(failures)).toHaveLength(2);
    // The whole of which w-2 was a part.
    await runs.lookUp(wanted, { records: [filingOfLookup(5)] }, { record: recordOf(window('w')) });
    expect(await runs.rows(failures)).toEqual([{ step: 'filing', subject: accessionNumber(1) }]);
  });

  it('stay failures if they are readable, but have a value that can not be stored', async () => {
    const runs = await newLake();
    const wanted = definitionOf('filings');
    const unfit = filingOfLookup(1, { size: 1.5 });
    const record = recordOf(window('w'));
    for (let run = 1; run <= 2; run++) {
      await runs.lookUp(wanted, { records: [unfit] }, { record });
      expect(await runs.rows(failures)).toEqual([{ step: 'filing', subject: accessionNumber(1) }]);
    }
  });

  it('are cleared among hits and entities too', async () => {
    const runs = await newLake();
    const hits = definitionOf('filings', '', '{ fulltext: { query: x } }');
    const id = `${accessionNumber(1)}-1`;
    const hit = { id, accession_number: accessionNumber(1), form_type: null, filing_date: null, entity_name: null };
    const ofHits = { of: 'hits', window: 't', record: recordOf(window('t', 'hits')) } as const;
    const brokenHits = [
      { subject: id, path: 'hits[0]', value: 'x' },
      { subject: null, path: 'hits[1]', value: null },
    ];
    await runs.lookUp(hits, { records: [], violations: brokenHits }, ofHits);
    expect(await runs.rows(failures)).toHaveLength(2);
    await runs.lookUp(hits, { records: [hit] }, ofHits);
    expect(await runs.rows(failures)).toEqual([]);

    const entities = definitionOf('entities', '', '{ entities: query, entity_query: { name_includes: [x] } }');
    const record = { ...recordOf(window('e', 'entities')), read: { promised: 1, found: 0, proven: false } };
    const ofEntities = { of: 'entities', window: 'e', record } as const;
    await runs.lookUp(
      entities,
      { records: [], violations: [{ subject: null, path: 'entities[0]', value: null }] },
      ofEntities,
    );
    expect(await runs.rows(failures)).toEqual([{ step: 'entity', subject: 'window e' }]);
    await runs.lookUp(entities, { records: [] }, ofEntities);
    expect(await runs.rows(failures)).toEqual([]);
  });
});
