/** Why a lake has no values of a company or a filing: by its coverage, and by what was removed. */
import { quoteText } from '../../core/index.ts';
import { filingsWithout, mayCount, sentencesOfWithout } from '../../lake/report/index.ts';
import type { LakeTables } from '../sources/lake-tables.ts';

interface About {
  readonly cik?: string | undefined;
  readonly accession_number?: string | undefined;
}

/** Tables of each kind of rows that filingsWithout counts. */
const TABLE = { statements: 'fundamentals', 'XBRL facts': 'xbrl_facts' } as const;

/** @param rows the kind of rows that a tool looked for */
export async function whyNothing(
  lake: LakeTables,
  version: number,
  { cik, accession_number }: About,
  rows: keyof typeof TABLE,
): Promise<string[]> {
  const conditions = [
    ...(cik === undefined ? [] : [`f.cik = ${quoteText(cik)}`]),
    ...(accession_number === undefined ? [] : [`f.accession_number = ${quoteText(accession_number)}`]),
  ];
  const { tables } = await lake.lake.snapshot(version);
  if (conditions.length === 0 || !tables.has('filings')) return [];
  const condition = conditions.join(' AND ');
  const [found] = await lake.rows(
    `SELECT count(*) AS filings, count(f.removed_at) AS removed FROM filings f WHERE ${condition}`,
    version,
  );
  const [filings, removed] = [Number(found?.filings), Number(found?.removed)];
  if (filings === 0) return ['the lake has no such filing: export it first'];
  const gone = removed === 0 ? [] : [`${removed} of ${filings} filings were removed at the service: removed_at`];
  if (removed === filings) return gone;
  if (!mayCount(tables)) return [...gone, 'no such value here, and no export has recorded why'];
  const groups = await filingsWithout((sql) => lake.rows(sql, version), condition);
  const asked = groups.filter((group) => group.rows === 'statements' || group.rows === rows);
  if (asked.length === 0)
    return [...gone, `none of the filings was exported with tables: [${TABLE[rows]}], or its form has no ${rows}`];
  const having = asked.reduce((sum, group) => sum + group.with, 0);
  const others = having === 0 ? [] : [`${having} filings have ${rows}, and none states this`];
  return [...gone, ...sentencesOfWithout(asked), ...others];
}
