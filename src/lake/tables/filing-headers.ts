/** `filing_headers`. */
import type { FilingInfo, Party } from '../../filings/api/index.ts';
import { fiscalPeriodOf } from './fiscal-period.ts';
import { accession, column, table, text, toFiling, varying } from './table.ts';

/** The party that `filings.cik` names; null if the record does not name one. */
function ownParty({ cik, parties }: FilingInfo): { party: Party; position: number } | null {
  if (cik === null) return null;
  const position = parties.findIndex((party) => party.cik === cik);
  return position === -1 ? null : { party: parties[position]!, position };
}

export const filingHeaders = table({
  name: 'filing_headers',
  meaning:
    'What the header says of the party that `filings.cik` names, one row for each filing: file number, fiscal year and period. If the service gives `parties`',
  key: ['accession_number'],
  columns: [
    accession,
    column('position', 'INTEGER', 'position of that party in `parties`'),
    text('file_number', "SEC's file number of this filing: 001-36743"),
    text('film_number', "SEC's film number"),
    text('sec_act', 'act under which the party files: 34, 33, 40; as the header writes it'),
    text('sic', 'SIC industry code'),
    text('state_of_incorporation', "EDGAR's state or country code"),
    text('business_state', 'state or country code of the business address'),
    text('fiscal_year_end', 'month and day, MMDD'),
    column(
      'header_fiscal_year',
      'INTEGER',
      'calendar year in which the fiscal year ends that `report_date` is in, for forms 10-K, 10-Q, 20-F and 40-F; null if the dates do not fit. The company may give it another number: `fiscal_year` of `fundamentals`',
    ),
    text('header_fiscal_period', 'FY, or Q1, Q2 or Q3 of that year; null with `header_fiscal_year`'),
    column(
      'withdrawn_at',
      'TIMESTAMPTZ',
      "when the service saw EDGAR's indexes without the filing; null: it did not, or does not say",
    ),
    column(
      'corrected_at',
      'TIMESTAMPTZ',
      'when it saw EDGAR with another submission under its number; null: it did not, or does not say',
    ),
    varying(
      'checked_at',
      'TIMESTAMPTZ',
      'when it last asked EDGAR for the submission; null: it does not say',
      'each check changes it, and nothing else',
    ),
  ],
  unit: ['accession_number'],
  references: [toFiling],
  sources: ['info'],
  rows: {
    info: (info, add) => {
      const own = ownParty(info);
      if (own === null) return;
      const { party, position } = own;
      const { file_number, film_number, sec_act, sic, state_of_incorporation, fiscal_year_end, addresses } = party;
      const fiscal = fiscalPeriodOf(info.form_type, info.report_date, fiscal_year_end);
      add('', {
        accession_number: info.accession_number,
        position,
        file_number,
        film_number,
        sec_act,
        sic,
        state_of_incorporation,
        business_state: addresses.business?.state ?? null,
        fiscal_year_end,
        header_fiscal_year: fiscal?.year ?? null,
        header_fiscal_period: fiscal?.period ?? null,
        withdrawn_at: info.withdrawn_at ?? null,
        corrected_at: info.corrected_at ?? null,
        checked_at: info.checked_at ?? null,
      });
    },
  },
});
