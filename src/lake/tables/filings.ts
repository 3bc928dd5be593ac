/** `filings`. */
import { accession, column, computed, table, text, varying } from './table.ts';

/** EDGAR serves a filing under the CIK of any of its parties. */
const URL_SQL = `'https://www.sec.gov/Archives/edgar/data/' || cik || '/' || replace(accession_number, '-', '') || '/' || accession_number || '-index.htm'`;

export const filings = table({
  name: 'filings',
  meaning: 'Filings, one row each',
  key: ['accession_number'],
  columns: [
    accession,
    text('cik', 'CIK of the first filer, else the subject company, else the issuer'),
    text('form_type', 'form as filed: 10-K, 10-K/A, 8-K, 4, ...'),
    column('filing_date', 'DATE', 'day of filing'),
    column('acceptance_datetime', 'TIMESTAMP', 'when EDGAR accepted it: Eastern time, without zone'),
    text('entity_name', 'name of that party'),
    column('report_date', 'DATE', 'end of the reporting period'),
    column('size', 'BIGINT', 'bytes of the complete submission'),
    computed('url', 'VARCHAR', "index page of the filing on EDGAR's web site; null without a `cik`", URL_SQL),
    computed('is_amendment', 'BOOLEAN', 'whether the form ends in /A', "ends_with(upper(form_type), '/A')"),
    varying(
      'removed_at',
      'TIMESTAMPTZ',
      'when a run found that the service no longer has the filing; null if it has',
      'when a run noticed it',
    ),
  ],
  unit: ['accession_number'],
  references: [],
  sources: ['lookup'],
  rows: {
    lookup: (filing, add) =>
      add('', {
        accession_number: filing.accession_number,
        cik: filing.cik,
        form_type: filing.form_type,
        filing_date: filing.filing_date,
        acceptance_datetime: filing.acceptance_datetime,
        entity_name: filing.entity_name,
        report_date: filing.report_date,
        size: filing.size,
      }),
  },
});
