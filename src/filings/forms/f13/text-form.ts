/** 13F filings whose information table is text. */
import { ExactSum, timesThousand } from '../map/decimals.ts';
import type { Row } from '../map/descriptor.ts';
import { possibleForms } from '../map/filing.ts';
import type { FilingMapper } from '../map/form.ts';
import { MAPPING_VERSION } from '../map/problems.ts';
import { convert } from '../map/values.ts';
import { readTextTable, type TextHolding } from './text-table.ts';
import { f13TextHoldings, f13TextReports } from './text-tables.ts';
import { ImpliedPrices, type ValueUnit, valueUnit } from './unit.ts';

/** A notice has no table. */
const WITH_TABLE = /^13F-(?:HR|CTR)(?:\/A)?$/;

export const f13Text: FilingMapper = {
  name: 'f13',
  tables: [f13TextReports, f13TextHoldings],
  claims: [],
  *map(filing, found) {
    const { formType } = filing;
    if (found.size > 0 || formType === null || !WITH_TABLE.test(formType)) return;
    const tables = possibleForms(filing).map(({ label, document }) => {
      const text = document.text();
      return { label, period: periodOf(text), ...readTextTable(text) };
    });
    const holdings = tables.flatMap(({ label, holdings: rows }) => rows.map((holding) => ({ label, holding })));
    const prices = new ImpliedPrices();
    const sum = new ExactSum();
    for (const { holding } of holdings) {
      sum.add(holding.value);
      if (tellsPrice(holding)) prices.add(Number(holding.value) / Number(holding.shares));
    }
    const first = (column: 'entryTotal' | 'valueTotal' | 'period') =>
      tables.map((table) => table[column]).find((value) => value !== null) ?? null;
    const [entryTotal, valueTotal] = [first('entryTotal'), first('valueTotal')];
    const { median_price, ...unit } = valueUnit(filing.filingDate, prices);
    const common = { accession_number: filing.accessionNumber };
    yield {
      table: f13TextReports.name,
      row: {
        ...common,
        form_type: formType,
        period_of_report: first('period'),
        table_entry_total: entryTotal === null ? null : convert('BIGINT', entryTotal, () => {}),
        table_value_total: valueTotal,
        holdings: holdings.length,
        value_sum: sum.text,
        share_of_entries: share(holdings.length, entryTotal),
        share_of_value: sum.text === null ? null : share(Number(sum.text), valueTotal),
        median_price,
        ...unit,
        mapping_version: MAPPING_VERSION,
      },
    };
    for (const [position, { label, holding }] of holdings.entries())
      yield { table: f13TextHoldings.name, row: { ...common, position, document: label, ...rowOf(holding, unit) } };
  },
};

function rowOf(holding: TextHolding, unit: Pick<ValueUnit, 'value_unit' | 'value_unit_evidence'>): Row {
  const { value_unit } = unit;
  return {
    line: holding.line,
    name_of_issuer: holding.name,
    title_of_class: holding.title,
    cusip: holding.cusip,
    cusip_valid: holding.cusipValid,
    value: holding.value,
    ...unit,
    value_usd: value_unit === null ? null : value_unit === 'thousands' ? timesThousand(holding.value) : holding.value,
    shares_or_principal: holding.shares,
    rest: holding.rest,
    mapping_version: MAPPING_VERSION,
  };
}

/** Options and bonds imply no price of a share. */
function tellsPrice({ value, shares, rest, title }: TextHolding): boolean {
  return Number(value) > 0 && Number(shares) > 0 && !/\b(?:PUT|CALL|PRN)\b/i.test(`${title} ${rest}`);
}

function share(found: number, total: string | null): string | null {
  if (total === null || Number(total) <= 0) return null;
  return (found / Number(total)).toFixed(6).replace(/\.?0+$/, '');
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const PERIOD =
  /(?:quarter|year)\s+ended:?\s*_*\s*(?:([A-Z][a-z]+)\s+(\d{1,2}),?\s+(\d{4})|(\d{1,2}[-/]\d{1,2}[-/]\d{4}))/i;

function periodOf(text: string): string | null {
  const match = PERIOD.exec(text);
  if (match === null) return null;
  const month = MONTHS.findIndex((name) => name.toLowerCase() === match[1]?.toLowerCase()) + 1;
  const day = match[4] ?? (month === 0 ? null : `${month}/${match[2]}/${match[3]}`);
  return day === null ? null : (convert('DATE', day, () => {}) as string | null);
}
