/** How a command ends a run, against a scripted server. */
import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { endRun } from '../../../../src/export/runtime/runs/end-run.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

/** @param beats the times of the activity's last heartbeat, one for each description; then the run has ended */
function server(beats: readonly (number | null)[], goesOn: boolean) {
  const did: unknown[] = [];
  let described = 0;
  const handle = {
    cancel: async () => void did.push('cancel'),
    terminate: async () => void did.push('terminate'),
    describe: async () => {
      const beat = beats[Math.min(described, beats.length - 1)] ?? null;
      const name = described++ < beats.length || goesOn ? 'RUNNING' : 'CANCELLED';
      const lastHeartbeatTime = beat === null ? null : { seconds: beat, nanos: 0 };
      return { status: { name }, raw: { pendingActivities: [{ activityId: '1', attempt: 1, lastHeartbeatTime }] } };
    },
  } as unknown as WorkflowHandle;
  const signal = async (...args: unknown[]) => void did.push(args);
  const getHandle = (id: string) => {
    did.push(id);
    return { signal };
  };
  const client = { workflow: { getHandle } } as unknown as Client;
  return { did, handle, client };
}

const nothing = (_: WorkflowExecutionDescription) => null;

describe('a run that is cancelled', () => {
  it('is waited for as long as its worker is heard of, whatever time that takes', async () => {
    const { did, handle, client } = server([1, 2, 3, 4], false);
    const said: string[] = [];
    const options = { silenceMs: 0, mostMs: 600_000, onMessage: (line: string) => void said.push(line) };
    await endRun(client, handle, nothing, options);
    expect(did).toEqual(['cancel']);
    expect(said).toEqual(['its worker finishes its current batch; waiting up to 10 min']);
  });

  it('is terminated if no worker shows signs of life: its staged files are deleted, and its budget is informed', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true });
    const definition = { service: { base_url: 'http://127.0.0.1:8080' } };
    await lake.putStaged(
      'r',
      'run.json',
      JSON.stringify({ name: 'e', definition, started_at: '2026-11-20T12:00:00Z' }),
    );
    const { did, handle, client } = server([7], true);
    const leftBehind = () => ({ run_id: 'r', lake: folder, budget: 'budget/host/key' });
    await endRun(client, handle, leftBehind, { silenceMs: 0, mostMs: 600_000, onMessage: () => {} });
    expect(did).toEqual(['cancel', 'terminate', 'budget/host/key', ['left', { run_id: 'r' }]]);
    expect(await lake.readStaged('r', 'run.json')).toBeNull();
    const runs = 'SELECT run_id, state FROM export_runs';
    expect(await lake.query(runs)).toEqual([{ run_id: 'r', state: 'cancelled' }]);
  });
});
