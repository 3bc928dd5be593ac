/**
 * The service over HTTP: small answers a second, a page of 10,000 filings, the bytes of documents. Server and client are separate
 * processes. `filing_info` is compared with a bare handler in the same run: requests for each second of the server's CPU.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import type { FilingEnvelope } from '../src/api/index.ts';
import { Accounts, ingest, loadPlans } from '../src/catalog/index.ts';
import { printJson, printTable } from '../src/cli/terminal/terminal.ts';
import { writeSample } from '../src/sample/index.ts';

export const summary =
  'requests a second of the /v2 service, and its largest pages [--catalog DIR] [--filings N] [--seconds S]';

const CONNECTIONS = 16;
const PAGES = 7;

/** Turns between the service and the bare handler, so that other load on the machine affects both. */
const TURNS = 3;

interface Measured {
  name: string;
  requests: number;
  requests_per_second: number;
  milliseconds_p50: number;
  milliseconds_p99: number;
  server_cpu_milliseconds_per_request: number;
  kilobytes_per_answer: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { catalog: { type: 'string' }, filings: { type: 'string' }, seconds: { type: 'string' } },
  });
  const seconds = Number(values.seconds ?? 4);
  const made = values.catalog === undefined ? mkdtempSync(join(tmpdir(), 'filinglake-bench-')) : null;
  try {
    const catalog = values.catalog ?? (await makeCatalog(made!, Number(values.filings ?? 10_500)));
    const measured = await measure(catalog, seconds);
    const compared = await compareWithBare(catalog, seconds);
    if (json) printJson({ connections: CONNECTIONS, seconds, measurements: measured, compared_with_bare: compared });
    else {
      printTable(measured as unknown as Record<string, unknown>[], Object.keys(measured[0]!));
      printTable(compared as unknown as Record<string, unknown>[], Object.keys(compared[0]!));
    }
  } finally {
    if (made !== null) rmSync(made, { recursive: true, force: true });
  }
}

async function makeCatalog(folder: string, filings: number): Promise<string> {
  await writeSample({ out: join(folder, 'files'), filings, seed: 1 });
  await ingest([join(folder, 'files')], join(folder, 'catalog'));
  return join(folder, 'catalog');
}

interface Compared {
  plan: string;
  requests_per_cpu_second: number;
  bare_requests_per_cpu_second: number;
  ratio: number;
}

/** `filing_info` of random filings: the median of the turns, with a key without limits and with one that is counted exactly. */
async function compareWithBare(catalog: string, seconds: number): Promise<Compared[]> {
  const accounts = Accounts.open(catalog, loadPlans());
  const main = resolve(import.meta.dirname, '../src/cli/main.ts');
  const service = await startServer([main, 'serve', '--catalog', catalog, '--port', '0', '--json']);
  const bare = await startServer([resolve(import.meta.dirname, 'service-sides/bare.ts'), catalog]);
  try {
    const compared: Compared[] = [];
    for (const plan of ['unlimited', 'institution']) {
      const { api_key } = accounts.createKey(plan);
      const page = await ask<FilingEnvelope>(service.pool, `/v2/filing_lookup?api_key=${api_key}&to=10000`);
      const numbers = page.filings.map((filing) => filing.accession_number);
      const path = (i: number) =>
        `/v2/filing_info?api_key=${api_key}&accession_number=${numbers[(i * 7919) % numbers.length]}`;
      const rate = async ({ pool, pid }: Server) => {
        const cpu = () => cpuMilliseconds(pid);
        const { server_cpu_milliseconds_per_request } = await load('', pool, path, CONNECTIONS, seconds, cpu);
        return 1_000 / server_cpu_milliseconds_per_request;
      };
      const rates: [number, number][] = [];
      for (let turn = 0; turn <= TURNS; turn++) rates.push([await rate(service), await rate(bare)]);
      // The first turn warms both up.
      const turns = rates.slice(1).sort(([a, b], [c, d]) => a / b - c / d);
      const [ours, theirs] = turns[TURNS >> 1]!;
      compared.push({
        plan,
        requests_per_cpu_second: Math.round(ours),
        bare_requests_per_cpu_second: Math.round(theirs),
        ratio: Math.round((ours / theirs) * 100) / 100,
      });
      accounts.revokeKey(api_key);
    }
    return compared;
  } finally {
    accounts.close();
    await Promise.all([service.stop(), bare.stop()]);
  }
}

