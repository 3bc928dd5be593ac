/** Statements of a company by year with a picture of them, or of a quarterly report. */
import { type Html, html, trusted } from '../../core/index.ts';

export interface StatementValue {
  readonly accession_number: string;
  readonly item: string;
  readonly statement: string;
  readonly unit: string;
  readonly fiscal_year: number;
  /** FY; of a quarterly report also Q1 to Q3, H1 and 9M. */
  readonly fiscal_period: string;
  readonly period_end: string;
  readonly value: number;
  readonly method: string;
  /** Document with the number; null: unknown. */
  readonly sequence: number | null;
  /** Id of the element with it; null: it has none. */
  readonly anchor: string | null;
}

/** A value on the share basis of the newest report. */
interface BasedValue extends StatementValue {
  /** New shares for each share of its report. */
  readonly factor: number;
}

const YEARS_MAX = 6;
const NAMES: Readonly<Record<string, string>> = {
  income: 'Income statement',
  balance: 'Balance sheet',
  cash_flow: 'Cash flows',
  cover: 'Cover',
};
/** Lines that their item's name does not spell as people write them. */
const LABELS: Readonly<Record<string, string>> = {
  selling_general_admin: 'Selling, general and administrative',
  general_administrative: 'General and administrative',
  selling_marketing: 'Selling and marketing',
  pretax_income: 'Income before tax',
  net_income_with_noncontrolling: 'Net income, with noncontrolling interests',
  net_income_to_common: 'Net income to common shareholders',
  noncontrolling_income: 'Income of noncontrolling interests',
  eps_basic: 'Earnings per share, basic',
  eps_diluted: 'Earnings per share, diluted',
  shares_basic: 'Shares, basic',
  shares_diluted: 'Shares, diluted',
  ppe_net: 'Property, plant and equipment, net',
  long_term_debt: 'Long-term debt',
  long_term_investments: 'Long-term investments',
  short_term_investments: 'Short-term investments',
  short_term_debt: 'Short-term debt',
  stockholders_equity: 'Stockholders’ equity',
  capex: 'Capital expenditure',
  depreciation_amortization: 'Depreciation and amortization',
  interest_income_net: 'Interest income, net',
};

/** The others are behind a click. */
const MAIN = new Set(
  'revenue cost_of_revenue gross_profit research_and_development selling_general_admin operating_income interest_expense pretax_income income_tax net_income eps_basic eps_diluted shares_diluted total_assets current_assets cash receivables inventory ppe_net goodwill total_liabilities current_liabilities long_term_debt stockholders_equity retained_earnings cash_from_operations cash_from_investing cash_from_financing depreciation_amortization capex dividends_paid share_repurchases shares_outstanding'.split(
    ' ',
  ),
);

/** A column of a statement. */
interface Column {
  readonly period: string;
  readonly year: number;
}

const COLUMN_WORDS: Readonly<Record<string, string>> = { FY: '', H1: 'Six months ', '9M': 'Nine months ' };

/** @param values of annual reports, the newest first: it decides what a year's value is; or of one quarterly report */
export function statementsPart(values: readonly StatementValue[]): Html | null {
  const newest = new Map<string, BasedValue>();
  for (const value of onOneBasis(values)) {
    const key = `${value.item} ${value.fiscal_period} ${value.fiscal_year}`;
    if (!newest.has(key)) newest.set(key, value);
  }
  const at = (item: string, { period, year }: Column) => newest.get(`${item} ${period} ${year}`);
  const years = [...new Set(values.map(({ fiscal_year }) => fiscal_year))].sort((a, b) => b - a).slice(0, YEARS_MAX);
  if (years.length === 0) return null;
  const ofYears = years.map((year) => ({ period: 'FY', year }));
  const quarter = values
    .filter(({ fiscal_period }) => fiscal_period.startsWith('Q'))
    .toSorted((a, b) => b.period_end.localeCompare(a.period_end))[0];
  const currency = values.find(({ unit }) => /^[A-Z]{3}$/.test(unit))?.unit ?? 'USD';
  const parts = Object.entries(NAMES).map(([statement, name]) => {
    const stated = values.filter((value) => value.statement === statement);
    const columns = quarter === undefined ? ofYears : columnsOf(quarter, statement, stated);
    const items = [...new Set(stated.map(({ item }) => item))];
    const rows = items.filter((item) => columns.some((column) => at(item, column) !== undefined));
    if (rows.length === 0) return null;
    const tableOf = (label: string, some: readonly string[]) => {
      const shown = columns.flatMap((column) => {
        const value = some.map((item) => at(item, column)).find((one) => one !== undefined);
        return value === undefined ? [] : { ...column, day: value.period_end };
      });
      const [now, last] = shown;
      const hasChange = last !== undefined && last.year === now!.year - 1;
      // Of the balance sheets beside a quarter's, one is of a year's end.
      const heads = shown.map(({ period, year, day }) =>
        quarter !== undefined && statement === 'balance' ? day : `${COLUMN_WORDS[period] ?? `${period} `}${year}`,
      );
      const lines = some.map(
        (item) =>
          html`<tr><th scope="row">${titleOf(item)}</th>${shown.map((column) => html`<td class="number">${numberOf(at(item, column))}</td>`)}${hasChange && html`<td class="number change">${changeOf(at(item, now!), at(item, last))}</td>`}</tr>`,
      );
      return html`<div class="table" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr><th scope="col">${statement === 'cover' ? 'Millions' : `${currency}, millions`}</th>${[...heads, ...(hasChange ? ['Change'] : [])].map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead><tbody>${lines}</tbody></table></div>`;
    };
    const main = rows.filter((item) => MAIN.has(item));
    const more = rows.filter((item) => !MAIN.has(item));
    return html`<h3>${name}</h3>${main.length > 0 && tableOf(name, main)}
${more.length > 0 && html`<details><summary>${more.length} more ${more.length === 1 ? 'line' : 'lines'}</summary>${tableOf(`${name}, more lines`, more)}</details>`}`;
  });
  const words =
    quarter === undefined
      ? 'Fiscal years, as the newest annual report states them.'
      : 'The quarter and the same one of the year before, and the balance sheet with that of the last year’s end, or else the older one of the report.';
  return html`<h2 id="statements">Statements ${quarter === undefined ? 'by year' : `of ${quarter.fiscal_period} ${quarter.fiscal_year}`}</h2>
${quarter === undefined && picture(years.toReversed(), currency, (item, year) => at(item, { period: 'FY', year })?.value ?? null)}
<p class="soft">${words} Each number opens its place in the filing. Amounts and shares are in millions, values per share are not. Shares, and values per share, are as after the newest split.</p>
${parts}`;
}

