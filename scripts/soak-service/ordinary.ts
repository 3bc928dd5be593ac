/**
 * Ordinary users of a service, at a fixed rate: a slow answer delays no other request, and is measured whole. The bare handler gets
 * its own requests in between. Sends the latencies of each window to the parent process.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { FilingEnvelope } from '../../src/filings/api/index.ts';

export interface OrdinaryWindow {
  requests: number;
  /** Not answered 200, as `status or error: number` */
  failures: Record<string, number>;
  /** Milliseconds by operation */
  p50: Record<string, number>;
  p99: Record<string, number>;
}

const [service, bare, key, rate, windowMs] = process.argv.slice(2) as [string, string, string, string, string];
const bareHandler = new Pool(bare, { connections: 32 });
/** Connections of each operation: requests of one don't wait here for those of another. */
const pools = new Map<string, Pool>();
function poolOf(operation: string): Pool {
  const pool = pools.get(operation) ?? new Pool(service, { connections: 32 });
  pools.set(operation, pool);
  return pool;
}
const page = await poolOf('filing_lookup').request({
  path: '/v2/filing_lookup?to=1000',
  method: 'GET',
  headers: { 'x-api-key': key },
});
const { filings } = (await page.body.json()) as FilingEnvelope;

let requests = 0;
let failures: Record<string, number> = {};
let times = new Map<string, number[]>();

const WORDS = ['revenue', 'covenant', 'goodwill', 'impairment', 'dividend'];
/** 45 % look-ups of a filing, 45 % lists, 9 % documents, 1 % searches. */
function next(i: number): [operation: string, path: string] {
  const { accession_number: number, cik } = filings[(i * 7919) % filings.length]!;
  const part = (i * 37) % 100;
  if (part < 45) return ['filing_info', `/v2/filing_info?accession_number=${number}`];
  if (part < 90) return ['filing_lookup', `/v2/filing_lookup?entity_query.ciks=${cik}&to=20`];
  if (part < 99) return ['document', `/v2/document?accession_number=${number}`];
  return ['fulltext_search', `/v2/fulltext_search?query=${WORDS[i % WORDS.length]}&to=10`];
}

async function one(pool: Pool, operation: string, path: string): Promise<void> {
  const from = performance.now();
  let outcome: string;
  try {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { 'x-api-key': key } });
    await body.arrayBuffer();
    outcome = String(statusCode);
  } catch (error) {
    outcome = (error as NodeJS.ErrnoException).code ?? String(error);
  }
  if (operation !== 'bare') requests++;
  if (outcome !== '200') failures[`${operation} ${outcome}`] = (failures[`${operation} ${outcome}`] ?? 0) + 1;
  const list = times.get(operation) ?? [];
  list.push(performance.now() - from);
  times.set(operation, list);
}

function closeWindow(): void {
  const at = (part: number) =>
    Object.fromEntries(
      [...times].map(([operation, list]) => {
        list.sort((a, b) => a - b);
        return [operation, Math.round(list[Math.min(list.length - 1, Math.floor(list.length * part))]! * 10) / 10];
      }),
    );
  process.send?.({ requests, failures, p50: at(0.5), p99: at(0.99) } satisfies OrdinaryWindow);
  requests = 0;
  failures = {};
  times = new Map();
}

setInterval(closeWindow, Number(windowMs));
process.on('disconnect', () => process.exit(0));
const everyMs = 1_000 / Number(rate);
const startedAt = performance.now();
for (let i = 0; ; i++) {
  const [operation, path] = next(i);
  void one(poolOf(operation), operation, path);
  if (i % 2 === 0)
    void one(bareHandler, 'bare', `/?accession_number=${filings[(i * 7919) % filings.length]!.accession_number}`);
  await pause(Math.max(0, startedAt + (i + 1) * everyMs - performance.now()));
}
