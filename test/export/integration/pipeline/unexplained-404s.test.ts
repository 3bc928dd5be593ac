/** Documents that the service answers 404 for without a word, day after day, on a lake that has others of it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordNotFoundError, ServiceFailedError } from '../../../../src/export/client/index.ts';
import { probeRequests } from '../../../../src/export/pipeline/failures/probe-requests.ts';
import type { RunFinished } from '../../../../src/export/pipeline/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import {
  accessionNumber,
  clientOf,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  finishDriven,
  openDriven,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

let lake: Lake;
let runs = 0;
let asked: string[] = [];
/** Why a document can't be fetched. */
let fault: (id: string) => Error | null;
beforeEach(async () => {
  lake = await openDriven();
  fault = () => null;
});
afterEach(() => lake.close());

const absent = () => new RecordNotFoundError('document answered 404', false);
const isOf = (id: string, from: number, to: number) =>
  Number(id.slice(14, 20)) >= from && Number(id.slice(14, 20)) <= to;

const client = clientOf({
  document: (id) => {
    asked.push(id);
    const error = fault(id);
    if (error) throw error;
    return 'text';
  },
});

/** A whole run over the first so many filings, two documents each. */
async function day(filings: number, insistent = false): Promise<RunFinished> {
  const run = runOf(
    definitionOf('t', 'filings, document_contents', 'documents: { types: [all] }'),
    `run-${++runs}`,
    lake,
  );
  const started_at = new Date().toISOString();
  asked = [];
  await stageFilings(
    lake,
    run.run_id,
    Array.from({ length: filings }, (_, i) => filingOfLookup(i + 1)),
  );
  const { base_version, pending } = await planDriven(lake, { ...run, started_at } as typeof run);
  if (pending.documents.filings > 0) await fetchDriven(lake, run, 'documents', base_version, client, 'w', insistent);
  return finishDriven(lake, { ...run, started_at } as typeof run);
}

const failuresByCode = () =>
  lake.query('SELECT code, count(*)::INT AS n FROM export_failures GROUP BY code ORDER BY code');

describe('documents that answer 404 without a word', () => {
  it('are known from the second day on, more than twenty of them too, and hold up nothing new', async () => {
    fault = (id) => (isOf(id, 3, 17) ? absent() : null);
    expect(await day(20)).toMatchObject({ failures: 30, known_failures: 0 });
    expect(await day(20)).toMatchObject({ failures: 30, known_failures: 30 });
    expect(asked).toHaveLength(30);
    expect(await day(21)).toMatchObject({ failures: 30, known_failures: 30 });
    expect(asked).toHaveLength(32);
  });

  it('are failures if all new requests get them, and those in the lake still work', async () => {
    await day(5);
    fault = (id) => (isOf(id, 6, 35) ? absent() : null);
    expect(await day(20)).toMatchObject({ failures: 30, known_failures: 0 });
    // Some that are new among those that are known.
    expect(await day(35)).toMatchObject({ failures: 60, known_failures: 30 });
  });

  it('stop the run if nothing ever worked, and if nothing that worked before still works', async () => {
    fault = absent;
    await expect(day(100)).rejects.toMatchObject({ code: 'operation-failing' });
    expect(asked).toHaveLength(20);
    fault = () => null;
    await day(10);
    fault = absent;
    await expect(day(100)).rejects.toMatchObject({ code: 'operation-failing' });
    expect(asked).toHaveLength(23);
    expect(await failuresByCode()).toEqual([]);
  });

  it('let the run end at last, with few of them requested, and each of them pending', async () => {
    fault = absent;
    expect(await day(100, true)).toMatchObject({ failures: 200, known_failures: 0 });
    expect(asked).toHaveLength(20);
    expect(await failuresByCode()).toEqual([
      { code: 'record-not-found', n: 20 },
      { code: 'service-failed', n: 180 },
    ]);
    fault = () => null;
    expect(await day(100)).toMatchObject({ failures: 0 });
    expect(asked).toHaveLength(200);
  });

  it('say nothing of a service that fails: its failures stop the run as ever', async () => {
    fault = (id) => (isOf(id, 3, 17) ? absent() : null);
    await day(20);
    fault = (id) => (isOf(id, 3, 17) ? absent() : new ServiceFailedError('it broke', 500));
    await expect(day(40)).rejects.toMatchObject({ code: 'operation-failing' });
  });
});

describe('a request that an operation answered before', () => {
  it('is repeated unchanged, for three filings, the newest first', async () => {
    const rows = [
      { n: 1, step: 'info', selector: 'parties', status: 'done' },
      { n: 1, step: 'sections', selector: '10-Q:p1i2', status: 'done' },
      { n: 2, step: 'sections', selector: '10-K', status: 'absent' },
      ...[1, 2, 3, 4, 5].map((n) => ({
        n,
        step: `document:d${n}`,
        selector: n === 4 ? 'json' : 'raw',
        status: 'done',
      })),
    ];
    const staging = lake.openStaging('run', 'batch', 1);
    for (const [i, { n, ...row }] of rows.entries()) {
      const fetched_at = new Date(Date.UTC(2024, 0, 1 + i)).toISOString();
      staging.append('coverage', { accession_number: accessionNumber(n), revision: 'r', fetched_at, ...row });
    }
    const segment = await staging.seal({});
    await lake.commitBatch({ run_id: 'run', batch_id: 'batch', base_version: -1, segments: [segment!] });
    expect(await probeRequests(lake, 'filing_info')).toEqual([
      { accession_number: accessionNumber(1), step: { step: 'info', selector: 'parties' } },
    ]);
    expect(await probeRequests(lake, 'filing_sections')).toEqual([
      { accession_number: accessionNumber(1), step: { step: 'sections', selector: '10-Q:p1i2', form_type: '10-Q' } },
    ]);
    expect((await probeRequests(lake, 'document')).map(({ step }) => step)).toEqual([
      { step: 'document:d5', selector: 'raw', document_id: 'd5', output_format: 'raw' },
      { step: 'document:d4', selector: 'json', document_id: 'd4', output_format: 'json' },
      { step: 'document:d3', selector: 'raw', document_id: 'd3', output_format: 'raw' },
    ]);
  });
});
