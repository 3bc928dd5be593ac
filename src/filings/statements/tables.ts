/** Tables of statements that compare: fiscal periods, standard items, what their values are made of, and checks of them. */
import { bigint, boolean, date, decimal, integer, tablesOf, text } from '../forms/index.ts';

const table = tablesOf(['10-K', '10-KT', '10-K405', '10-KSB', '10-Q', '10-QT', '10-QSB', '20-F', '40-F']);
const file = text('file', '', 'document with the value, or the first one with facts');
const cik = text('cik', '', 'company of the values', { empty: 'the documents do not say: schedules of 1993 to 2001' });
const item = text('item', '', 'revenue, net_income, total_assets …: docs/guide/fundamentals.md lists them');
const fiscalYear = integer('fiscal_year', '', "the company's own number of the year");
const fiscalPeriod = text(
  'fiscal_period',
  '',
  'Q1 to Q4, H1, 9M, FY; of a balance sheet the period that ends on its day',
);
const registrant = text(
  'registrant',
  '',
  "'' is the filer; else the member by which the filing names a company that files with it: `duk:DukeEnergyOhioMember`",
);
const periodEnd = date('period_end', '', 'last day, or the day of a balance');

export const fiscalPeriods = table('fiscal_periods', {
  meaning: 'Periods of facts as quarters and years of the company, by its cover: a row for each period that is one',
  key: ['file', 'registrant', 'period_start', 'period_end'],
  columns: [
    file,
    cik,
    fiscalYear,
    fiscalPeriod,
    date('period_start', '', 'first day'),
    date('period_end', '', 'last day'),
    integer('weeks', '', 'length, to the nearest week'),
    text(
      'source',
      '',
      "cover (the report's own period), counted (from it), short (of another length than its name says)",
    ),
    registrant,
  ],
});

export const fundamentals = table('fundamentals', {
  meaning:
    'Standard items of the primary statements as a filing states them; null with a reason if it does not, or if no rule can tell',
  key: ['file', 'registrant', 'item', 'fiscal_period', 'period_end'],
  columns: [
    file,
    cik,
    fiscalYear,
    fiscalPeriod,
    date('period_start', '', 'first day', { empty: 'a balance, no value, or not said' }),
    periodEnd,
    text('statement', '', 'income, balance, cash_flow, cover'),
    item,
    decimal('value', '', 'in full units; costs, taxes and payments are positive', { empty: 'see reason' }),
    text('unit', '', 'USD, USD/shares, shares', { empty: 'no value' }),
    text('decimals', '', 'accuracy of the least exact fact, as in xbrl_facts', { empty: 'not said' }),
    text('method', '', 'reported (a printed line), summed (of printed lines), solved (by an identity of items)', {
      empty: 'no value',
    }),
    text('concept', '', 'concept of the line; ex27:TAG of a schedule', { empty: 'several: see fundamental_sources' }),
    text('rule', '', 'way of config/statements.yaml that found it: revenue/2', { empty: 'no value' }),
    text(
      'reason',
      '',
      'no_statement (the documents have none), no_line (no rule finds one), ifrs (no counterpart under IFRS), no_period (a schedule of 1993 to 2001 states another period), no_scale (a count of shares whose scale, or that of its income, the filer forgot)',
      {
        empty: 'there is a value',
      },
    ),
    bigint('start_index', '', 'start of the number in the document, in UTF-16 units', { empty: 'as concept' }),
    bigint('end_index', '', 'its end', { empty: 'as concept' }),
    registrant,
  ],
});

export const fundamentalSources = table('fundamental_sources', {
  meaning: 'Facts that a value which is not one printed line is made of: value = sum of weight × fact',
  key: ['file', 'registrant', 'item', 'fiscal_period', 'period_end', 'position'],
  columns: [
    file,
    cik,
    fiscalYear,
    fiscalPeriod,
    periodEnd,
    item,
    integer('position', '', 'from 0'),
    integer('weight', '', '1 or -1; 1000 or 1000000: the filer forgot the scale of a count of shares'),
    text('concept', '', 'as in xbrl_facts'),
    text('dimensions', '', 'as in xbrl_facts'),
    decimal('value', '', 'of the fact'),
    text('fact_file', '', 'file in xbrl_facts, or ex27_facts'),
    integer('fact_position', '', 'position in that table'),
    bigint('start_index', '', 'start of the number in the document', { empty: 'a schedule' }),
    bigint('end_index', '', 'its end', { empty: 'a schedule' }),
    registrant,
  ],
});

export const fundamentalChecks = table('fundamental_checks', {
  meaning: 'Identities between the items of a filing, and the sums of its own calculation, in each period',
  key: ['file', 'registrant', 'identity', 'fiscal_period', 'period_end'],
  columns: [
    file,
    cik,
    fiscalYear,
    fiscalPeriod,
    periodEnd,
    text(
      'identity',
      '',
      "assets_equal_claims, cash_flows …: config/statements.yaml has both sides; sum us-gaap:Assets: the filing's own calculation",
    ),
    decimal('left_value', '', 'one side'),
    decimal('right_value', '', 'the other'),
    decimal('difference', '', 'left - right'),
    decimal('tolerance', '', 'rounding of the printed numbers, and a share if the identity is not exact'),
    boolean('holds', '', 'the difference is within the tolerance'),
    text('likeliest_wrong', '', 'item, or concept of a sum, to look at first', { empty: 'it holds' }),
    registrant,
  ],
});

export const STATEMENT_TABLES = [fiscalPeriods, fundamentals, fundamentalSources, fundamentalChecks];

const ofItems = (name: string) => fundamentals.columns.find((column) => column.name === name)!;

export const printedFundamentals = table('printed_fundamentals', {
  meaning:
    'Standard items as read from statements that are printed without tags, as of 1993 to 2009; null with a reason if no line or several could be it',
  key: ['file', 'registrant', 'item', 'fiscal_period', 'period_end'],
  columns: [
    ...'file cik fiscal_year fiscal_period period_start period_end statement item value unit decimals rule start_index end_index registrant'
      .split(' ')
      .map(ofItems),
    text('method', '', 'printed', { empty: 'no value' }),
    text('concept', '', 'concept that its line was taken for', { empty: 'several numbers: see parts' }),
    text('line', '', 'words of its line, or lines with ` / ` between them', { empty: 'no value' }),
    text('parts', '', 'numbers that it is made of, in JSON: value = sum of weight × value', { empty: 'one number' }),
    text(
      'reason',
      '',
      'no_statement (none is found), no_line (no line is it), ambiguous (several could be), contradicted (an identity does not hold with it), several_companies (of a joint report, and no title says whose)',
      { empty: 'there is a value' },
    ),
  ],
});

export const PRINTED_TABLES = [printedFundamentals];
