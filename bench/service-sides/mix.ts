/**
 * Memory in ordinary use: 45 filing_info, 45 filing_lookup, 9 document and 1 fulltext_search of a hundred on 50 connections that never
 * pause, while another process reads full pages.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FilingEnvelope } from '../../src/filings/api/index.ts';
import { KeyRegister, loadPlans } from '../../src/service/accounts/index.ts';
import { askJson, startService, timed } from './server.ts';

const CONNECTIONS = 50;
const WORDS = ['market', 'goodwill', 'covenant', 'acquisition', 'dividend', 'lease'];

export interface Memory {
  requests: number;
  full_pages: number;
  at_rest_mb: number;
  in_the_mix_mb: number;
  after_it_mb: number;
}

export async function measureMemory(catalog: string, seconds: number): Promise<Memory> {
  const accounts = KeyRegister.open(catalog, loadPlans());
  // Full pages are another caller's.
  const [key, pagesKey] = ['unlimited', 'unlimited'].map((plan) => accounts.createKey(plan).api_key);
  const service = await startService(catalog, CONNECTIONS);
  try {
    const at_rest_mb = service.megabytes();
    const { filings } = await askJson<FilingEnvelope>(service.pool, `/v2/filing_lookup?api_key=${key}&to=10000`);
    let in_the_mix_mb = 0;
    const watch = setInterval(() => {
      in_the_mix_mb = Math.max(in_the_mix_mb, service.megabytes());
    }, 250);
    // In a process of its own: 10 MB at a time in this one would delay the requests of the mix.
    const reader = fork(resolve(import.meta.dirname, 'page-reader.ts'), [service.url, pagesKey!]);
    const until = performance.now() + seconds * 1_000;
    let requests = 0;
    const one = async () => {
      while (performance.now() < until) await timed(service.pool, requestOf(filings, requests++, key!));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
    const answered = once(reader, 'message') as Promise<[number]>;
    reader.send('stop');
    const [full_pages] = await answered;
    clearInterval(watch);
    // Reader threads collect their garbage after 5 idle seconds.
    await pause(10_000);
    return { requests, full_pages, at_rest_mb, in_the_mix_mb, after_it_mb: service.megabytes() };
  } finally {
    await service.stop();
    for (const each of [key!, pagesKey!]) accounts.revokeKey(each);
    accounts.close();
  }
}

function requestOf(filings: FilingEnvelope['filings'], i: number, key: string): string {
  const { accession_number, cik, form_type } = filings[(i * 7919) % filings.length]!;
  const turn = (i * 37) % 100;
  const path = (operation: string, query: string) => `/v2/${operation}?api_key=${key}&${query}`;
  if (turn < 45) return path('filing_info', `accession_number=${accession_number}`);
  if (turn >= 99) return path('fulltext_search', `query=${WORDS[i % WORDS.length]}&to=10`);
  if (turn >= 90) return path('document', `accession_number=${accession_number}`);
  const filter = turn % 2 ? `entity_query.ciks=${cik}` : `form_types=${encodeURIComponent(form_type ?? '')}`;
  return path('filing_lookup', `${filter}&to=20`);
}
