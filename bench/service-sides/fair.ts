/**
 * One key's costliest legal requests on 8 connections, and beside them another key's small requests, one each 25 ms: a search for a rare
 * word, and a company's filings by size. Each attack alone, and what it costs the attacker.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { KeyRegister, loadPlans } from '../../src/accounts/index.ts';
import type { FilingEnvelope } from '../../src/api/index.ts';
import { RARE_WORD } from './multiplied.ts';
import { askJson, percentile, startService, timed } from './server.ts';

const CONNECTIONS = 8;
const EVERY_MS = 25;
const COMMON = 'the of and to in for or is on by as'.split(' ');

export interface Fairness {
  beside: string;
  search_milliseconds_p50: number;
  search_milliseconds_p99: number;
  look_up_milliseconds_p50: number;
  look_up_milliseconds_p99: number;
  /** Of the attacker's requests, by status */
  statuses: string;
  attacker_work_seconds: number;
}

/** Body of a request by its turn: another each time, so that no answer or count is kept. */
type Attack = [name: string, operation: string, body: (i: number) => object];

const ATTACKS: readonly Attack[] = [
  ['300 names excluded', 'filing_lookup', (i) => ({ entity_query: { name_excludes: names(i, 300) }, to: 1 })],
  ['400 names excluded of entities', 'entity_lookup', (i) => ({ name_excludes: names(i, 400), to: 1 })],
  ['11 common words by score', 'fulltext_search', (i) => ({ ...any(COMMON), ...since(i), sort_by: '_score', to: 1 })],
  [
    '8 beginnings of words by score',
    'fulltext_search',
    (i) => ({ ...any(BEGINNINGS), ...since(i), sort_by: '_score', to: 1 }),
  ],
  [
    'a phrase, the last of 10,000',
    'fulltext_search',
    (i) => ({ query: 'of the', query_type: 'match_phrase', ...since(i), from: 9_990, to: 10_000 }),
  ],
  [
    '1,000 beginnings of types',
    'fulltext_search',
    (i) => ({ query: 'the', document_types: names(i, 1_000).map((name) => `${name}*`), to: 1 }),
  ],
  ['10,000 hits with texts', 'fulltext_search', (i) => ({ query: 'the', ...since(i), include_text: true, to: 10_000 })],
  [
    'a state, sorted by name',
    'filing_lookup',
    (i) => ({ entity_query: { states: ['DE', `Q${i}`] }, sort_by: 'entity_name', to: 1 }),
  ],
  ['full pages', 'filing_lookup', (i) => ({ date_to: day(i), to: 10_000 })],
  ['a form, one row', 'filing_lookup', (i) => ({ excluded_form_types: [`Q${i}`], exclude_amendments: true, to: 1 })],
];
const BEGINNINGS = 'co* in* re* pr* de* ex* st* th*'.split(' ');

export async function measureFairness(catalog: string, seconds: number): Promise<Fairness[]> {
  const accounts = KeyRegister.open(catalog, loadPlans());
  const [attacker, user] = ['unlimited', 'unlimited'].map((plan) => accounts.createKey(plan).api_key);
  const service = await startService(catalog, 1);
  const crowd = new Pool(service.url, { connections: CONNECTIONS, allowH2: false });
  const others = new Pool(service.url, { connections: 4, allowH2: false });
  try {
    const page = await askJson<FilingEnvelope>(others, `/v2/filing_lookup?api_key=${user}&to=1000`);
    const ciks = page.filings.map(({ cik }) => cik);
    const used = async () =>
      (await askJson<{ work_seconds: number }>(others, `/v2/usage?api_key=${attacker}`)).work_seconds;
    const measured: Fairness[] = [];
    for (const attack of [null, ...ATTACKS, 'all in turn' as const]) {
      const [statuses, leaving] = [new Map<number, number>(), new AbortController()];
      const workBefore = await used();
      let turn = 0;
      const attacking = Array.from({ length: attack === null ? 0 : CONNECTIONS }, async () => {
        while (!leaving.signal.aborted) {
          const i = turn++;
          const [, operation, body] = typeof attack === 'string' ? ATTACKS[i % ATTACKS.length]! : attack!;
          const headers = { 'content-type': 'application/json', 'x-api-key': attacker! };
          const asked = { path: `/v2/${operation}`, method: 'POST' as const, headers, body: JSON.stringify(body(i)) };
          try {
            const answer = await crowd.request({ ...asked, signal: leaving.signal });
            await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
            statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
          } catch (error) {
            if (!leaving.signal.aborted) throw error;
          }
        }
      });
      await pause(500);
      const times: { search: number[]; lookUp: number[] } = { search: [], lookUp: [] };
      const asked: Promise<unknown>[] = [];
      const until = performance.now() + seconds * 1_000;
      for (let i = 0; performance.now() < until; i++) {
        const path =
          i % 2 === 0
            ? `/v2/fulltext_search?api_key=${user}&query=${RARE_WORD}&date_to=${day(i)}&to=10`
            : `/v2/filing_lookup?api_key=${user}&entity_query.ciks=${ciks[(i * 7919) % ciks.length]}&sort_by=size&to=1`;
        asked.push(timed(others, path).then((ms) => times[i % 2 === 0 ? 'search' : 'lookUp'].push(ms)));
        await pause(EVERY_MS);
      }
      await Promise.all(asked);
      leaving.abort();
      await Promise.all(attacking);
      // Work that was left is ended, and counted.
      await pause(2_500);
      for (const all of Object.values(times)) all.sort((a, b) => a - b);
      measured.push({
        beside: attack === null ? 'nothing' : typeof attack === 'string' ? attack : attack[0],
        search_milliseconds_p50: percentile(times.search, 0.5),
        search_milliseconds_p99: percentile(times.search, 0.99),
        look_up_milliseconds_p50: percentile(times.lookUp, 0.5),
        look_up_milliseconds_p99: percentile(times.lookUp, 0.99),
        statuses: [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
        attacker_work_seconds: Math.round(((await used()) - workBefore) * 10) / 10,
      });
    }
    return measured;
  } finally {
    for (const key of [attacker!, user!]) accounts.revokeKey(key);
    accounts.close();
    await Promise.all([crowd.destroy(), others.destroy()]);
    await service.stop();
  }
}

function names(turn: number, count: number): string[] {
  return Array.from({ length: count }, (_, k) => `Q${turn}X${k}`);
}

function any(words: readonly string[]): object {
  return { query: words.join(' OR '), query_type: 'query_string' };
}

/** A range of dates that leaves nothing out. */
function since(turn: number): object {
  return { date_from: new Date(-turn * 86_400_000).toISOString().slice(0, 10) };
}

function day(turn: number): string {
  return new Date(Date.UTC(2030, 0, 1) + turn * 86_400_000).toISOString().slice(0, 10);
}
