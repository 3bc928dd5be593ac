/** What a plan is made from: one lookup of the selection, and what the lake has of it. */
import { existsSync } from 'node:fs';
import { FilingClient, type Quota } from '../client/index.ts';
import { type Filing, parseAccessionNumber, parseCik } from '../contract/index.ts';
import {
  type CoveredStep,
  type ExportDefinition,
  type ExportPlan,
  type PlanQuota,
  planExport,
  planSampleSize,
} from '../export/index.ts';
import { type Lake, openLake } from '../lake/index.ts';

export interface PlanRequest {
  definition: ExportDefinition;
  apiKey: string;
  /** Absolute folder; need not be there */
  lake: string;
  /** Filings to look at; null: as many as decide the numbers */
  sample: number | null;
  signal: AbortSignal;
}

export interface PlannedExport extends ExportPlan {
  /** What making the plan cost. */
  spent: { requests: number; bytes: number };
  quota: PlanQuota | null;
  /** Requests a second of the lake's earlier runs at this service; null: none */
  requests_per_second: number | null;
}

/** Runs that are long enough to tell a rate. */
const RATE_REQUESTS_MIN = 20;

/** @throws errors of the client; FilinglakeError of the lake */
export async function planOf(request: PlanRequest): Promise<PlannedExport> {
  const { definition, apiKey, signal } = request;
  const spent = { requests: 0, bytes: 0 };
  const { base_url, method } = definition.service;
  const client = new FilingClient({
    baseUrl: base_url,
    apiKey,
    method,
    signal,
    onRequest: ({ bytes }) => {
      spent.requests++;
      spent.bytes += bytes;
    },
  });
  const asked = request.sample ?? planSampleSize(definition);
  try {
    // By name: all years and forms come together, and the filings of a company too, so that companies are counted rightly.
    const order = { sort_by: 'entity_name', sort_order: 'asc', from: 0, to: asked } as const;
    const { value, bytes, quota } = await client.filingLookup({ ...definition.select, ...order });
    const { filings, received, truncated, count } = value;
    const had = await inLake(request.lake, filings, base_url);
    const said = planQuota(quota);
    const plan = planExport({
      definition,
      sample: { filings, asked, received, bytes, truncated, count },
      covered: had.covered,
      knownCiks: had.knownCiks,
      quota: said,
      requestsPerSecond: had.requestsPerSecond,
    });
    return { ...plan, spent, quota: said, requests_per_second: had.requestsPerSecond };
  } finally {
    await client.close();
  }
}

interface InLake {
  covered: Map<string, Map<string, CoveredStep>>;
  knownCiks: Set<string>;
  requestsPerSecond: number | null;
}

/** What the lake has of these filings; nothing where there is no lake yet, and none is made. */
async function inLake(folder: string, filings: readonly Filing[], service: string): Promise<InLake> {
  if (!existsSync(folder)) return { covered: new Map(), knownCiks: new Set(), requestsPerSecond: null };
  const lake = await openLake(folder);
  try {
    return {
      covered: await coverageOf(lake, filings),
      knownCiks: await knownCiks(lake, filings),
      requestsPerSecond: await rateOf(lake, service),
    };
  } finally {
    await lake.close();
  }
}

async function coverageOf(lake: Lake, filings: readonly Filing[]): Promise<InLake['covered']> {
  const covered: InLake['covered'] = new Map();
  const numbers = filings.flatMap(({ accession_number }) => parseAccessionNumber(accession_number) ?? []);
  const rows = await lake.query(
    `SELECT accession_number, step, selector, revision, status FROM coverage
     WHERE accession_number IN (SELECT unnest([${numbers.map((number) => `'${number}'`).join(', ')}]::VARCHAR[]))`,
  );
  for (const { accession_number, step, selector, revision, status } of rows) {
    const steps = covered.get(String(accession_number)) ?? new Map<string, CoveredStep>();
    const text = { selector: String(selector ?? ''), revision: String(revision ?? ''), status: String(status) };
    covered.set(String(accession_number), steps.set(String(step), text));
  }
  return covered;
}

async function knownCiks(lake: Lake, filings: readonly Filing[]): Promise<Set<string>> {
  const ciks = new Set(filings.flatMap(({ cik }) => parseCik(cik ?? '') ?? []));
  const list = [...ciks].map((cik) => `'${cik}'`).join(', ');
  const rows = await lake.query(`SELECT cik FROM entities WHERE cik IN (SELECT unnest([${list}]::VARCHAR[]))`);
  return new Set(rows.map(({ cik }) => String(cik)));
}

/** The best rate of the last runs: slower ones may have waited for their quota, or for a person. */
async function rateOf(lake: Lake, service: string): Promise<number | null> {
  const [row] = await lake.query(
    `SELECT max(requests / greatest(epoch(ended_at) - epoch(started_at), 0.001)) AS rate FROM (
       SELECT requests, started_at, ended_at FROM export_runs
       WHERE service = '${service.replaceAll("'", "''")}' AND requests >= ${RATE_REQUESTS_MIN}
       ORDER BY ended_at DESC LIMIT 5)`,
  );
  return row?.rate === null || row?.rate === undefined ? null : Number(row.rate);
}

function planQuota(quota: Quota | null): PlanQuota | null {
  if (quota === null) return null;
  return {
    requests_left: quota.requests?.remaining ?? null,
    bytes_left: quota.bytes?.remaining ?? null,
    requests_limit: quota.requests?.limit ?? null,
    bytes_limit: quota.bytes?.limit ?? null,
  };
}
