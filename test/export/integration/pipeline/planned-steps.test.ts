/**
 * The planned steps of a completed run are stored, failed, or left to another run. Anything else is reported at its end and by the
 * check.
 */
import { describe, expect, it } from 'vitest';
import type { FilingClient } from '../../../../src/export/client/index.ts';
import { PASSES } from '../../../../src/export/index.ts';
import type { RunReference } from '../../../../src/export/pipeline/index.ts';
import type { Pass } from '../../../../src/export/steps/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import {
  accessionNumber,
  clientOf,
  clientThatFails,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  finishDriven,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

const TABLES = 'filings, parties, document_contents';
const MORE = 'documents: { types: [all] }';
const FILINGS = [1, 2, 3].map((n) => filingOfLookup(n));

const client = clientOf({});
const failing = { ...client, filingInfo: clientThatFails().filingInfo } as unknown as FilingClient;

let runs = 0;

function start(lake: Lake, name = 'whole'): RunReference {
  return { ...runOf(definitionOf(name, TABLES, MORE), `run-${++runs}`, lake), started_at: new Date().toISOString() };
}

async function plan(lake: Lake, run: RunReference, filings: readonly Filing[] = FILINGS) {
  await stageFilings(lake, run.run_id, filings);
  return planDriven(lake, run);
}

async function bring(
  lake: Lake,
  run: RunReference,
  {
    filings = FILINGS,
    passes = PASSES,
    of = client,
  }: { filings?: Filing[]; passes?: readonly Pass[]; of?: FilingClient } = {},
): Promise<void> {
  const { base_version } = await plan(lake, run, filings);
  for (const pass of passes) await fetchDriven(lake, run, pass, base_version, of);
}

const finish = (lake: Lake, run: RunReference) => finishDriven(lake, run, { fetched_steps: 6 });

const newLake = () => openLake(temporaryFolder(), { create: true });
const passesOf = (lake: Lake, { run_id }: RunReference) =>
  lake.query(
    `SELECT pass, expected::INT AS expected, complete::INT AS complete, failed::INT AS failed, left_to_others::INT AS "left", missing::INT AS missing
     FROM export_passes WHERE run_id = '${run_id}' ORDER BY pass DESC`,
  );
const problemsOf = async (lake: Lake) => (await checkLake(lake)).problems;

