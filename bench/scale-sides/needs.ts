/** The needs of an export of many filings, computed from the cost of one. Every assumption is a named number here. */
import { loadPlans } from '../../src/accounts/index.ts';
import type { UnitCosts } from './unit-costs.ts';

/** Sizes of the answers, and of the stored part. */
export interface Sizes {
  bytes_a_filing: number;
  lake_bytes_a_filing: number;
}

/**
 * Of real filings: sections of the 57 labelled documents of 1993 to 2025, by form and era, as JSON, and their HTML and text under zstd;
 * eras weighted by their years, and three 10-Qs to a 10-K. filing_info (some 10 kB) is in it.
 */
export const REAL_SIZES: Sizes = { bytes_a_filing: 800_000, lake_bytes_a_filing: 115_000 };

/** Of the simulated run of 800,000: lookups that only cut included. */
const FILINGS_A_LOOKUP = 4_500;
const WINDOW_FILINGS = 6_450;
/** Events of a batch: fetched, committed, remembered; its share of new plans included. */
const EVENTS_A_BATCH = 11.8;
const EVENTS_A_HISTORY = 4_100;
const BATCH_SECONDS = 7;
const COMPACTED_PART_BYTES = 128e6;
/** Each fiftieth version is written whole, with so many bytes for each live part. */
const COMMITS_A_SNAPSHOT = 50;
const SNAPSHOT_BYTES_A_PART = 740;
/** A service on another machine: the default connections of an export, and the duration of an answer. */
const CONNECTIONS = 8;
const ANSWER_SECONDS = 0.1;

export interface Needs {
  requests: number;
  bytes: number;
  /** At the rate of the measured run, whose service was on the same machine */
  hours_near: number;
  /** With eight connections and answers that take 0.1 s */
  hours_far: number;
  /** Of worker and Temporal; beyond the sample's bytes scaled linearly, which is too much */
  cpu_hours: number;
  /** With the service on another machine */
  batches: number;
  commits: number;
  parts: number;
  parts_compacted: number;
  events: number;
  histories: number;
  lake_bytes: number;
  log_bytes: number;
  /** Calendar months by plan; null: no limit */
  months: Record<string, number | null>;
}

export function needsOf(filings: number, unit: UnitCosts, sizes: Sizes): Needs {
  const lookups = Math.ceil(filings / FILINGS_A_LOOKUP);
  const perFiling = (unit.requests - 1) / unit.filings;
  const requests = lookups + Math.round(filings * perFiling);
  const bytes = filings * sizes.bytes_a_filing;
  const rateFar = CONNECTIONS / ANSWER_SECONDS;
  const secondsFar = requests / rateFar;
  const batches = Math.ceil(secondsFar / BATCH_SECONDS);
  const commits = batches + Math.ceil(filings / WINDOW_FILINGS);
  const lake_bytes = filings * sizes.lake_bytes_a_filing;
  const parts_compacted = Math.ceil(lake_bytes / COMPACTED_PART_BYTES);
  const events = Math.round(batches * EVENTS_A_BATCH);
  const heavier = Math.max(1, sizes.bytes_a_filing / (unit.bytes / unit.filings));
  return {
    requests,
    bytes,
    hours_near: requests / (unit.requests / unit.seconds) / 3600,
    hours_far: secondsFar / 3600,
    cpu_hours: ((unit.cpu_seconds / unit.filings) * filings * heavier) / 3600,
    batches,
    commits,
    // A pass writes its own table, and coverage.
    parts: commits * 2,
    parts_compacted,
    events,
    histories: Math.ceil(events / EVENTS_A_HISTORY),
    lake_bytes,
    log_bytes:
      commits * (unit.log_bytes / unit.commits) +
      // The parts grow as the snapshots do: half of the last one, on average.
      (commits / COMMITS_A_SNAPSHOT) * (parts_compacted / 2) * SNAPSHOT_BYTES_A_PART,
    months: monthsByPlan(requests, bytes),
  };
}

function monthsByPlan(requests: number, bytes: number): Record<string, number | null> {
  const months = (needed: number, limit: number | null) => (limit === null ? 0 : Math.ceil(needed / limit));
  return Object.fromEntries(
    Object.entries(loadPlans().plans).map(([name, { requests_per_month, bytes_per_month }]) => {
      const needed = Math.max(months(requests, requests_per_month), months(bytes, bytes_per_month));
      return [name, needed === 0 ? null : needed];
    }),
  );
}
