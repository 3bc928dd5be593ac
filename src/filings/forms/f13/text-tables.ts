/** Tables of 13F filings before 2013, which are text. They are separate from the others, since they are read from their layout. */
import { bigint, boolean, date, decimal, integer, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['13F-HR', '13F-HR/A', '13F-CTR', '13F-CTR/A']);

export const f13TextReports = table('f13_text_reports', {
  meaning: '13F reports in text (before 2013): the totals found and the totals stated',
  key: [],
  columns: [
    text('form_type', '', 'form type of the submission'),
    date('period_of_report', '', 'quarter end, as the cover page says', { empty: 'not found' }),
    bigint('table_entry_total', '', 'rows, as stated', { empty: 'not found' }),
    decimal('table_value_total', '', 'sum of the values, as stated', { empty: 'not found' }),
    bigint('holdings', '', 'rows in f13_text_holdings'),
    decimal('value_sum', '', 'sum of f13_text_holdings.value'),
    decimal('share_of_entries', '', 'holdings ÷ table_entry_total, 6 digits', { empty: 'no total' }),
    decimal('share_of_value', '', 'value_sum ÷ table_value_total, 6 digits: 1 if all was found', { empty: 'no total' }),
    decimal('median_price', '', 'as in f13_reports', { empty: 'no row tells' }),
    text('value_unit', '', 'as in f13_reports', { empty: 'as there' }),
    text('value_unit_evidence', '', 'as in f13_reports', { empty: 'as there' }),
  ],
});

export const f13TextHoldings = table('f13_text_holdings', {
  meaning: 'Rows that were found in the text of 13F filings before 2013',
  key: [integer('position', '', 'from 0 over the documents of the filing')],
  columns: [
    text('document', '', 'file name of the document, or its place in the filing, from 1'),
    integer('line', '', 'line in that document, from 1'),
    text(
      'name_of_issuer',
      '',
      'words before the CUSIP, and their lines above or below. A row without a name has that of the row before if the CUSIPs have the same issuer',
      {
        empty: 'none, or it is not clear whose a line is',
      },
    ),
    text('title_of_class', '', 'last column before the CUSIP, with lines above or below', { empty: 'none' }),
    text('cusip', '', 'without blanks, with dropped zeros. A line without one has that of the line which it continues'),
    boolean('cusip_valid', '', 'the check digit fits'),
    decimal('value', '', 'first number after the CUSIP; the unit is in value_unit'),
    text('value_unit', '', 'dollars or thousands', { empty: 'neither the date nor the prices tell' }),
    text('value_unit_evidence', '', 'as in f13_holdings', { empty: 'value_unit is null' }),
    decimal('value_usd', '', 'value, times 1,000 if value_unit is thousands', { empty: 'value_unit is null' }),
    decimal('shares_or_principal', '', 'second number after the CUSIP'),
    text(
      'rest',
      '',
      'the rest of the line, blanks joined: discretion, managers, votes. Managers that continue below are put together',
      { empty: 'nothing' },
    ),
  ],
});
