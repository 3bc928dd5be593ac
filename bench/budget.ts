/** The budget of a key under many workers that begin at one moment: messages to its workflow, and how long connections wait. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { BudgetClient } from '../activities/index.ts';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { openLog, readSettings } from '../src/environment/index.ts';
import { parseExportDefinition } from '../src/export/index.ts';
import { type BudgetPort, BudgetShares, type RunReference, type ShareOffice } from '../src/pipeline/index.ts';
import { ensureTemporal, keyFingerprint, startWorker } from '../src/runtime/index.ts';

export const summary =
  'messages to a budget of workers that begin at one moment, and waits for it, each run for itself and by shares: [WORKERS] [ANSWER_MS] [SECONDS]';

/** As activities/export do: lanes of a batch of seven seconds, at most 1,000 requests at a time. */
const LANES = 8;
const BATCH_MS = 7_000;
const RESERVED = 1_000;
const KEY = 'bench-budget';

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const [workers = 30, answerMs = 100, seconds = 60] = args.map(Number);
  const folder = mkdtempSync(path.join(tmpdir(), 'filinglake-bench-'));
  const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: path.join(folder, 'home') });
  const session = await ensureTemporal(settings);
  const worker = await startWorker(session, { apiKey: KEY, log: openLog(settings, 'worker', [KEY]) });
  const client = new Client({ connection: await session.connect(), namespace: session.namespace });
  try {
    const rows: Figures[] = [];
    for (const way of ['each for itself', 'shares'] as const) {
      rows.push(await measure(client, worker.taskQueue, { way, workers, answerMs, seconds }));
    }
    if (json) process.stdout.write(`${JSON.stringify({ workers, lanes: LANES, answer_ms: answerMs, rows })}\n`);
    else process.stdout.write(formatTable(rows as unknown as Record<string, unknown>[], Object.keys(rows[0]!)));
  } finally {
    await worker.stop();
    await session.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Figures {
  budget: string;
  requests: number;
  updates: number;
  updates_a_second: number;
  update_median_ms: number;
  update_p95_ms: number;
  update_longest_ms: number;
  /** Updates without an answer within 20 seconds: their activities would fail. */
  timed_out: number;
  /** Of the time of all connections. */
  waited_percent: number;
}

async function measure(
  client: Client,
  taskQueue: string,
  given: { way: 'each for itself' | 'shares'; workers: number; answerMs: number; seconds: number },
): Promise<Figures> {
  const times: number[] = [];
  const failures: unknown[] = [];
  const until = performance.now() + given.seconds * 1000;
  const total = { requests: 0, waitedMs: 0 };
  await Promise.all(
    Array.from({ length: given.workers }, async (_, n) => {
      // Each worker is a process of its own: what one waits for itself holds up no other.
      const processes = async () => given.workers;
      const office = timed(
        new BudgetClient(client.workflow, taskQueue, keyFingerprint(KEY), processes),
        times,
        failures,
      );
      const budget: BudgetPort = given.way === 'shares' ? new BudgetShares(office) : office;
      const one = runOf(`${given.way} ${n}`);
      for (let batch = 0; performance.now() < until; batch++) {
        await fetchBatch(
          budget,
          one,
          `${n}/${batch}`,
          given.answerMs,
          Math.min(until, performance.now() + BATCH_MS),
          total,
        );
      }
      await (budget as Partial<BudgetShares>).close?.();
      await budget.leave(one);
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  return {
    budget: given.way,
    requests: total.requests,
    updates: times.length,
    updates_a_second: Math.round((10 * times.length) / given.seconds) / 10,
    update_median_ms: at(0.5),
    update_p95_ms: at(0.95),
    update_longest_ms: Math.round(times.at(-1) ?? 0),
    timed_out: failures.length,
    waited_percent: Math.round((1000 * total.waitedMs) / (given.workers * LANES * given.seconds * 1000)) / 10,
  };
}

async function fetchBatch(
  budget: BudgetPort,
  one: RunReference,
  id: string,
  answerMs: number,
  until: number,
  total: { requests: number; waitedMs: number },
): Promise<void> {
  let granted = 0;
  let sent = 0;
  let reservations = 0;
  let reserving: Promise<void> | null = null;
  const settle = async () => {
    if (reservations === 0) return;
    const batch_id = `${id}/${reservations}`;
    await budget.settle(one, {
      batch_id,
      requests: sent,
      bytes: 0,
      requests_left: null,
      resets_at: null,
      admitted: true,
    });
    sent = 0;
  };
  const reserve = async () => {
    await settle();
    reservations++;
    granted = (await budget.reserve(one, `${id}/${reservations}`, RESERVED)).granted;
  };
  const lane = async () => {
    while (performance.now() < until) {
      while (granted === 0) {
        const from = performance.now();
        reserving ??= reserve().finally(() => {
          reserving = null;
        });
        await reserving;
        total.waitedMs += performance.now() - from;
      }
      granted--;
      sent++;
      total.requests++;
      await sleep(answerMs);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await settle();
}

/** An update that times out is counted and sent again, so often. */
const TRIES = 5;

function timed(office: ShareOffice, times: number[], failures: unknown[]): ShareOffice {
  return new Proxy(office, {
    get(target, name) {
      const member = target[name as keyof ShareOffice] as ((...args: unknown[]) => Promise<unknown>) | undefined;
      if (member === undefined) return undefined;
      return async (...args: unknown[]) => {
        for (let tried = 1; ; tried++) {
          const from = performance.now();
          try {
            return await member.apply(target, args);
          } catch (error) {
            failures.push(error);
            if (tried === TRIES) throw error;
          } finally {
            times.push(performance.now() - from);
          }
        }
      };
    },
  });
}

function runOf(run_id: string): RunReference {
  const { definition } = parseExportDefinition('name: bench\nselect: {}\ntables: [filings]\n', 'bench.yaml', {});
  return { run_id, workflow_id: run_id, lake: '/', definition };
}