/** Of a quarterly report. Cash flows are since the year began, as most companies state no others. */
function columnsOf(
  { fiscal_period: quarter, fiscal_year: year }: StatementValue,
  statement: string,
  stated: readonly StatementValue[],
): Column[] {
  const sofar = { Q2: 'H1', Q3: '9M' }[quarter] ?? quarter;
  const first = (of: number, periods: readonly string[]) =>
    periods
      .filter((period) => stated.some((value) => value.fiscal_period === period && value.fiscal_year === of))
      .slice(0, 1)
      .map((period) => ({ period, year: of }));
  const now = first(year, statement === 'cash_flow' ? [sofar, quarter] : [quarter, sofar]);
  const before = statement === 'balance' ? ['FY', quarter] : now.map(({ period }) => period);
  return [...now, ...first(year - 1, before)];
}

const isOfShares = ({ unit }: StatementValue) => unit.includes('/') || /shares?/i.test(unit);

/** Counts of shares, and amounts for each, as after the splits that later reports restate for. @param values the newest report first */
function onOneBasis(values: readonly StatementValue[]): BasedValue[] {
  let factor = 1;
  let later: readonly StatementValue[] = [];
  return [...Map.groupBy(values, ({ accession_number }) => accession_number).values()].flatMap((report) => {
    factor *= splitBetween(report, later);
    later = report;
    return report.map((value) => {
      if (factor === 1 || !isOfShares(value)) return { ...value, factor: 1 };
      return { ...value, factor, value: value.unit.includes('/') ? value.value / factor : value.value * factor };
    });
  });
}

/** New shares for each old one between two reports: their counts for one year differ by it, and earnings per share the other way. */
function splitBetween(report: readonly StatementValue[], later: readonly StatementValue[]): number {
  const ratiosOf = (names: RegExp) =>
    report.flatMap(({ item, period_end, value }) => {
      const other = later.find((each) => each.item === item && each.period_end === period_end);
      return names.test(item) && other !== undefined && value !== 0 ? [other.value / value] : [];
    });
  const earnings = ratiosOf(/^eps_/);
  const found = ratiosOf(/^shares_(basic|diluted)$/).find(
    (ratio) => Math.abs(ratio - 1) > 0.2 && earnings.some((each) => Math.abs(each * ratio - 1) < 0.05),
  );
  // 3.998 is 4, 0.1002 a tenth: options change counts a little.
  if (found === undefined) return 1;
  return found > 1 ? Math.round(found * 4) / 4 : 1 / (Math.round(4 / found) / 4);
}

function titleOf(item: string): string {
  const title = LABELS[item] ?? item.replaceAll('_', ' ');
  return title[0]!.toUpperCase() + title.slice(1);
}

/** How much the newest year's value differs from the year before, of its size. */
function changeOf(newer: BasedValue | undefined, older: BasedValue | undefined): string | null {
  if (newer === undefined || older === undefined || older.value === 0) return null;
  const change = ((newer.value - older.value) / Math.abs(older.value)) * 100;
  const digits = Math.abs(change) < 10 ? 1 : 0;
  const size = Math.abs(change).toFixed(digits);
  const sign = Number(size) === 0 ? '' : change < 0 ? '−' : '+';
  return `${sign}${Number(size).toLocaleString('en-US', { minimumFractionDigits: digits })}%`;
}

