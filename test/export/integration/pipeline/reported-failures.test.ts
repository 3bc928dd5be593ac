/**
 * The rows of failures in the lake, and which of them are known: an earlier run reported them, and the service's data are the
 * cause.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ContractViolation,
  type FilingClient,
  RecordNotFoundError,
  ServiceFailedError,
  UnprocessableError,
} from '../../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import type { RunFinished, RunReference, WindowToPlan } from '../../../../src/export/pipeline/index.ts';
import { readFailures } from '../../../../src/export/pipeline/lookup/read-failures.ts';
import { stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import { failuresWindow } from '../../../../src/export/windows/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import {
  clientThatFails,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  finishDriven,
  knowingClient,
  openDriven,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

let lake: Lake;
let runs = 0;
let client: FilingClient;
beforeEach(async () => {
  client = knowingClient();
  lake = await openDriven();
});
afterEach(() => lake.close());

type StartedRun = RunReference & { started_at: string };

function start(definition = definitionOf('t', 'filings, parties')): StartedRun {
  return { ...runOf(definition, `run-${++runs}`, lake), started_at: new Date().toISOString() };
}

/** The summary at the end of a run. */
function end(run: StartedRun): Promise<RunFinished> {
  return finishDriven(lake, run);
}

/** What a run does before its end. */
async function bring(run: StartedRun, ...filings: Filing[]): Promise<void> {
  await stageFilings(lake, run.run_id, filings);
  const { base_version, pending } = await planDriven(lake, run);
  if (pending.info.filings > 0) await fetchDriven(lake, run, 'info', base_version, client);
}

/** A whole run over these records, with its summary. */
async function export_(tables: string, ...filings: Filing[]): Promise<RunFinished> {
  const run = start(definitionOf('t', tables));
  await bring(run, ...filings);
  return end(run);
}

/** A window with records that break the contract. */
async function findBroken(run: StartedRun, window: Partial<WindowToPlan>, ...violations: ContractViolation[]) {
  const { run_id } = run;
  await stagePage(lake, run_id, window.window ?? 'w', 0, { state: null, records: [], violations });
  await planDriven(lake, run, window);
}

const unfit = (over: Partial<Filing> = {}) => filingOfLookup(1, { report_date: '2024-02-31', ...over });