interface Server {
  pool: Pool;
  pid: number;
  stop: () => Promise<void>;
}

async function startServer(args: string[]): Promise<Server> {
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const pool = new Pool(url, { connections: CONNECTIONS, allowH2: false });
  return {
    pool,
    pid: server.pid!,
    stop: async () => {
      await pool.close();
      server.kill('SIGTERM');
      await once(server, 'close');
    },
  };
}

async function measure(catalog: string, seconds: number): Promise<Measured[]> {
  const accounts = Accounts.open(catalog, loadPlans());
  const created = accounts.createKey('unlimited');
  const main = resolve(import.meta.dirname, '../src/cli/main.ts');
  const server = spawn(process.execPath, [main, 'serve', '--catalog', catalog, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const pool = new Pool(url, { connections: CONNECTIONS, allowH2: false });
    const key = `api_key=${created.api_key}`;
    const page = await ask<FilingEnvelope>(pool, `/v2/filing_lookup?${key}&to=10000`);
    const numbers = page.filings.map((filing) => filing.accession_number);
    const at = (index: number) => numbers[index % numbers.length]!;
    const cpu = () => cpuMilliseconds(server.pid!);
    const measured = [
      await load(
        'filing_info',
        pool,
        (i) => `/v2/filing_info?${key}&accession_number=${at(i)}`,
        CONNECTIONS,
        seconds,
        cpu,
      ),
      await load(
        'filing_lookup, 1 row',
        pool,
        (i) => `/v2/filing_lookup?${key}&from=${i % 100}&to=${(i % 100) + 1}`,
        CONNECTIONS,
        seconds,
        cpu,
      ),
      await load(
        'document, raw',
        pool,
        (i) => `/v2/document?${key}&accession_number=${at(i)}`,
        CONNECTIONS,
        seconds,
        cpu,
      ),
      await load(`filing_lookup, ${numbers.length} rows`, pool, () => `/v2/filing_lookup?${key}`, 1, PAGES, cpu, true),
    ];
    await pool.close();
    return measured;
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
    accounts.revokeKey(created.api_key);
    accounts.close();
  }
}

async function ask<T>(pool: Pool, path: string): Promise<T> {
  const { statusCode, body } = await pool.request({ path, method: 'GET' });
  if (statusCode !== 200) throw new Error(`${statusCode}: ${await body.text()}`);
  return (await body.json()) as T;
}

/** @param amount seconds, or with `counted` requests */
async function load(
  name: string,
  pool: Pool,
  path: (index: number) => string,
  connections: number,
  amount: number,
  cpu: () => number,
  counted = false,
): Promise<Measured> {
  const times: number[] = [];
  let bytes = 0;
  let next = 0;
  const startedAt = performance.now();
  const cpuBefore = cpu();
  const goesOn = () => (counted ? next < amount : performance.now() - startedAt < amount * 1000);
  const one = async () => {
    while (goesOn()) {
      const from = performance.now();
      const { statusCode, body } = await pool.request({ path: path(next++), method: 'GET' });
      const answer = await body.arrayBuffer();
      if (statusCode !== 200) throw new Error(`${statusCode}: ${Buffer.from(answer)}`);
      bytes += answer.byteLength;
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpuUsed = cpu() - cpuBefore;
  times.sort((a, b) => a - b);
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    name,
    requests: times.length,
    requests_per_second: round(times.length / elapsed),
    milliseconds_p50: round(times[Math.floor(times.length * 0.5)]!),
    milliseconds_p99: round(times[Math.min(times.length - 1, Math.floor(times.length * 0.99))]!),
    server_cpu_milliseconds_per_request: Math.round((cpuUsed / times.length) * 10_000) / 10_000,
    kilobytes_per_answer: round(bytes / times.length / 1000),
  };
}

/** CPU time of a process with all its threads; 0 where the system doesn't say (no /proc). */
function cpuMilliseconds(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ');
  const TICK_MILLISECONDS = 10;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MILLISECONDS;
}
