/** What is done to a run: processes killed, its workflow reset, Temporal's database put back, its lake removed, restored or replaced. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Random } from '../../../src/cli/sample/companies/random.ts';
import { openHome } from '../../../src/core/environment/state-folder.ts';
import { readTemporalState } from '../../../src/export/runtime/temporal/state.ts';
import { copyDatabase, putBackDatabase, resetRun, scheduledSteps } from '../reset.ts';
import type { Command } from '../test-stack.ts';

/** Killed one by one, or most of them at once. */
export const KILLED = ['worker', 'temporal', 'service', 'command', 'all'] as const;
/** Temporal is behind the lake, or the lake behind Temporal. */
export const TURNED_BACK = ['reset', 'temporal-put-back', 'lake-removed', 'lake-restored', 'lake-replaced'] as const;
export type Victim = (typeof KILLED)[number] | (typeof TURNED_BACK)[number] | 'disk';

/** A strike begins, and hits so much later: everything in between is lost. */
const LOST_MS = 1_500;
const TEMPORAL_MS = 5_000;

export interface Victims {
  home: string;
  lake: string;
  /** Another lake, of a part of the same filings. */
  otherLake: string | null;
  workflowId: string;
  worker: () => Command | null;
  workers: () => readonly Command[];
  command: () => Command | null;
}

/** Resets the run to a step by chance. @returns false if it has none, or Temporal is away */
export async function resetByChance({ home, workflowId }: Victims, random: Random): Promise<boolean> {
  const state = readTemporalState(openHome(home).temporalState);
  if (state?.state !== 'running') return false;
  try {
    const connection = await Connection.connect({
      address: `127.0.0.1:${state.port}`,
      connectTimeout: TEMPORAL_MS,
    });
    try {
      const client = new Client({ connection, namespace: 'filinglake' });
      return await client.withDeadline(Date.now() + TEMPORAL_MS, async () => {
        const steps = await scheduledSteps(client, workflowId);
        if (steps.length === 0) return false;
        const { activity } = steps[random.int(0, steps.length - 1)]!;
        return resetRun(client, workflowId, { activity, nth: random.unit() < 0.5 ? 1 : -1 });
      });
    } finally {
      await connection.close();
    }
  } catch {
    // It was killed just now, or the run is over.
    return false;
  }
}

/** Kills everything that works with a home, and restores its Temporal's database to a moment before. */
export async function putTemporalBack({ home, workers, command }: Victims): Promise<boolean> {
  const { temporalDatabase, temporalState } = openHome(home);
  const copy = join(home, 'copy.db');
  try {
    rmSync(copy, { force: true });
    await copyDatabase(temporalDatabase, copy);
  } catch {
    return false;
  }
  await sleep(LOST_MS);
  const killed = [...workers(), command()].filter((one) => one !== null);
  for (const { process } of killed) process.kill('SIGKILL');
  const state = readTemporalState(temporalState);
  for (const { pid } of [state?.supervisor, state?.server].filter((one) => one != null)) tryKill(pid);
  await Promise.all(killed.map(({ ended }) => ended));
  putBackDatabase(copy, temporalDatabase);
  return true;
}

/** Removes the lake while a run writes to it. */
export function removeLake({ lake }: Victims): boolean {
  if (!existsSync(lake)) return false;
  const aside = `${lake}.removed`;
  renameSync(lake, aside);
  rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
  return true;
}

/** Puts a copy of the lake in its place, a moment old. */
export async function restoreLake({ lake }: Victims): Promise<boolean> {
  const copy = `${lake}.copy`;
  try {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy);
    // The log first: what a version names was there before it.
    const names = readdirSync(lake).sort((a, b) => Number(b === '_lake') - Number(a === '_lake'));
    for (const name of names.filter((name) => !['_staging', '_scratch'].includes(name)))
      cpSync(join(lake, name), join(copy, name), { recursive: true });
  } catch {
    // A file went while it was copied.
    rmSync(copy, { recursive: true, force: true });
    return false;
  }
  await sleep(LOST_MS);
  const aside = `${lake}.aside`;
  renameSync(lake, aside);
  renameSync(copy, lake);
  rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
  return true;
}

/** Puts another lake in its place. */
export function replaceLake({ lake, otherLake }: Victims): boolean {
  if (!existsSync(lake) || otherLake === null) return false;
  const copy = `${lake}.other`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(otherLake, copy, { recursive: true });
  const aside = `${lake}.aside`;
  renameSync(lake, aside);
  renameSync(copy, lake);
  rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
  return true;
}

export function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
