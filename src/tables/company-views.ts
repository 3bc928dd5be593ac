/** Views over the headers of filings: names of companies over time, the industries, and EDGAR's codes of states and countries. */
import { PLACES } from '../core/index.ts';
import type { FormView } from '../forms/index.ts';

const FORMER = 'party_former_names';

/** A header lists former names with the day on which each ended, so names from before the first filing are known too. */
const COMPANY_NAMES = `WITH used AS (
  SELECT p.cik, p.name, min(f.filing_date) AS first_filing_date, max(f.filing_date) AS last_filing_date,
    count(DISTINCT p.accession_number) AS filings
  FROM parties p JOIN filings f USING (accession_number) WHERE p.cik IS NOT NULL AND p.name IS NOT NULL GROUP BY ALL
), former AS (
  SELECT p.cik, n.name, max(n.date_of_change) AS changed_on
  FROM ${FORMER} n JOIN parties p USING (accession_number, position) WHERE p.cik IS NOT NULL AND n.name IS NOT NULL GROUP BY ALL
)
SELECT cik, name, first_filing_date, last_filing_date, coalesce(filings, 0) AS filings, changed_on
FROM used FULL JOIN former USING (cik, name)`;

const INDUSTRIES = `SELECT p.sic, arg_max(p.sic_description, (f.filing_date, p.accession_number))
    FILTER (p.sic_description IS NOT NULL) AS sic_description,
  count(DISTINCT p.cik) AS companies, count(DISTINCT p.accession_number) AS filings
FROM parties p JOIN filings f USING (accession_number) WHERE p.sic IS NOT NULL GROUP BY p.sic`;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const PLACES_SQL = `SELECT * FROM (VALUES
${PLACES.map(([code, name, iso]) => `  (${quoted(code)}, ${quoted(name)}, ${iso === null ? 'NULL' : quoted(iso)})`).join(',\n')}
) AS places(code, name, country)`;

export const COMPANY_VIEWS: readonly FormView[] = [
  {
    name: 'company_names',
    meaning:
      'Names of companies over time, by the headers of filings: first and last filing under each name, and the day on which it was changed. A name that was taken twice is one row',
    tables: ['parties', FORMER, 'filings'],
    sql: COMPANY_NAMES,
  },
  {
    name: 'industries',
    meaning:
      'SIC codes in the headers of filings, with the newest description, and the number of companies and filings',
    tables: ['parties', 'filings'],
    sql: INDUSTRIES,
  },
  {
    name: 'places',
    meaning:
      "EDGAR's codes of states and countries, as in `state_of_incorporation` and addresses, with the name and the country's ISO code",
    tables: ['parties'],
    sql: PLACES_SQL,
  },
];
