/** What failures leave in the lake, and which a run says are known: what an earlier one has met too, and lies in what the service has. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { finishRun } from '../../activities/export/run-ends.ts';
import type { RunFinished } from '../../activities/index.ts';
import { type FilingClient, UnprocessableError } from '../../src/client/index.ts';
import type { Filing } from '../../src/contract/index.ts';
import type { Lake } from '../../src/lake/index.ts';
import {
  asAttempt,
  definitionOf,
  dependenciesOf,
  fetchDriven,
  filingOfLookup,
  knowingClient,
  lakeFolder,
  openDriven,
  planDriven,
  runOf,
  stageFilings,
} from './driven.ts';

let lake: Lake;
let runs = 0;
let client: FilingClient;
beforeEach(async () => {
  client = knowingClient();
  lake = await openDriven(lakeFolder());
});
afterEach(() => lake.close());

/** A whole run over these records, with what it says at its end. */
async function export_(tables: string, ...filings: Filing[]): Promise<RunFinished> {
  const started_at = new Date().toISOString();
  const run = { ...runOf(definitionOf('t', tables), `run-${++runs}`, lake), started_at };
  await stageFilings(lake, run.run_id, filings);
  const { base_version, owed } = await planDriven(lake, run);
  if (owed.info.filings > 0) await fetchDriven(lake, run, 'info', base_version, client);
  const budget = { leave: async () => {} };
  const request = { run, state: 'completed', started_at, requests: 0, bytes: 0 };
  return asAttempt(1, () => finishRun(dependenciesOf(lake, { budget }), request));
}

const unfit = (over: Partial<Filing> = {}) => filingOfLookup(1, { report_date: '2024-02-31', ...over });

describe('a step that fails', () => {
  const refuses = async () => {
    throw new UnprocessableError('it can not be given');
  };
  const refusing = { filingLookup: async () => ({}), filingInfo: refuses } as unknown as FilingClient;

  it('gives up nothing of what it brought before, where more is asked of it', async () => {
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
    expect((await lake.check()).problems).toEqual([]);
  });

  it('writes what it failed of, and no documents again, each time that it fails', async () => {
    client = refusing;
    await export_('filings, documents', filingOfLookup(1));
    const version = await lake.currentVersion();
    await export_('filings, documents', filingOfLookup(1));
    const written = (await lake.log(10))
      .filter((entry) => entry.version > version)
      .flatMap(({ tables }) => Object.keys(tables));
    expect([...new Set(written)].sort()).toEqual(['coverage', 'export_failures', 'export_runs']);
    expect(await lake.query('SELECT count(*)::INT AS n FROM documents')).toEqual([{ n: 2 }]);
  });
});

describe('a value that can not be stored', () => {
  it('costs the row that value alone, is told, and is known to the next run, which asks nothing', async () => {
    expect(await export_('filings, parties', unfit())).toMatchObject({ failures: 1, known_failures: 0, retryable: 0 });
    const row = `SELECT entity_name, report_date FROM filings`;
    expect(await lake.query(row)).toEqual([{ entity_name: 'A', report_date: null }]);
    const failure = { step: 'filing', code: 'value-unstorable', path: 'report_date', value: '2024-02-31' };
    expect(await lake.query('SELECT step, code, path, value FROM export_failures')).toEqual([failure]);
    expect((await lake.check()).problems).toEqual([]);

    const next = await export_('filings, parties', unfit());
    expect(next).toMatchObject({ failures: 1, known_failures: 1, failed: [{ count: 1, known: 1 }] });
  });

  it('of a filing whose record changed is told too, and gone once it is right', async () => {
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