function numberOf(value: BasedValue | undefined): Html | null {
  if (value === undefined) return null;
  const { accession_number: number, sequence, anchor, unit, method } = value;
  const isPer = unit.includes('/');
  const shown = isPer ? value.value : value.value / 1e6;
  const digits = isPer ? 2 : Math.abs(shown) < 10 && shown !== 0 ? 1 : 0;
  const text = shown
    .toLocaleString('en-US', { minimumFractionDigits: isPer ? 2 : 0, maximumFractionDigits: digits })
    .replace('-', '−');
  const before = value.factor === 1 ? [] : ['as filed before a split: adjusted'];
  const derived = method === 'reported' ? [] : [`${method}: opens at its first number`];
  const words = [...before, ...derived].join('; ');
  const how = words === '' ? null : html` title="${words}"`;
  if (sequence === null) return how === null ? html`${text}` : html`<span${how}>${text}</span>`;
  return html`<a class="figure"${how} href="/filings/${number}/documents/${sequence}${anchor === null ? null : `?at=${encodeURIComponent(anchor)}`}">${text}</a>`;
}

const WIDTH = 560;
const HEIGHT = 220;
const LEFT = 52;
const TOP = 10;
const FOOT = 22;
const TICKS = 4;

/** Bars of two items over an axis of years, in which a year without a report is a gap. Nothing without two years. */
function picture(years: readonly number[], currency: string, amountAt: (item: string, year: number) => number | null) {
  const first = ['revenue', 'total_assets'].find(
    (item) => years.filter((year) => amountAt(item, year) !== null).length > 1,
  );
  if (first === undefined) return null;
  const items = [first, 'net_income'];
  const amounts = years.flatMap((year) => items.map((item) => amountAt(item, year) ?? 0));
  const [low, high] = [Math.min(0, ...amounts), Math.max(0, ...amounts)];
  if (low === high) return null;
  const between = roundStep((high - low) / TICKS);
  const [bottom, top] = [Math.floor(low / between) * between, Math.ceil(high / between) * between];
  const [unit, size] = top - bottom >= 1e9 ? ['billions', 1e9] : ['millions', 1e6];
  const y = (amount: number) => TOP + ((top - amount) / (top - bottom)) * (HEIGHT - FOOT - TOP);
  const span = years.at(-1)! - years[0]! + 1;
  const step = (WIDTH - LEFT) / span;
  const bar = Math.min(30, step * 0.36);
  const lines = Array.from({ length: Math.round((top - bottom) / between) + 1 }, (_all, k) => bottom + k * between).map(
    (amount) =>
      `<line x1="${LEFT}" x2="${WIDTH}" y1="${y(amount).toFixed(1)}" y2="${y(amount).toFixed(1)}"/><text x="${LEFT - 6}" y="${(y(amount) + 4).toFixed(1)}" text-anchor="end">${tickText(amount / size)}</text>`,
  );
  const marks = years.flatMap((year) => {
    const middle = LEFT + step * (year - years[0]! + 0.5);
    return items.flatMap((item, place) => {
      const amount = amountAt(item, year);
      if (amount === null) return [];
      const from = Math.min(y(amount), y(0));
      const height = Math.max(1, Math.abs(y(amount) - y(0)));
      return `<rect class="bar${place}" x="${(middle + (place - 1) * bar).toFixed(1)}" y="${from.toFixed(1)}" width="${(bar - 2).toFixed(1)}" height="${height.toFixed(1)}"/>`;
    });
  });
  // Long spans name every second year, or fewer.
  const every = Math.ceil(span / 12);
  const names = Array.from({ length: span }, (_all, k) => years[0]! + k).filter(
    (year) => (years.at(-1)! - year) % every === 0,
  );
  const feet = names.map(
    (year) =>
      `<text x="${(LEFT + step * (year - years[0]! + 0.5)).toFixed(1)}" y="${HEIGHT - 5}" text-anchor="middle">${year}</text>`,
  );
  const said = years.map((year) => {
    const words = items.flatMap((item) => {
      const amount = amountAt(item, year);
      return amount === null
        ? []
        : `${titleOf(item).toLowerCase()} ${Math.round(amount / 1e6).toLocaleString('en-US')}`;
    });
    return `${year}: ${words.join(', ')}`;
  });
  return html`<figure class="picture"><figcaption>${currency}, ${unit}: <span class="bar0">■</span> ${titleOf(first)} <span class="bar1">■</span> Net income</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="In millions, ${said.join('; ')}">${trusted([...lines, ...marks, ...feet].join(''))}</svg></figure>`;
}

/** 1, 2, 2.5, 5 or 10 of a power of ten, and not less than the given one. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 2.5, 5].find((digit) => digit * power >= least) ?? 10) * power;
}

const tickText = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 }).replace('-', '−');
