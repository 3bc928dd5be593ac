/** How the hits of a search spread over forms, years and companies: of some thousands of hits, never of all that a common word has. */
import type { FulltextSearchParameters } from '../../../filings/api/index.ts';
import { type ParsedQuery, parseQuery } from '../fulltext/query.ts';
import { QueryError } from '../fulltext/query-error.ts';
import type { Statements } from '../rows/statements.ts';
import { DOCUMENTS_A_DAY } from '../store/schema.ts';
import { searchSnapshot } from './fulltext-engine.ts';
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

const MOST = { hits: 2_000, yearHits: 1_000 };
const VALUES_MAX = 8;

type FacetSource = Pick<CatalogSource, 'statements' | 'fulltext'>;

/** @param most hits that are looked at; hits of a year that are counted. @throws QueryError as fulltextSearch */
export function searchFacets(source: FacetSource, p: FulltextSearchParameters, most = MOST): SearchFacets {
  if (p.query === undefined) throw new QueryError('query is required', null);
  const query = parseQuery(p.query, p.query_type);
  const { statements } = source;
  return searchSnapshot(statements, () => {
    const found = source.fulltext(query, p).hitsByDate('desc', 0, most.hits, false);
    const ids = JSON.stringify(found.map(({ rowid }) => rowid));
    const isWhole = found.length < most.hits;
    return {
      hits: found.length,
      isWhole,
      yearHitsMax: most.yearHits,
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
        ? yearsOf(found.map(({ rowid }) => yearOf(rowid)))
        : countedYears(source, query, p, yearOf(found[0]!.rowid), most.yearHits),
    };
  });
}

function topOf(statements: Statements, sql: string, ids: string): FacetValue[] {
  const rows = statements.prepareArrays(`${sql} ORDER BY n DESC, 1 LIMIT ${VALUES_MAX}`).all(ids);
  return (rows as unknown as [string | number, string, number][]).map(([value, name, count]) => ({
    value: String(value),
    name: String(name),
    count,
  }));
}

function yearsOf(years: readonly number[]): FacetValue[] {
  const counts = Map.groupBy(years, (year) => year);
  return [...counts].map(([year, { length }]) => ({ value: String(year), name: String(year), count: length }));
}

/** Each year's hits are counted up to a limit, back to the first document of the catalog. */
function countedYears(
  { statements, fulltext }: FacetSource,
  query: ParsedQuery,
  p: FulltextSearchParameters,
  newest: number,
  most: number,
): FacetValue[] {
  const { id } = statements.prepare('SELECT min(id) AS id FROM documents').get() as { id: number };
  const years: FacetValue[] = [];
  for (let year = newest; year >= yearOf(id); year--) {
    const [first, last] = [`${year}-01-01`, `${year}-12-31`];
    const date_from = p.date_from !== undefined && p.date_from > first ? p.date_from : first;
    const date_to = p.date_to !== undefined && p.date_to < last ? p.date_to : last;
    if (date_from > date_to) continue;
    const count = fulltext(query, { ...p, date_from, date_to }).countHits(most);
    if (count > 0) years.push({ value: String(year), name: String(year), count });
  }
  return years;
}

function yearOf(documentRowid: number): number {
  return new Date(Math.floor(documentRowid / DOCUMENTS_A_DAY) * 86_400_000).getUTCFullYear();
}
