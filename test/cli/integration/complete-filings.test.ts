/** What `filinglake status` counts: filings that are complete, of those that a run has listed. */
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withCompleteFilings } from '../../../src/cli/terminal/complete-filings.ts';
import { UnprocessableError } from '../../../src/export/client/index.ts';
import type { RunReference } from '../../../src/export/pipeline/index.ts';
import { newProgress } from '../../../src/export/run/index.ts';
import type { RunStatus } from '../../../src/export/runtime/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import {
  clientOf,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  planDriven,
  runOf,
  stageFilings,
} from '../../support/pipeline/activity-harness.ts';

const FILINGS = Array.from({ length: 5 }, (_, i) => filingOfLookup(i + 1));
const STARTED = '2024-05-01T10:00:00.000Z';

const statusOf = (run: RunReference, lake: Lake): RunStatus => ({
  id: 'export/r',
  name: 'r',
  run_id: run.run_id,
  lake: lake.root,
  state: 'running',
  started_at: STARTED,
  progress: { ...newProgress(STARTED), filings_found: FILINGS.length },
  ended_at: null,
  worker: null,
});
const completeOf = async (run: RunReference, lake: Lake) =>
  (await withCompleteFilings([statusOf(run, lake)]))[0]!.filings_complete;

/** Knows all filings; filing_info of the last fails. */
const client = clientOf({
  info: (number) => {
    if (number.endsWith('5')) throw new UnprocessableError('it can not be given');
    return {};
  },
});

describe('the complete filings of a run', () => {
  it('are those of which the lake has all that the run planned, exactly', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const before = runOf(definitionOf('before', 'filings'), 'run-0', lake);
    await stageFilings(lake, before.run_id, FILINGS);
    await planDriven(lake, before);
    // Listed, and nothing else is asked.
    expect(await completeOf(before, lake)).toBe(5);
    const definition = definitionOf('r', 'filings, parties, document_contents', 'documents: { types: [all] }');
    const run = runOf(definition, 'run-1', lake);
    await stageFilings(lake, run.run_id, FILINGS);
    const { base_version } = await planDriven(lake, run);
    expect(await completeOf(run, lake)).toBe(0);
    await fetchDriven(lake, run, 'info', base_version, client);
    expect(await completeOf(run, lake)).toBe(0);
    await fetchDriven(lake, run, 'documents', base_version, client);
    expect(await completeOf(run, lake)).toBe(4);
    // Another run finds the stored rows, and plans the one that failed.
    const next = runOf(definition, 'run-2', lake);
    await stageFilings(lake, next.run_id, FILINGS);
    await planDriven(lake, next);
    expect(await completeOf(next, lake)).toBe(4);
    expect(await completeOf(before, lake)).toBe(5);
  });

  it('are not known if the lake can not be read here', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const run = runOf(definitionOf('r', 'filings'), 'run-1', lake);
    await lake.close();
    rmSync(lake.root, { recursive: true });
    expect(await completeOf(run, lake)).toBeNull();
  });
});
