/** The work of a retry, activity by activity: from a first run's failures to the pending steps of the next plans. */
import { afterEach, describe, expect, it } from 'vitest';
import { type FilingClient, RecordNotFoundError, UnprocessableError } from '../../../../src/export/client/index.ts';
import { type ExportDefinition, PASSES } from '../../../../src/export/index.ts';
import { readFailures } from '../../../../src/export/pipeline/lookup/read-failures.ts';
import { stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import type { RunReference, WindowToPlan } from '../../../../src/export/pipeline/types.ts';
import { failuresWindow } from '../../../../src/export/windows/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { clientOf, fetchDriven, planDriven } from '../../../support/pipeline/activity-harness.ts';
import {
  accessionNumber,
  definitionOf,
  filingOfLookup,
  infoOf,
  partyOf,
} from '../../../support/pipeline/lake-of-runs.ts';

const FILING = filingOfLookup(1);
const INFO = infoOf(FILING);
const WELL = clientOf({});
const fails = (error: Error) => async () => {
  throw error;
};
const NOT_FOUND = fails(new RecordNotFoundError('it was not found'));
const UNPROCESSABLE = fails(new UnprocessableError('it can not be given'));

let lake: Lake;
let runs = 0;
afterEach(() => lake.close());

function definition(tables: string, more = '', select = '{}', name = 't'): ExportDefinition {
  return { ...definitionOf(tables, more, select), name };
}

const rowsOf = (sql: string) => lake.query(sql);

class Run {
  readonly reference: RunReference;

  constructor(wanted: ExportDefinition) {
    const run_id = `r${++runs}`;
    const started_at = new Date().toISOString();
    this.reference = { run_id, started_at, workflow_id: 'export/t', definition: wanted, lake: lake.root };
  }

  plan(window: Partial<WindowToPlan> = {}) {
    return planDriven(lake, this.reference, window);
  }

  /** From the lookup, or from a list. */
  async found(records: readonly unknown[]) {
    await stagePage(lake, this.reference.run_id, 'w', 0, { state: null, records: [...records], violations: [] });
  }

  async retry() {
    const window = failuresWindow('2024-04-01');
    await readFailures({ lake, run: this.reference }, window);
    return { window: window.id, planned: await this.plan({ window: window.id, of: 'failures' }) };
  }

  async fetch(client: object, window = 'w') {
    const base_version = await lake.currentVersion();
    for (const pass of PASSES)
      await fetchDriven(lake, this.reference, pass, base_version, client as FilingClient, window);
  }
}

describe('what an export failed at', () => {
  it.each([
    ['a document that is not there', 'filings, documents, document_contents', { document: NOT_FOUND }],
    [
      'a document, where documents are not a table of the lake',
      'filings, document_contents',
      { document: UNPROCESSABLE },
    ],
    ['a filing_info that is not there', 'filings, parties', { filingInfo: NOT_FOUND }],
    [
      'a document that only filing_info names, and documents are not a table',
      'filings, document_contents',
      { document: UNPROCESSABLE },
      { ...FILING, documents: [] },
    ],
  ])('is asked by a retry and by the next export: %s', async (_what, tables, answers, record: Filing = FILING) => {
    lake = await openLake(temporaryFolder(), { create: true });
    const wanted = definition(tables, 'documents: { sizes: false }');
    const first = new Run(wanted);
    await first.found([record]);
    await first.plan();
    await first.fetch({ ...WELL, ...answers });
    expect(await rowsOf('SELECT * FROM export_failures')).toHaveLength(1);

    const next = new Run(wanted);
    await next.found([record]);
    expect((await next.plan()).known).toBe(0);

    const again = new Run(wanted);
    const { window, planned } = await again.retry();
    expect(planned.pending.whole.requests).toBe(1);
    await again.fetch(WELL, window);
    expect(await rowsOf('SELECT * FROM export_failures')).toEqual([]);
    expect(await rowsOf("SELECT * FROM coverage WHERE status <> 'done'")).toEqual([]);

    const last = new Run(wanted);
    await last.found([record]);
    expect((await last.plan()).known).toBe(1);
  });

  it('is requested again by a retry if the record has other content: until then the lake keeps its rows', async () => {
    lake = await openLake(temporaryFolder(), { create: true });
    const wanted = definition('filings, parties');
    const changed = { ...FILING, entity_name: 'B', form_type: '10-K/A' };
    const partiesOf = (name: string) => async () => ({
      value: { ...INFO, parties: [partyOf('1', name)] },
    });
    for (const [record, answers] of [
      [FILING, { ...WELL, filingInfo: partiesOf('A') }],
      [changed, { ...WELL, filingInfo: UNPROCESSABLE }],
    ] as const) {
      const run = new Run(wanted);
      await run.found([record]);
      await run.plan();
      await run.fetch(answers);
    }
    expect(await rowsOf('SELECT * FROM export_failures')).toHaveLength(1);
    expect(await rowsOf('SELECT entity_name, size::INT AS size FROM filings')).toEqual([{ entity_name: 'B', size: 5 }]);
    expect(await rowsOf('SELECT name FROM parties')).toEqual([{ name: 'A' }]);
    const older = `SELECT c.step FROM coverage c JOIN coverage f USING (accession_number)
      WHERE f.step = 'filing' AND c.revision <> f.revision`;
    expect(await rowsOf(older)).toEqual([{ step: 'info' }]);
    const again = new Run(wanted);
    const { window, planned } = await again.retry();
    expect(planned.pending.whole.requests).toBe(1);
    // It fails once more: the lake keeps its rows.
    await again.fetch({ ...WELL, filingInfo: UNPROCESSABLE }, window);
    expect(await rowsOf('SELECT attempts::INT AS n FROM export_failures')).toEqual([{ n: 2 }]);
    expect(await rowsOf('SELECT name FROM parties')).toEqual([{ name: 'A' }]);

    const last = new Run(wanted);
    await last.fetch({ ...WELL, filingInfo: partiesOf('B') }, (await last.retry()).window);
    expect(await rowsOf('SELECT * FROM export_failures')).toEqual([]);
    expect(await rowsOf('SELECT name FROM parties')).toEqual([{ name: 'B' }]);
    expect(await rowsOf(older)).toEqual([]);

    const whole = new Run(wanted);
    await whole.found([changed]);
    expect(await whole.plan()).toMatchObject({ known: 1, pending: { info: { requests: 0 } } });
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe('a failure of an export that another export has resolved', () => {
  const wanted = definition('filings, parties');
  const wide = definition('filings, parties, section_contents, document_contents', '', '{}', 'other');
  const parties = [partyOf('1', 'B')];
  const well = clientOf({ info: () => ({ parties }), sections: () => [['1A', '<p>risk</p>']] });

  async function bring(run: Run, answers: object, record: Filing = FILING) {
    await run.found([record]);
    await run.plan();
    await run.fetch(answers);
  }

  /** All of the filing that a retry could take away. */
  const contents = async () => [
    await rowsOf('SELECT * FROM parties'),
    await rowsOf('SELECT * FROM section_contents'),
    await rowsOf('SELECT * FROM document_contents'),
    await rowsOf('SELECT * FROM coverage ORDER BY step'),
  ];

  it('is not requested by a retry, which keeps the filing as the other wrote it', async () => {
    lake = await openLake(temporaryFolder(), { create: true });
    await bring(new Run(wanted), { ...well, filingInfo: UNPROCESSABLE });
    await bring(new Run(wide), well);
    const before = await contents();
    expect(before.map((rows) => rows.length)).toEqual([1, 1, 1, 4]);
    const { planned } = await new Run(wanted).retry();
    expect(planned.pending.whole.requests).toBe(0);
    expect(await contents()).toEqual(before);
  });

  it('is followed by what nobody could ask for before: documents that only filing_info names', async () => {
    lake = await openLake(temporaryFolder(), { create: true });
    const withoutDocuments = { ...FILING, documents: [] };
    const documents = definition('filings, documents, document_contents', 'documents: { types: [all] }');
    await bring(new Run(documents), { ...well, filingInfo: UNPROCESSABLE }, withoutDocuments);
    await bring(new Run(definition('filings, documents', '', '{}', 'other')), well, withoutDocuments);
    const again = new Run(documents);
    const { window, planned } = await again.retry();
    expect(planned.pending.whole.requests).toBe(2);
    await again.fetch(well, window);
    expect(await rowsOf('SELECT document_id FROM document_contents')).toHaveLength(2);
  });
});

describe('what a run has failed at already', () => {
  const numbers = [1, 2, 3].map(accessionNumber);
  const pendingSteps = async (planned: ReturnType<Run['plan']>) => {
    const { pending } = await planned;
    return PASSES.reduce((sum, pass) => sum + pending[pass].requests, 0);
  };

  it('is not pending after a stop, but in the next run: numbers that the service does not know', async () => {
    lake = await openLake(temporaryFolder(), { create: true });
    const wanted = definition('filings', '', `{ accession_numbers: [${numbers}] }`);
    const run = new Run(wanted);
    await run.found(numbers);
    expect(await pendingSteps(run.plan({ of: 'numbers' }))).toBe(3);
    await run.fetch({ ...WELL, filingInfo: NOT_FOUND });
    expect(await pendingSteps(run.plan({ of: 'numbers', plan: 2 }))).toBe(0);
    expect((await new Run(wanted).retry()).planned.pending.whole.requests).toBe(3);
  });

  it('is left out of the filing, and the rest of it is pending: one document of two', async () => {
    lake = await openLake(temporaryFolder(), { create: true });
    const wanted = definition('filings, documents, document_contents', 'documents: { sizes: false, types: [all] }');
    const run = new Run(wanted);
    await run.found([FILING]);
    expect(await pendingSteps(run.plan())).toBe(2);
    let asked = 0;
    const stopped = async (request: { document_id: string }) => {
      if (++asked === 1) throw new UnprocessableError('it can not be given');
      return WELL.document(request);
    };
    await run.fetch({ ...WELL, document: stopped });
    expect(await pendingSteps(run.plan({ plan: 2 }))).toBe(0);
    const next = new Run(wanted);
    await next.found([FILING]);
    expect(await pendingSteps(next.plan())).toBe(1);
  });
});
