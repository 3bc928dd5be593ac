/**
 * Ordinary use at once: 45 filing_info, 45 filing_lookup, 9 document and 1 fulltext_search of a hundred, while another process reads
 * full pages. Once on 50 connections that never pause: then the service and the client use every processor, and a latency is mostly
 * time in line. Once at a fixed rate, as users send requests.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { KeyRegister, loadPlans } from '../../src/accounts/index.ts';
import type { FilingEnvelope } from '../../src/api/index.ts';
import { askJson, percentile, type Server, startService, timed } from './server.ts';

const CONNECTIONS = 50;
const REQUESTS_A_SECOND = 300;
const WORDS = ['market', 'goodwill', 'covenant', 'acquisition', 'dividend', 'lease'];
const OPERATIONS = ['filing_info', 'filing_lookup', 'document', 'fulltext_search'] as const;
type MixedOperation = (typeof OPERATIONS)[number];

export interface MixOfOperation {
  processes: number;
  load: string;
  operation: string;
  requests: number;
  requests_per_second: number;
  milliseconds_p50: number;
  milliseconds_p99: number;
  /** Of the service, with this operation alone */
  cpu_milliseconds: number;
}

export interface Memory {
  processes: number;
  at_rest_mb: number;
  in_the_mix_mb: number;
  after_it_mb: number;
}

/** @param processes of the service */
export async function measureMix(
  catalog: string,
  seconds: number,
  processes: number,
): Promise<{ mix: MixOfOperation[]; memory: Memory }> {
  const accounts = KeyRegister.open(catalog, loadPlans());
  // Full pages are another caller's.
  const [key, pagesKey] = ['unlimited', 'unlimited'].map((plan) => accounts.createKey(plan).api_key);
  const service = await startService(catalog, CONNECTIONS, ['--processes', String(processes)]);
  try {
    const atRest = service.megabytes();
    const { filings } = await askJson<FilingEnvelope>(service.pool, `/v2/filing_lookup?api_key=${key}&to=10000`);
    const send: Send = (i, only) => {
      const [operation, query] = requestOf(filings, i, only);
      return timed(service.pool, `/v2/${operation}?api_key=${key}&${query}`).then((ms) => [operation, ms]);
    };
    await closedLoop(send, 1);
    const cpu = await cpuOfOperations(service, send, pagesKey!);
    let largest = 0;
    const watch = setInterval(() => {
      largest = Math.max(largest, service.megabytes());
    }, 250);
    const mix: MixOfOperation[] = [];
    const loads: [string, () => Promise<Times>][] = [
      [`${CONNECTIONS} connections without a pause`, () => closedLoop(send, seconds)],
      [`${REQUESTS_A_SECOND} requests a second`, () => openLoop(send, seconds)],
    ];
    for (const [load, run] of loads) {
      const pages = readPages(service, pagesKey!);
      const times = await run();
      times.set('full page', await pages.stop());
      for (const [operation, all] of times) {
        all.sort((a, b) => a - b);
        mix.push({
          ...{ processes, load, operation, requests: all.length },
          requests_per_second: Math.round((all.length / seconds) * 10) / 10,
          ...{ milliseconds_p50: percentile(all, 0.5), milliseconds_p99: percentile(all, 0.99) },
          cpu_milliseconds: cpu.get(operation)!,
        });
      }
    }
    clearInterval(watch);
    // Reader threads collect their garbage after 5 idle seconds.
    await pause(10_000);
    const memory = { processes, at_rest_mb: atRest, in_the_mix_mb: largest, after_it_mb: service.megabytes() };
    return { mix, memory };
  } finally {
    await service.stop();
    for (const each of [key!, pagesKey!]) accounts.revokeKey(each);
    accounts.close();
  }
}

type Times = Map<string, number[]>;
type Send = (i: number, only?: MixedOperation) => Promise<[operation: string, milliseconds: number]>;

function requestOf(
  filings: FilingEnvelope['filings'],
  i: number,
  only: MixedOperation | undefined,
): [operation: MixedOperation, query: string] {
  const { accession_number, cik, form_type } = filings[(i * 7919) % filings.length]!;
  const turn = (i * 37) % 100;
  const operation = only ?? OPERATIONS[turn < 45 ? 0 : turn < 90 ? 1 : turn < 99 ? 2 : 3]!;
  if (operation === 'fulltext_search') return [operation, `query=${WORDS[i % WORDS.length]}&to=10`];
  if (operation !== 'filing_lookup') return [operation, `accession_number=${accession_number}`];
  const filter = turn % 2 ? `entity_query.ciks=${cik}` : `form_types=${encodeURIComponent(form_type ?? '')}`;
  return [operation, `${filter}&to=20`];
}

function keep(times: Times, [operation, milliseconds]: [string, number]): void {
  const all = times.get(operation);
  if (all) all.push(milliseconds);
  else times.set(operation, [milliseconds]);
}

async function closedLoop(send: Send, seconds: number): Promise<Times> {
  const times: Times = new Map();
  const until = performance.now() + seconds * 1_000;
  let n = 0;
  const one = async () => {
    while (performance.now() < until) keep(times, await send(n++));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return times;
}

/** A slow answer delays no other request, and is measured whole. */
async function openLoop(send: Send, seconds: number): Promise<Times> {
  const times: Times = new Map();
  const sent: Promise<void>[] = [];
  const from = performance.now();
  for (let i = 0; i < REQUESTS_A_SECOND * seconds; i++) {
    await pause(Math.max(0, from + (i * 1_000) / REQUESTS_A_SECOND - performance.now()));
    sent.push(send(i).then((result) => keep(times, result)));
  }
  await Promise.all(sent);
  return times;
}

/** CPU of the service for one request of each operation, in milliseconds. */
async function cpuOfOperations({ pool, cpu }: Server, send: Send, pagesKey: string): Promise<Map<string, number>> {
  const perRequest = new Map<string, number>();
  const measure = async (operation: string, requests: number, one: (i: number) => Promise<unknown>) => {
    const before = cpu();
    let next = 0;
    const several = async () => {
      while (next < requests) await one(next++);
    };
    await Promise.all(Array.from({ length: 8 }, several));
    perRequest.set(operation, Math.round(((cpu() - before) / requests) * 100) / 100);
  };
  for (const operation of OPERATIONS) {
    const requests = operation === 'fulltext_search' ? 200 : 2_000;
    await measure(operation, requests, (i) => send(i, operation));
  }
  await measure('full page', 24, () => timed(pool, `/v2/filing_lookup?api_key=${pagesKey}&to=10000`));
  return perRequest;
}

/** Reads pages in a process of its own: 10 MB at a time in this one would delay the requests that are measured. */
function readPages({ url }: Server, key: string): { stop: () => Promise<number[]> } {
  const reader = fork(resolve(import.meta.dirname, 'page-reader.ts'), [url, key]);
  return {
    stop: async () => {
      const answered = once(reader, 'message') as Promise<[number[]]>;
      reader.send('stop');
      const [times] = await answered;
      return times;
    },
  };
}
