/**
 * The service over HTTP: small answers a second, a page of 10,000 filings, the bytes of documents, a mix of operations, rare words, and
 * memory. Server and client are separate processes. `filing_info` and rare words are compared with a bare handler in the same run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'undici';
import { KeyRegister, loadPlans } from '../src/accounts/index.ts';
import type { FilingEnvelope } from '../src/api/index.ts';
import { ingest } from '../src/catalog/index.ts';
import { printJson, printTable } from '../src/cli/terminal/terminal.ts';
import { writeSample } from '../src/sample/index.ts';
import { measureFairness } from './service-sides/fair.ts';
import { type Memory, type MixOfOperation, measureMix } from './service-sides/mix.ts';
import { multiply } from './service-sides/multiplied.ts';
import { compareRareWords } from './service-sides/rare-words.ts';
import { askJson, type Server, startBare, startService } from './service-sides/server.ts';

export const summary =
  'requests of the /v2 service beside a bare handler, a mix, memory, fairness [--catalog DIR] [--filings N] [--copies N] [--seconds S] [--only NAME,…]';

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
    options: {
      ...{ catalog: { type: 'string' }, filings: { type: 'string' }, copies: { type: 'string' } },
      ...{ seconds: { type: 'string' }, only: { type: 'string' } },
    },
  });
  const seconds = Number(values.seconds ?? 4);
  const made = values.catalog === undefined ? mkdtempSync(join(tmpdir(), 'filinglake-bench-')) : null;
  try {
    const catalog = values.catalog ?? (await makeCatalog(made!, Number(values.filings ?? 10_500)));
    if (made !== null && values.copies !== undefined) multiply(catalog, Number(values.copies));
    const only = values.only?.split(',');
    const results: Record<string, object[]> = {};
    const part = async (name: string, measureIt: () => Promise<object[]>) => {
      if (only !== undefined && !only.includes(name)) return;
      const rows = await measureIt();
      if (!json) printTable(rows as Record<string, unknown>[], Object.keys(rows[0]!));
      results[name] = rows;
    };
    await part('operations', () => measure(catalog, seconds));
    await part('compared_with_bare', () => compareWithBare(catalog, seconds));
    await part('rare_words', () => compareRareWords(catalog));
    const memory: Memory[] = [];
    await part('mix', async () => {
      const all: MixOfOperation[] = [];
      for (const processes of [1, 2]) {
        const measured = await measureMix(catalog, seconds * 2, processes);
        all.push(...measured.mix);
        memory.push(measured.memory);
      }
      return all;
    });
    if (memory.length > 0) {
      if (!json) printTable(memory as unknown as Record<string, unknown>[], Object.keys(memory[0]!));
      results.memory = memory;
    }
    // It says little of a catalog in which nothing takes long.
    if (values.copies !== undefined || only?.includes('fairness'))
      await part('fairness', () => measureFairness(catalog, seconds * 2));
    if (json) printJson({ connections: CONNECTIONS, seconds, ...results });
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
  const accounts = KeyRegister.open(catalog, loadPlans());
  const service = await startService(catalog, CONNECTIONS);
  const bare = await startBare(catalog, CONNECTIONS);
  try {
    const compared: Compared[] = [];
    for (const plan of ['unlimited', 'institution']) {
      const { api_key } = accounts.createKey(plan);
      const page = await askJson<FilingEnvelope>(service.pool, `/v2/filing_lookup?api_key=${api_key}&to=10000`);
      const numbers = page.filings.map((filing) => filing.accession_number);
      const path = (i: number) =>
        `/v2/filing_info?api_key=${api_key}&accession_number=${numbers[(i * 7919) % numbers.length]}`;
      const rate = async ({ pool, cpu }: Server) => {
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

async function measure(catalog: string, seconds: number): Promise<Measured[]> {
  const accounts = KeyRegister.open(catalog, loadPlans());
  const created = accounts.createKey('unlimited');
  const service = await startService(catalog, CONNECTIONS);
  const { pool, cpu } = service;
  try {
    const key = `api_key=${created.api_key}`;
    const page = await askJson<FilingEnvelope>(pool, `/v2/filing_lookup?${key}&to=10000`);
    const numbers = page.filings.map((filing) => filing.accession_number);
    const at = (index: number) => numbers[index % numbers.length]!;
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
    return measured;
  } finally {
    await service.stop();
    accounts.revokeKey(created.api_key);
    accounts.close();
  }
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
