/**
 * The same export on several machines against a bucket: a simulation of their commits, from unit costs that were measured here, and
 * published prices. Every assumption is a named number here.
 */

/** Of `npm run bench -- scale`: 800,000 10-Ks and 10-Qs. */
const REQUESTS = 1_600_178;
const LAKE_GB = 92;
const COMMITS = 2_983;
/** Eight connections, answers of 0.1 s. */
const REQUESTS_A_SECOND = 80;
/** Of `npm run bench -- bucket`: a commit of eight tables, by class of price. */
const COMMIT_PUTS = 21;
const COMMIT_GETS = 23;
/** Of the rehearsal with eight workers: 1,013 requests for ten versions, less the commits. All are counted as the dearer class. */
const STAGING_PUTS = 1_013 / 10 - COMMIT_PUTS - COMMIT_GETS;
/** Of a lost race: the put, the entry that was first, and the checks again. */
const RACE_PUTS = 1;
const RACE_GETS = 12;
const ROUND_TRIP_SECONDS = 0.03;
/** A commit's round trips before its entry is put: checks, manifest, parts. */
const ROUND_TRIPS_BEFORE = 3;
/** From the newest version it knows to its entry: the last checks, the put. */
const ROUND_TRIPS_RACE = 2;
/** Delta logs and lake.sql. */
const ROUND_TRIPS_AFTER = 2;
const BUILD_SECONDS = 0.1;
/** US East, on-demand, June 2026: two cores, 8 GB. */
const MACHINE_DOLLARS_AN_HOUR = 0.0816;
const DOLLARS_A_PUT = 0.005 / 1000;
const DOLLARS_A_GET = 0.0004 / 1000;
const DOLLARS_A_GB_MONTH = 0.023;

export interface OnMachines {
  machines: number;
  hours: number;
  commits: number;
  lost_races: number;
  store_puts: number;
  store_gets: number;
  dollars_machines: number;
  dollars_requests: number;
  dollars_storage_a_month: number;
}

/** @param seed of the jitter of batches */
export function onMachines(machines: number, seed = 1): OnMachines {
  const fetchSeconds = REQUESTS / COMMITS / REQUESTS_A_SECOND;
  const random = randomFrom(seed);
  let left = COMMITS;
  let lost = 0;
  let end = 0;
  let lastPut = Number.NEGATIVE_INFINITY;
  /** Each machine's next attempt to put an entry: when, and the state of the log that it is built on. */
  const attempts: { at: number; known: number }[] = [];
  const fetch = (from: number) => {
    if (left === 0) return;
    left--;
    const fetched = from + fetchSeconds * (0.5 + random());
    const ready = fetched + BUILD_SECONDS + ROUND_TRIPS_BEFORE * ROUND_TRIP_SECONDS;
    // The newest version was read at the beginning of the commit.
    attempts.push({ at: ready + ROUND_TRIPS_RACE * ROUND_TRIP_SECONDS, known: fetched });
  };
  for (let machine = 0; machine < machines; machine++) fetch(machine * 0.01);
  while (attempts.length > 0) {
    attempts.sort((a, b) => a.at - b.at);
    const { at, known } = attempts.shift()!;
    if (lastPut > known) {
      lost++;
      attempts.push({ at: at + (1 + ROUND_TRIPS_RACE) * ROUND_TRIP_SECONDS, known: at + ROUND_TRIP_SECONDS });
      continue;
    }
    lastPut = at;
    const done = at + ROUND_TRIPS_AFTER * ROUND_TRIP_SECONDS;
    end = Math.max(end, done);
    fetch(done);
  }
  const puts = COMMITS * (COMMIT_PUTS + STAGING_PUTS) + lost * RACE_PUTS;
  const gets = COMMITS * COMMIT_GETS + lost * RACE_GETS;
  const hours = end / 3600;
  return {
    machines,
    hours: rounded(hours),
    commits: COMMITS,
    lost_races: lost,
    store_puts: Math.round(puts),
    store_gets: Math.round(gets),
    dollars_machines: rounded(hours * machines * MACHINE_DOLLARS_AN_HOUR),
    dollars_requests: rounded(puts * DOLLARS_A_PUT + gets * DOLLARS_A_GET),
    dollars_storage_a_month: rounded(LAKE_GB * DOLLARS_A_GB_MONTH),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** mulberry32: the same run for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
