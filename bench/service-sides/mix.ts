/** Ordinary use at once: 45 filing_info, 45 filing_lookup, 9 document and 1 fulltext_search of a hundred, while full pages are read. */
import type { FilingEnvelope } from '../../src/api/index.ts';
import { Accounts, loadPlans } from '../../src/catalog/index.ts';
import { askJson, percentile, type Server, startService, timed } from './server.ts';

const CONNECTIONS = 50;
const WORDS = ['market', 'goodwill', 'covenant', 'acquisition', 'dividend', 'lease'];

export interface MixOfOperation {
  processes: number;
  operation: string;
  requests: number;
  requests_per_second: number;
  milliseconds_p50: number;
  milliseconds_p99: number;
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
  const accounts = Accounts.open(catalog, loadPlans());
  // Full pages are another caller's.
  const [key, pagesKey] = ['unlimited', 'unlimited'].map((plan) => accounts.createKey(plan).api_key);
  const service = await startService(catalog, CONNECTIONS + 1, ['--processes', String(processes)]);
  try {
    const atRest = service.megabytes();
    const { filings } = await askJson<FilingEnvelope>(service.pool, `/v2/filing_lookup?api_key=${key}&to=10000`);
    await mixed(service, filings, key!, 1);
    const times = new Map<string, number[]>();
    let largest = 0;
    const watch = setInterval(() => {
      largest = Math.max(largest, service.megabytes());
    }, 250);
    const until = performance.now() + seconds * 1_000;
    const pages = readPages(service, pagesKey!, until, times);
    await mixed(service, filings, key!, seconds, times);
    await pages;
    clearInterval(watch);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const mix = [...times].map(([operation, all]) => {
      all.sort((a, b) => a - b);
      return {
        ...{ processes, operation, requests: all.length },
        requests_per_second: Math.round((all.length / seconds) * 10) / 10,
        ...{ milliseconds_p50: percentile(all, 0.5), milliseconds_p99: percentile(all, 0.99) },
      };
    });
    const memory = { processes, at_rest_mb: atRest, in_the_mix_mb: largest, after_it_mb: service.megabytes() };
    return { mix, memory };
  } finally {
    await service.stop();
    for (const each of [key!, pagesKey!]) accounts.revokeKey(each);
    accounts.close();
  }
}

async function mixed(
  { pool }: Server,
  filings: FilingEnvelope['filings'],
  key: string,
  seconds: number,
  times = new Map<string, number[]>(),
): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  let n = 0;
  const one = async () => {
    while (performance.now() < until) {
      const i = n++;
      const { accession_number, cik, form_type } = filings[(i * 7919) % filings.length]!;
      const turn = (i * 37) % 100;
      const [operation, query] =
        turn < 45
          ? ['filing_info', `accession_number=${accession_number}`]
          : turn < 90
            ? [
                'filing_lookup',
                turn % 2 ? `entity_query.ciks=${cik}&to=20` : `form_types=${encodeURIComponent(form_type ?? '')}&to=20`,
              ]
            : turn < 99
              ? ['document', `accession_number=${accession_number}`]
              : ['fulltext_search', `query=${WORDS[i % WORDS.length]}&to=10`];
      const milliseconds = await timed(pool, `/v2/${operation}?api_key=${key}&${query}`);
      const all = times.get(operation!);
      if (all) all.push(milliseconds);
      else times.set(operation!, [milliseconds]);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
}

async function readPages({ pool }: Server, key: string, until: number, times: Map<string, number[]>): Promise<void> {
  const all: number[] = [];
  times.set('full page', all);
  while (performance.now() < until) all.push(await timed(pool, `/v2/filing_lookup?api_key=${key}&to=10000`));
}
