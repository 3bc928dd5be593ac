/**
 * Which companies of filings are requested: those that the lake lacks, those whose row is old, those of a refresh, and those whose
 * newest filing states a name that the service has not been asked about.
 */
import { type Filing, parseCik } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { ENTITY_DAYS } from '../../definition/index.ts';
import { isSpelledAlike } from '../../revisions/index.ts';
import { among } from '../sql-values.ts';
import type { RunReference } from '../types.ts';

/** What filings say of their company. */
export interface CompanyOfFilings {
  /** One of the filings is requested again. */
  isRefreshed: boolean;
  /** Of its newest filing; null: none is stated */
  name: string | null;
  /** The day of that filing; null: the name counts, however old the filing is */
  filed: string | null;
}

export interface PendingCompany {
  cik: string;
  /** When its row was fetched, in microseconds, which tells that row from the next one; null: the lake has none */
  before: string | null;
}

/** @returns the company's CIK; null: the filing has none */
export function takeFiling(
  companies: Map<string, CompanyOfFilings>,
  { cik: stated, entity_name, filing_date }: Pick<Filing, 'cik' | 'entity_name' | 'filing_date'>,
  { isRefreshed = false, isRenamed = false } = {},
): string | null {
  const cik = parseCik(stated ?? '');
  if (cik === null) return null;
  const company = companies.get(cik) ?? { isRefreshed: false, name: null, filed: null };
  companies.set(cik, company);
  company.isRefreshed ||= isRefreshed;
  if (entity_name === null) return cik;
  const isNewer = company.name === null || (company.filed !== null && (filing_date ?? '') > company.filed);
  if (isRenamed || isNewer)
    Object.assign(company, { name: entity_name, filed: isRenamed ? null : (filing_date ?? '') });
  return cik;
}

const DAY_MS = 86_400_000;

/** The companies that a run requests, in numeric order. @param started_at ISO: rows of this run are never older */
export async function pendingCompanies(
  lake: Lake,
  companies: ReadonlyMap<string, CompanyOfFilings>,
  { definition, started_at }: Pick<RunReference, 'definition' | 'started_at'>,
): Promise<PendingCompany[]> {
  if (companies.size === 0) return [];
  const { refresh_days } = definition.entities ?? { refresh_days: ENTITY_DAYS };
  const started = started_at === undefined ? Date.now() : Date.parse(started_at);
  const since = (ms: number) => `coalesce(fetched_at >= '${new Date(ms).toISOString()}'::TIMESTAMPTZ, false)`;
  const list = [...companies.keys()].map((cik) => `'${cik}'`).join(', ');
  const rows = await lake.query(
    `SELECT c AS cik, e.cik IS NOT NULL AS is_there, name, epoch_us(fetched_at)::VARCHAR AS fetched,
       e.cik IS NOT NULL AND ${refresh_days === null ? 'true' : since(started - refresh_days * DAY_MS)} AS is_young,
       ${since(started)} AS is_own
     FROM (SELECT unnest([${list}]::VARCHAR[]) AS c) LEFT JOIN entities e ON e.cik = c ORDER BY c::BIGINT`,
    { tables: ['entities'] },
  );
  const unanswered = await notReplaced(lake);
  const pending: PendingCompany[] = [];
  const unsure: { cik: string; name: string; filed: string | null; fetched: string }[] = [];
  for (const row of rows) {
    const cik = String(row.cik);
    const { isRefreshed, name, filed } = companies.get(cik)!;
    const fetched = String(row.fetched ?? '');
    const isAgain = (isRefreshed && !row.is_own) || unanswered.has(cik);
    if (!row.is_young || isAgain) pending.push({ cik, before: row.is_there ? fetched : null });
    else if (!row.is_own && name !== null && !isSpelledAlike(name, String(row.name ?? '')))
      unsure.push({ cik, name, filed, fetched });
  }
  const isNew = await newNames(
    lake,
    unsure.map(({ cik }) => cik),
  );
  const renamed = unsure.filter(isNew).map(({ cik, fetched: before }) => ({ cik, before }));
  return [...pending, ...renamed].sort((a, b) => Number(a.cik) - Number(b.cik));
}

/** Companies whose row a run planned to replace, and did not: the request failed, or the run ended before. Each run asks for them again. */
async function notReplaced(lake: Lake): Promise<ReadonlySet<string>> {
  const rows = await lake.query(
    `SELECT DISTINCT cik FROM entities e JOIN (SELECT steps, revision FROM export_plans WHERE pass = 'entities' AND revision <> '') p
     ON p.steps = e.cik AND p.revision = epoch_us(e.fetched_at)::VARCHAR`,
    { tables: ['export_plans', 'entities'] },
  );
  return new Set(rows.map(({ cik }) => String(cik)));
}

/**
 * Names differ for ever if a service spells them in two ways, and old filings have old names. So a name counts only if no newer
 * filing has another, and if no filing had it when the company's row was fetched.
 */
async function newNames(
  lake: Lake,
  ciks: readonly string[],
): Promise<(stated: { cik: string; name: string; filed: string | null; fetched: string }) => boolean> {
  if (ciks.length === 0) return () => false;
  // The windows of a run state old names beside new ones, in any order. None of them is newer than a row that the same run has fetched.
  // Another name of the same filing is.
  const rows = await lake.query(
    `SELECT f.cik, entity_name AS name, max(filing_date)::VARCHAR AS filed,
       epoch_us(min(c.fetched_at))::VARCHAR AS read, epoch_us(min(coalesce(r.started_at, c.fetched_at)))::VARCHAR AS since
     FROM filings f LEFT JOIN coverage c ON c.accession_number = f.accession_number AND c.step = 'filing'
       LEFT JOIN export_runs r ON r.run_id = c.run_id
     WHERE f.cik IN ${among(ciks)} AND entity_name IS NOT NULL GROUP BY f.cik, entity_name`,
    { tables: ['filings', 'coverage', 'export_runs'] },
  );
  const stored = Map.groupBy(rows, ({ cik }) => String(cik));
  return ({ cik, name, filed, fetched }) =>
    !(stored.get(cik) ?? []).some((row) =>
      isSpelledAlike(name, String(row.name))
        ? Number((filed === null ? row.read : row.since) ?? 0) <= Number(fetched)
        : filed !== null && String(row.filed ?? '') > filed,
    );
}

export async function ciksWithRow(lake: Lake, ciks: readonly string[]): Promise<ReadonlySet<string>> {
  if (ciks.length === 0) return new Set();
  const rows = await lake.query(`SELECT cik FROM entities WHERE cik IN ${among(ciks)}`, { tables: ['entities'] });
  return new Set(rows.map(({ cik }) => String(cik)));
}
