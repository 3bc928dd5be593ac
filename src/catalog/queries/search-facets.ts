/** How the hits of a search spread over forms, years and companies: of some thousands of hits, never of all that a common word has. */
import type { FulltextSearchParameters } from '../../api/index.ts';
import { parseQuery } from '../fulltext/query.ts';
import { QueryError } from '../fulltext/query-error.ts';
import { DOCUMENTS_A_DAY, dayNumber } from '../schema.ts';
import type { Statements } from '../statements.ts';
import { withFewDocuments } from './few-documents.ts';
import { type DocumentConditions, documentConditions, hitSource } from './fulltext-hits.ts';
import type { CatalogSource } from './source.ts';

export interface FacetValue {
  value: string;
  /** For people: of a company its name */
  name: string;
  count: number;
}

export interface SearchFacets {
  /** Hits that were looked at for forms and companies: the newest */
  hits: number;
  /** Whether these are all hits */
  isWhole: boolean;
  forms: FacetValue[];
  companies: FacetValue[];
  /** The newest first. Unless `isWhole`, a count of `yearHitsMax` means as many or more */
  years: FacetValue[];
  yearHitsMax: number;
}

const HITS_MAX = 2_000;
const YEAR_HITS_MAX = 1_000;
const VALUES_MAX = 8;

/** @throws QueryError as fulltextSearch */
export function searchFacets({ statements }: CatalogSource, p: FulltextSearchParameters): SearchFacets {
  if (p.query === undefined) throw new QueryError('query is required', null);
  const { expression } = parseQuery(p.query, p.query_type);
  return statements.snapshot(() => {
    const where = withFewDocuments(statements, expression, documentConditions(p, statements));
    const { sql, values, id } = hitSource(expression, where, false);
    const found = statements
      .prepareArrays(`SELECT ${id} FROM ${sql} ORDER BY ${id} DESC LIMIT ${HITS_MAX}`)
      .all(...values) as unknown as [number][];
    const ids = JSON.stringify(found.map(([id]) => id));
    const isWhole = found.length < HITS_MAX;
    return {
      ...{ hits: found.length, isWhole, yearHitsMax: YEAR_HITS_MAX },
      forms: topOf(
        statements,
        `SELECT f.form_type, f.form_type, count(*) AS n FROM json_each(?) i CROSS JOIN documents d ON d.id = i.value
         CROSS JOIN filings f ON f.id = d.filing GROUP BY 1`,
        ids,
      ),
      companies: topOf(
        statements,
        `SELECT e.cik, ifnull(e.record ->> 'name', e.cik), count(DISTINCT d.id) AS n
         FROM json_each(?) i CROSS JOIN documents d ON d.id = i.value
         CROSS JOIN filing_parties p ON p.filing = d.filing CROSS JOIN entities e ON e.cik = p.cik GROUP BY 1`,
        ids,
      ),
      years: isWhole
        ? yearsOf(found.map(([id]) => yearOf(id)))
        : countedYears(statements, expression, where, yearOf(found[0]![0])),
    };
  });
}

function topOf(statements: Statements, sql: string, ids: string): FacetValue[] {
  const rows = statements.prepareArrays(`${sql} ORDER BY n DESC, 1 LIMIT ${VALUES_MAX}`).all(ids);
  return (rows as unknown as [string | number, string, number][]).map(([value, name, count]) => ({
    ...{ value: String(value), name: String(name), count },
  }));
}

function yearsOf(years: readonly number[]): FacetValue[] {
  const counts = Map.groupBy(years, (year) => year);
  return [...counts].map(([year, { length }]) => ({ value: String(year), name: String(year), count: length }));
}

/** Each year's hits are counted up to a limit, back to the first document of the catalog. */
function countedYears(
  statements: Statements,
  expression: string,
  where: DocumentConditions,
  newest: number,
): FacetValue[] {
  const { id } = statements.prepare('SELECT min(id) AS id FROM document_texts_docsize').get() as { id: number };
  const first = yearOf(Math.max(id, where.rowidFrom ?? 0));
  const years: FacetValue[] = [];
  for (let year = newest; year >= first; year--) {
    const from = Math.max(where.rowidFrom ?? 0, dayNumber(`${year}-01-01`) * DOCUMENTS_A_DAY);
    const to = Math.min(where.rowidTo ?? Number.MAX_SAFE_INTEGER, dayNumber(`${year + 1}-01-01`) * DOCUMENTS_A_DAY - 1);
    const { sql, values } = hitSource(expression, { ...where, rowidFrom: from, rowidTo: to }, false);
    const { n } = statements
      .prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM ${sql} LIMIT ${YEAR_HITS_MAX})`)
      .get(...values) as { n: number };
    if (n > 0) years.push({ value: String(year), name: String(year), count: n });
  }
  return years;
}

function yearOf(documentRowid: number): number {
  return new Date(Math.floor(documentRowid / DOCUMENTS_A_DAY) * 86_400_000).getUTCFullYear();
}
