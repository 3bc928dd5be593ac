/**
 * One key's costliest legal requests on 8 connections, from another process, and beside them another key's small requests, one each 25
 * ms: a search for a rare word, and a company's filings by size. Each attack alone, then all in turn, and what they cost the attacker.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FilingEnvelope } from '../../src/filings/api/index.ts';
import { KeyRegister, loadPlans } from '../../src/service/accounts/index.ts';
import { ATTACKS, dayOf } from './attacks.ts';
import { RARE_WORD } from './multiplied.ts';
import { askJson, percentile, startService, timed } from './server.ts';

const CONNECTIONS = 4;
const EVERY_MS = 25;
/** For attackers to begin. */
const BEFORE_MS = 500;
/** Work that an attacker has left is ended, and counted. */
const AFTER_MS = 2_500;

export interface Fairness {
  beside: string;
  search_milliseconds_p50: number;
  search_milliseconds_p99: number;
  look_up_milliseconds_p50: number;
  look_up_milliseconds_p99: number;
  /** The attacker's answers, by status */
  answers: string;
  attacker_work_seconds: number;
}

/** @param only names of attacks; undefined: all */
export async function measureFairness(catalog: string, seconds: number, only?: string[]): Promise<Fairness[]> {
  const accounts = KeyRegister.open(catalog, loadPlans());
  const [attacker, user] = ['unlimited', 'unlimited'].map((plan) => accounts.createKey(plan).api_key);
  const service = await startService(catalog, CONNECTIONS);
  const { pool, url } = service;
  try {
    const page = await askJson<FilingEnvelope>(pool, `/v2/filing_lookup?api_key=${user}&to=1000`);
    const used = async () =>
      (await askJson<{ work_seconds: number }>(pool, `/v2/usage?api_key=${attacker}`)).work_seconds;
    const small = (i: number) => {
      if (i % 2 === 0) return `/v2/fulltext_search?api_key=${user}&query=${RARE_WORD}&date_to=${dayOf(i)}&to=10`;
      const { cik } = page.filings[(i * 7919) % page.filings.length]!;
      return `/v2/filing_lookup?api_key=${user}&entity_query.ciks=${cik}&sort_by=size&to=1`;
    };
    const measured: Fairness[] = [];
    for (const beside of ['nothing', ...(only ?? [...ATTACKS.map(([name]) => name), 'all in turn'])]) {
      const workBefore = await used();
      const crowd = fork(resolve(import.meta.dirname, 'attacker.ts'), [url, attacker!, beside]);
      await pause(BEFORE_MS);
      const times: [search: number[], lookUp: number[]] = [[], []];
      const asked: Promise<unknown>[] = [];
      const until = performance.now() + seconds * 1_000;
      for (let i = 0; performance.now() < until; i++) {
        asked.push(timed(pool, small(i)).then((ms) => times[i % 2]!.push(ms)));
        await pause(EVERY_MS);
      }
      await Promise.all(asked);
      const ended = once(crowd, 'message') as Promise<[Record<number, number>]>;
      crowd.send('stop');
      const [statuses] = await ended;
      await pause(AFTER_MS);
      const [searches, lookUps] = times.map((all) => all.sort((a, b) => a - b)) as typeof times;
      measured.push({
        beside,
        search_milliseconds_p50: percentile(searches, 0.5),
        search_milliseconds_p99: percentile(searches, 0.99),
        look_up_milliseconds_p50: percentile(lookUps, 0.5),
        look_up_milliseconds_p99: percentile(lookUps, 0.99),
        answers: Object.entries(statuses)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', '),
        attacker_work_seconds: Math.round(((await used()) - workBefore) * 10) / 10,
      });
    }
    return measured;
  } finally {
    for (const key of [attacker!, user!]) accounts.revokeKey(key);
    accounts.close();
    await service.stop();
  }
}