describe('a completed run', () => {
  it('records for each window and pass its plan and the outcome; a later run finds the same', async () => {
    const lake = await newLake();
    const run = start(lake);
    await bring(lake, run);
    expect((await finish(lake, run)).missing).toEqual([]);
    const nothing = { failed: 0, left: 0, missing: 0 };
    expect(await passesOf(lake, run)).toEqual([
      { pass: 'info', expected: 3, complete: 3, ...nothing },
      { pass: 'documents', expected: 6, complete: 6, ...nothing },
    ]);
    expect(await problemsOf(lake)).toEqual([]);
    const next = start(lake);
    await bring(lake, next);
    expect((await finish(lake, next)).missing).toEqual([]);
    expect(await passesOf(lake, next)).toEqual([]);
    await lake.compact();
    await lake.vacuum({ keepMs: 0 });
    expect(await problemsOf(lake)).toEqual([]);
  });

  it('that skipped a batch reports it at its end, each time, and the check does until an export has fetched it', async () => {
    const lake = await newLake();
    const run = start(lake);
    await bring(lake, run, { passes: ['info'] });
    expect((await finish(lake, run)).missing).toEqual([{ pass: 'documents', count: 6 }]);
    expect((await finish(lake, run)).missing).toEqual([{ pass: 'documents', count: 6 }]);
    expect(await problemsOf(lake)).toMatchObject([
      {
        code: 'steps-missing',
        message: expect.stringContaining('the lake lacks 6 steps of documents that it planned'),
      },
    ]);
    await bring(lake, start(lake, 'another'));
    expect(await problemsOf(lake)).toEqual([]);
  });

  it('whose coverage was lost afterwards is reported by the check, and the next run of the export resolves it', async () => {
    const lake = await newLake();
    const run = start(lake);
    await bring(lake, run);
    await finish(lake, run);
    const base_version = await lake.currentVersion();
    const values = [[accessionNumber(2), 'info']];
    const replace = [{ table: 'coverage', columns: ['accession_number', 'step'], values }];
    await lake.commitBatch({ run_id: 'x', batch_id: 'b', base_version, segments: [], replace });
    expect(await problemsOf(lake)).toMatchObject([
      {
        code: 'steps-missing',
        message: expect.stringContaining(`1 step of info that it planned: ${accessionNumber(2)}`),
      },
    ]);
    const next = start(lake);
    const { base_version: base, pending } = await plan(lake, next);
    expect(pending.info.requests).toBe(1);
    await fetchDriven(lake, next, 'info', base, client);
    expect((await finish(lake, next)).missing).toEqual([]);
    expect((await problemsOf(lake)).filter(({ code }) => code === 'steps-missing')).toEqual([]);
  });

  it('counts its own failures, but not a failure of an earlier run if this one never requested the step', async () => {
    const lake = await newLake();
    const first = start(lake);
    await bring(lake, first, { of: failing });
    expect((await finish(lake, first)).missing).toEqual([]);
    expect(await passesOf(lake, first)).toMatchObject([{ pass: 'info', expected: 3, failed: 3 }, { complete: 6 }]);
    expect(await problemsOf(lake)).toEqual([]);
    const lazy = start(lake);
    await bring(lake, lazy, { passes: [] });
    expect((await finish(lake, lazy)).missing).toEqual([{ pass: 'info', count: 3 }]);
    expect(await problemsOf(lake)).toMatchObject([{ code: 'steps-missing' }]);
  });

  it('is not checked against the plan of a run that ended early: what that planned is pending, and no problem', async () => {
    const lake = await newLake();
    const early = start(lake);
    await bring(lake, early, { passes: ['info'] });
    expect(await problemsOf(lake)).toEqual([]);
    const { run_id } = early;
    expect((await checkLake(lake)).pending).toEqual([{ export: 'whole', run_id, pass: 'documents', steps: 6 }]);
    const next = start(lake);
    await bring(lake, next);
    await finish(lake, next);
    expect((await checkLake(lake)).pending).toEqual([]);
  });

  it('leaves to another run the filings that it has taken over in another revision, and a later export may replace all of them', async () => {
    const lake = await newLake();
    const run = start(lake);
    const { base_version } = await plan(lake, run);
    const changed = FILINGS.map((filing) => ({ ...filing, form_type: '10-K/A' }));
    const other = start(lake, 'other');
    await bring(lake, other, { filings: changed.slice(0, 1), passes: [] });
    await expect(fetchDriven(lake, run, 'info', base_version, client)).rejects.toMatchObject({ code: 'plan-outdated' });
    const again = await planDriven(lake, run, { plan: 2 });
    expect(again.deferred).toBe(1);
    for (const pass of PASSES) await fetchDriven(lake, run, pass, again.base_version, client, 'w', false, 2);
    expect((await finish(lake, run)).missing).toEqual([]);
    expect(await passesOf(lake, run)).toMatchObject([
      { pass: 'info', expected: 3, complete: 2, left: 1, missing: 0 },
      { pass: 'documents', expected: 6, complete: 4, left: 2, missing: 0 },
    ]);
    expect(await problemsOf(lake)).toEqual([]);
    await bring(lake, start(lake, 'third'), { filings: changed });
    expect(await problemsOf(lake)).toEqual([]);
  });

  it('that finds no row of its plan says how many fetched steps it could not verify', async () => {
    const lake = await newLake();
    const run = start(lake);
    await bring(lake, run);
    expect(await finish(lake, run)).not.toHaveProperty('unverified');
    const gone = start(lake, 'gone');
    await bring(lake, gone, { filings: [4, 5].map((n) => filingOfLookup(n)) });
    const base_version = await lake.currentVersion();
    const values = [4, 5].map((n) => ['gone', accessionNumber(n)]);
    const replace = [{ table: 'export_plans', columns: ['export', 'accession_number'], values }];
    await lake.commitBatch({ run_id: 'x', batch_id: 'b', base_version, segments: [], replace });
    expect(await finish(lake, gone)).toMatchObject({ missing: [], unverified: 6 });
  });
});

describe('steps that another size of their filings makes older', () => {
  const SIZED = FILINGS.map((filing) => ({ ...filing, size: 1_000 }));
  const LARGER = FILINGS.map((filing) => ({ ...filing, size: 2_000 }));

  it('are not missing for the run that fetched them, if an export of fewer tables read the size', async () => {
    const lake = await newLake();
    for (const run of [start(lake), start(lake, 'same')]) {
      await bring(lake, run, { filings: SIZED });
      await finish(lake, run);
    }
    const narrow = { ...start(lake), definition: definitionOf('narrow', 'filings', '') };
    await bring(lake, narrow, { filings: LARGER });
    expect((await finish(lake, narrow)).missing).toEqual([]);
    expect(await checkLake(lake)).toMatchObject({ problems: [], older_revisions: { filings: 3 } });
  });

  it('are missing if a run planned them again and never fetched them', async () => {
    const lake = await newLake();
    const first = start(lake);
    await bring(lake, first, { filings: SIZED });
    await finish(lake, first);
    const run = start(lake);
    await bring(lake, run, { filings: LARGER, passes: ['documents'] });
    expect((await finish(lake, run)).missing).toEqual([{ pass: 'info', count: 3 }]);
    expect(await problemsOf(lake)).toMatchObject([{ code: 'steps-missing' }]);
  });
});

describe('steps of an older revision', () => {
  it('are missing if a run planned them again and never fetched them', async () => {
    const lake = await newLake();
    await bring(lake, start(lake, 'before'));
    const run = start(lake);
    const filings = FILINGS.map((filing) => ({ ...filing, form_type: '10-K/A' }));
    await bring(lake, run, { filings, passes: ['documents'] });
    expect((await finish(lake, run)).missing).toEqual([{ pass: 'info', count: 3 }]);
    expect(await problemsOf(lake)).toMatchObject([{ code: 'steps-missing' }]);
  });
});
