/** An estimate of an export before it runs: its steps, its cost in requests and bytes, in months of a key's quota and in runs of its budget. */
import type { ExportTable } from '../../lake/tables/index.ts';
import type { ExportDefinition } from '../definition/index.ts';
import { isByFiling } from '../steps/index.ts';

export interface PlanStep {
  step: 'companies' | 'lookup' | 'fulltext_search' | 'entities' | 'filing_info' | 'sections' | 'forms' | 'documents';
  /** Tables with rows from its answers. */
  tables: ExportTable[];
  requests: number;
  /** Bytes of the answers' bodies, decompressed; null: nothing to estimate from */
  bytes: number | null;
}

/** The yield and the cost of one part of the selection. */
export interface PlanPart {
  /** Filings that match; null: the service counts pages only, and there is more than one */
  filings: number | null;
  /** Whether the number of requests is known: every record of the selection was examined, and states its needs. */
  whole: boolean;
  /** Filings examined. */
  sampled: number;
  /** Filings that the lake has complete for this export. */
  known: number;
  /** Filings that the lake has in an older revision: their steps are fetched again. */
  older: number;
  steps: PlanStep[];
  /** Requests that may come on top, at most: pages of reports that EDGAR's summary of a filing may name, and sections of 20-Fs. */
  requests_more: number;
  notes: string[];
}

export interface ExportPlan extends PlanPart {
  /** Entities that match, if they are requested by a query; null: the service states no count, or none are requested */
  entities: number | null;
  requests: number;
  bytes: number | null;
  /** Calendar months that the key's plan needs, this one included; null: no limit is stated */
  months: number | null;
  /** At the rate of earlier runs, without waiting for quota; null before the first */
  seconds: number | null;
  /**
   * Filings that are whole at the end of this month, and those that a later month adds; null: no limit of requests is stated, or
   * they are not fetched one after the other.
   */
  whole_filings: { this_month: number; a_month: number | null } | null;
  /** Effect of the run's own budget: runs that end with exit code 6 before the last one. */
  stops_by_budget: number;
}

export interface PlanQuota {
  /** Left this month, without what the plan itself spent; null: no limit, or not stated */
  requests_left: number | null;
  bytes_left: number | null;
  /** A month's; null: no limit, or not stated */
  requests_limit: number | null;
  bytes_limit: number | null;
}

/** Adds up the estimates of a definition's parts. @param more the rate is of earlier runs; null before the first */
export function wholePlan(
  { budget }: ExportDefinition,
  parts: readonly PlanPart[],
  more: { quota: PlanQuota | null; requestsPerSecond: number | null; entities: number | null },
): ExportPlan {
  const { quota, requestsPerSecond, entities } = more;
  const sum = (of: (part: PlanPart) => number) => parts.reduce((total, part) => total + of(part), 0);
  const sumOrNull = (numbers: (number | null)[]) =>
    numbers.reduce<number | null>((total, n) => (total === null || n === null ? null : total + n), 0);
  const steps = parts.flatMap((part) => part.steps);
  const requests = steps.reduce((total, step) => total + step.requests, 0);
  const bytes = sumOrNull(steps.map((step) => step.bytes));
  return {
    filings: sumOrNull(parts.map((part) => part.filings)),
    entities,
    steps,
    requests,
    bytes,
    whole: parts.every((part) => part.whole),
    sampled: sum((part) => part.sampled),
    known: sum((part) => part.known),
    older: sum((part) => part.older),
    requests_more: sum((part) => part.requests_more),
    months: monthsOf(requests, bytes, quota, budget.reserve),
    whole_filings: isByFiling({ budget }) ? wholeFilings(parts, quota, budget.reserve) : null,
    seconds: requestsPerSecond === null || requestsPerSecond <= 0 ? null : requests / requestsPerSecond,
    stops_by_budget: Math.max(stops(requests, budget.max_requests), stops(bytes ?? 0, budget.max_bytes)),
    notes: parts.flatMap((part) => part.notes),
  };
}

/** Requests that are sent once, before the first filing. */
const BEFORE_FILINGS: ReadonlySet<PlanStep['step']> = new Set(['companies', 'lookup', 'fulltext_search', 'entities']);

function wholeFilings(
  parts: readonly PlanPart[],
  quota: PlanQuota | null,
  reserve: number,
): ExportPlan['whole_filings'] {
  const left = quota?.requests_left ?? null;
  const steps = parts.flatMap((part) => part.steps);
  const sum = (isBefore: boolean) =>
    steps.reduce((total, { step, requests }) => total + (BEFORE_FILINGS.has(step) === isBefore ? requests : 0), 0);
  const of = parts.filter((part) => part.steps.some(({ step }) => !BEFORE_FILINGS.has(step)));
  const pending = of.reduce((total, { filings, known }) => total + Math.max(0, (filings ?? 0) - known), 0);
  if (left === null || pending === 0 || of.some(({ filings }) => filings === null) || sum(false) === 0) return null;
  const each = sum(false) / pending;
  const during = (requests: number) => Math.min(pending, Math.max(0, Math.floor(requests / each)));
  const limit = quota?.requests_limit ?? null;
  return { this_month: during(left - reserve - sum(true)), a_month: limit === null ? null : during(limit - reserve) };
}

function monthsOf(requests: number, bytes: number | null, quota: PlanQuota | null, reserve: number): number | null {
  const byRequests = months(requests, quota?.requests_left ?? null, quota?.requests_limit ?? null, reserve);
  const byBytes = bytes === null ? null : months(bytes, quota?.bytes_left ?? null, quota?.bytes_limit ?? null, 0);
  return byRequests === null ? byBytes : Math.max(byRequests, byBytes ?? 0);
}

function months(needed: number, left: number | null, limit: number | null, reserve: number): number | null {
  if (left === null) return null;
  const now = Math.max(0, left - reserve);
  if (needed <= now) return 1;
  const monthly = limit === null ? 0 : limit - reserve;
  return monthly <= 0 ? null : 1 + Math.ceil((needed - now) / monthly);
}

/** How often a limit of a run stops it before everything is fetched, if the limit is raised by the same amount each time. */
function stops(needed: number, limit: number | null): number {
  return limit === null ? 0 : Math.max(0, Math.ceil(needed / limit) - 1);
}