describe('a step that fails', () => {
  const refusing = clientThatFails(new UnprocessableError('it can not be given'));

  it('keeps its earlier rows if more of it is requested', async () => {
    await export_('filings, parties', filingOfLookup(1));
    const parties = await lake.query('SELECT * FROM parties ORDER BY position');
    expect(parties).toHaveLength(2);
    const wider = 'filings, parties, documents';
    client = refusing;
    expect(await export_(wider, filingOfLookup(1))).toMatchObject({ failures: 1 });
    expect(await lake.query('SELECT * FROM parties ORDER BY position')).toEqual(parties);
    // The lookup's documents, without sizes.
    expect(await lake.query('SELECT size FROM documents')).toEqual([{ size: null }, { size: null }]);
    client = knowingClient();
    expect(await export_(wider, filingOfLookup(1))).toMatchObject({ failures: 0 });
    expect(await lake.query('SELECT size::INT AS size FROM documents')).toEqual([{ size: 1 }, { size: 1 }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('writes its failure, and no documents again, each time that it fails', async () => {
    client = refusing;
    await export_('filings, documents', filingOfLookup(1));
    const version = await lake.currentVersion();
    await export_('filings, documents', filingOfLookup(1));
    const written = (await lake.log(10))
      .filter((entry) => entry.version > version)
      .flatMap(({ tables }) => Object.keys(tables));
    expect([...new Set(written)].sort()).toEqual([
      'coverage',
      'export_failures',
      'export_passes',
      'export_plans',
      'export_runs',
    ]);
    expect(await lake.query('SELECT count(*)::INT AS n FROM documents')).toEqual([{ n: 2 }]);
  });
});

describe('a value that can not be stored', () => {
  it('costs the row only that value, is reported, and is known to the next run, which requests nothing', async () => {
    expect(await export_('filings, parties', unfit())).toMatchObject({ failures: 1, known_failures: 0, retryable: 0 });
    const row = `SELECT entity_name, report_date FROM filings`;
    expect(await lake.query(row)).toEqual([{ entity_name: 'A', report_date: null }]);
    const failure = { step: 'filing', code: 'value-unstorable', path: 'report_date', value: '2024-02-31' };
    expect(await lake.query('SELECT step, code, path, value FROM export_failures')).toEqual([failure]);
    expect((await checkLake(lake)).problems).toEqual([]);

    const next = await export_('filings, parties', unfit());
    expect(next).toMatchObject({ failures: 1, known_failures: 1, failed: [{ count: 1, known: 1 }] });
  });

  it('of a filing whose record changed is reported too, and gone once it is valid', async () => {
    await export_('filings, parties', filingOfLookup(1));
    const changed = await export_('filings, parties', unfit({ entity_name: 'B' }));
    expect(changed).toMatchObject({ failures: 1, known_failures: 0 });
    expect(await lake.query('SELECT entity_name, report_date FROM filings')).toEqual([
      { entity_name: 'B', report_date: null },
    ]);
    const right = await export_('filings, parties', unfit({ entity_name: 'B', report_date: '2024-02-29' }));
    expect(right).toMatchObject({ failures: 0, known_failures: 0 });
    expect(await lake.query('SELECT report_date::VARCHAR AS day FROM filings')).toEqual([{ day: '2024-02-29' }]);
  });
});

describe('a failure', () => {
  const missing = clientThatFails(new RecordNotFoundError('it is not there'));
  const broken = (subject: string | null, over: Partial<ContractViolation> = {}): ContractViolation => ({
    subject,
    path: 'filings[3].filing_date',
    value: 'x',
    ...over,
  });
  const NUMBER = filingOfLookup(9).accession_number;

  it('is known once a completed run has reported it, and each time after', async () => {
    client = missing;
    const known = [];
    for (let n = 0; n < 3; n++) known.push((await export_('filings, parties', filingOfLookup(1))).known_failures);
    expect(known).toEqual([0, 1, 1]);
  });

  it('of a second lookup record stays until a lookup lists the filing once', async () => {
    const window = { id: 'w', today: '2024-04-01', inexact: null, filter: {} };
    const record = { window, read: { promised: 1, found: 1, proven: true } };
    const listed = async (...violations: ContractViolation[]) => {
      const run = start();
      await stagePage(lake, run.run_id, 'w', 0, { state: null, records: [filingOfLookup(9)], violations });
      await planDriven(lake, run, { record });
      return run;
    };
    const second = broken(NUMBER, { path: 'filings[3]', value: `a second record for ${NUMBER}: {}` });
    const first = await listed(second);
    await fetchDriven(lake, first, 'info', await lake.currentVersion(), client);
    expect(await end(first)).toMatchObject({ failures: 1, retryable: 0 });
    // A retry does not read the window.
    const retry = start();
    const { id } = failuresWindow('2024-04-01');
    await readFailures({ lake, run: retry }, failuresWindow('2024-04-01'));
    const { pending } = await planDriven(lake, retry, { window: id, of: 'failures' });
    expect(pending.info.requests).toBe(0);
    expect(await end(retry)).toMatchObject({ failures: 1 });
    expect(await end(await listed(second))).toMatchObject({ failures: 1 });
    expect(await end(await listed())).toMatchObject({ failures: 0 });
  });

  it('is reported the same way if the end of a run is repeated', async () => {
    client = missing;
    const run = start();
    await bring(run, filingOfLookup(1));
    expect([(await end(run)).known_failures, (await end(run)).known_failures]).toEqual([0, 0]);
  });

  it('is new if only a run has met it that did not complete', async () => {
    await findBroken(start(), {}, broken(NUMBER));
    const known = [];
    for (let n = 0; n < 2; n++) {
      const run = start();
      await findBroken(run, {}, broken(NUMBER));
      known.push((await end(run)).known_failures);
    }
    expect(known).toEqual([0, 1]);
  });

  it('is new to a run that did not meet it again, and comes to its end behind one that did not', async () => {
    await bring(start(), filingOfLookup(1, { report_date: '2024-02-31' }));
    const failures = [await export_('filings, parties'), await export_('filings, parties')];
    expect(failures).toMatchObject([
      { failures: 1, known_failures: 0 },
      { failures: 1, known_failures: 1 },
    ]);
  });

  it('is new even if the clock of the machine that started the run is ahead of the worker’s', async () => {
    const run = { ...start(), started_at: new Date(Date.now() + 3_600_000).toISOString() };
    await findBroken(run, {}, broken(NUMBER));
    expect(await end(run)).toMatchObject({ failures: 1, known_failures: 0 });
  });

  it('is new if two windows of one run have the same broken record', async () => {
    const run = start();
    for (const window of ['w-1', 'w-2']) await findBroken(run, { window }, broken(NUMBER));
    expect(await end(run)).toMatchObject({ failures: 1, known_failures: 0 });
  });

  it('is new if its window was planned again in the run that met it', async () => {
    const yaml = 'name: t\nselect: { fulltext: { query: risk } }\ntables: [filings]\n';
    const run = start(parseExportDefinition(yaml, 't.yaml', {}).definition);
    await findBroken(run, { of: 'hits', plan: 1 }, broken(`${NUMBER}-1`));
    await planDriven(lake, run, { of: 'hits', plan: 2 });
    expect(await end(run)).toMatchObject({ failures: 1, known_failures: 0 });
    expect(await lake.query('SELECT attempts::INT AS n FROM export_failures')).toEqual([{ n: 1 }]);
  });

  it('is another one if it fails differently: missing, after a fault of the service', async () => {
    client = clientThatFails(new ServiceFailedError('the service failed', 500));
    await export_('filings, parties', filingOfLookup(1));
    client = missing;
    const failed = [{ code: 'record-not-found', known: 0 }];
    expect(await export_('filings, parties', filingOfLookup(1))).toMatchObject({ known_failures: 0, failed });
  });

  it('is another one if the record has changed since', async () => {
    client = missing;
    await export_('filings, parties', filingOfLookup(1));
    const known = [];
    for (let n = 0; n < 2; n++)
      known.push(
        (await export_('filings, parties', filingOfLookup(1, { acceptance_datetime: '2024-03-02T10:00:00' })))
          .known_failures,
      );
    expect(known).toEqual([0, 1]);
  });

  it.each([
    ['member', unfit({ report_date: null, filing_date: '2024-02-30', entity_name: 'B' })],
    ['value', unfit({ report_date: '2024-02-30', entity_name: 'B' })],
    ['value beside the one before', unfit({ filing_date: '2024-02-30', entity_name: 'B' })],
  ])('is another one if it is of another %s that can not be stored', async (_what, changed) => {
    await export_('filings, parties', unfit());
    expect(await export_('filings, parties', changed)).toMatchObject({ failures: 1, known_failures: 0 });
  });

  it('names all that can not be stored of a record, and all records without a key that break the contract', async () => {
    await export_('filings, parties', unfit({ filing_date: '2024-02-30' }));
    const row = 'SELECT path, value, message FROM export_failures';
    const path = 'filing_date, report_date';
    expect(await lake.query(row)).toEqual([
      { path, value: '2024-02-30, 2024-02-31', message: `${path} can't be stored` },
    ]);
    const run = start();
    await findBroken(run, {}, broken(null, { value: null }), broken(null, { path: 'filings[7].filing_date' }));
    expect(await lake.query(`${row} WHERE accession_number IS NULL`)).toMatchObject([
      { path: 'filings[7].filing_date, filings[3].filing_date', value: 'x, null' },
    ]);
  });

  it('is the same at any position in the answer, and however often it came', async () => {
    await export_('filings, parties');
    const told = [];
    for (const places of [[3], [5, 5], [7, 3]]) {
      const run = start();
      await findBroken(run, {}, ...places.map((n) => broken(NUMBER, { path: `filings[${n}].filing_date` })));
      told.push((await end(run)).known_failures);
    }
    expect(told).toEqual([0, 1, 1]);
  });

  it('of a record without a key is another one if one more was added', async () => {
    const told = [];
    for (const violations of [[broken(null)], [broken(null)], [broken(null), broken(null)]]) {
      const run = start();
      await findBroken(run, {}, ...violations);
      told.push((await end(run)).known_failures);
    }
    expect(told).toEqual([0, 1, 0]);
  });
});

describe('a failure that another export has made good', () => {
  const other = () => start(definitionOf('other', 'filings, parties'));
  const unwell = clientThatFails(new ServiceFailedError('the service failed', 500));

  it('is none any more to the next run', async () => {
    client = unwell;
    expect(await export_('filings, parties', filingOfLookup(1))).toMatchObject({ failures: 1 });
    client = knowingClient();
    await bring(other(), filingOfLookup(1));
    expect(await export_('filings, parties', filingOfLookup(1))).toMatchObject({ failures: 0, failed: [] });
    expect(await lake.query('SELECT * FROM export_failures')).toEqual([]);
  });

  it('is reported by the run that met it, which may want more of the filing, but not by the next', async () => {
    client = unwell;
    const run = start();
    await bring(run, filingOfLookup(1));
    client = knowingClient();
    await bring(other(), filingOfLookup(1));
    expect(await end(run)).toMatchObject({ failures: 1, known_failures: 0 });
    expect(await export_('filings, parties', filingOfLookup(1))).toMatchObject({ failures: 0 });
  });

  it('stays unchanged if the other has failed too', async () => {
    client = unwell;
    await export_('filings, parties', filingOfLookup(1));
    await bring(other(), filingOfLookup(1));
    expect(await export_('filings, parties', filingOfLookup(1))).toMatchObject({ failures: 1 });
  });
});
