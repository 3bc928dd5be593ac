/** Made-up inline reports: statements as tables of lines, a column for each period. */

import type { MappedRow, Row } from '../../src/filings/forms/index.ts';
import { mapFiling } from '../../src/filings/statements/index.ts';

/**
 * `us-gaap:` is left out; a concept may have members: `Revenues[x:AxisName=x:Member]`. Null: an empty cell; `=727.9`: without a scale;
 * `60|70`: two numbers for one period; `70€`: in euros.
 */
export type StatementLine = readonly [label: string, concept: string, ...values: (string | null)[]];

export interface Report {
  readonly type?: string;
  readonly end: string;
  readonly year: number;
  /** Q1 to Q3, FY. */
  readonly period: string;
  /** Columns of income and cash flows: `2024-01-01/2024-12-31`. */
  readonly durations: readonly string[];
  readonly days: readonly string[];
  readonly income?: readonly StatementLine[];
  readonly balance?: readonly StatementLine[];
  readonly cashFlow?: readonly StatementLine[];
  /** Tables after the statements. */
  readonly notes?: readonly (readonly StatementLine[])[];
  /** Shares by the cover. */
  readonly outstanding?: string;
  /** CIKs on the cover, by member. */
  readonly registrants?: Readonly<Record<string, string>>;
}

const NAMESPACES =
  'xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:us-gaap="http://fasb.org/us-gaap/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:ifrs-full="https://xbrl.ifrs.org/taxonomy/2024-03-27/ifrs-full" xmlns:x="http://acme.example/2024" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"';

/** Numbers are in millions, but for those per share. */
export function inlineReport(report: Report): string {
  const contexts = new Map<string, string>();
  const contextOf = (period: string, members: string) => {
    const id = `c${[...contexts.keys()].indexOf(`${period} ${members}`) + 1 || contexts.size + 1}`;
    const [start, end] = period.split('/') as [string, string?];
    const dates =
      end === undefined
        ? `<xbrli:instant>${start}</xbrli:instant>`
        : `<xbrli:startDate>${start}</xbrli:startDate><xbrli:endDate>${end}</xbrli:endDate>`;
    const [axis, member] = members.split('=');
    const segment =
      members === ''
        ? ''
        : `<xbrli:segment><xbrldi:explicitMember dimension="${axis}">${member}</xbrldi:explicitMember></xbrli:segment>`;
    contexts.set(
      `${period} ${members}`,
      `<xbrli:context id="${id}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000042</xbrli:identifier>${segment}</xbrli:entity><xbrli:period>${dates}</xbrli:period></xbrli:context>`,
    );
    return id;
  };
  const cell = (concept: string, period: string, value: string | null): string => {
    if (value === null) return '<td></td>';
    if (value.includes('|'))
      return value
        .split('|')
        .map((each) => cell(concept, period, each))
        .join('');
    const [, name, members = ''] = /^([^[]*)(?:\[(.*)\])?$/.exec(concept)!;
    const unit = /PerShare|PerBasic|PerDiluted/.test(name!)
      ? 'per'
      : /NumberOf|SharesOutstanding/.test(name!)
        ? 'shares'
        : value.endsWith('€')
          ? 'eur'
          : 'usd';
    const scale = unit === 'per' || value.startsWith('=') ? 0 : 6;
    const sign = value.startsWith('-') ? ' sign="-"' : '';
    const qualified = name!.includes(':') ? name : `us-gaap:${name}`;
    return `<td><ix:nonFraction name="${qualified}" contextRef="${contextOf(period, members)}" unitRef="${unit}" decimals="${unit === 'per' ? 2 : scale === 0 ? 1 : -6}" scale="${scale}"${sign}>${value.replace(/[-=€]/g, '')}</ix:nonFraction></td>`;
  };
  const table = (lines: readonly StatementLine[] | undefined, periods: readonly string[]) =>
    lines === undefined
      ? ''
      : `<table>${lines.map(([label, concept, ...values]) => `<tr><td>${label}</td>${values.map((value, k) => cell(concept, periods[k]!, value)).join('')}</tr>`).join('\n')}</table>`;
  const { durations, days, outstanding } = report;
  const cover = (name: string, value: string | number, members = '') =>
    `<ix:nonNumeric name="dei:${name}" contextRef="${contextOf(durations[0] ?? days[0]!, members)}">${value}</ix:nonNumeric>`;
  const body = [
    cover('DocumentType', report.type ?? (report.period === 'FY' ? '10-K' : '10-Q')),
    cover('DocumentPeriodEndDate', report.end),
    cover('DocumentFiscalYearFocus', report.year),
    cover('DocumentFiscalPeriodFocus', report.period),
    ...Object.entries(report.registrants ?? {}).map(([member, cik]) =>
      cover('EntityCentralIndexKey', cik, `dei:LegalEntityAxis=${member}`),
    ),
    outstanding === undefined ? '' : cell('dei:EntityCommonStockSharesOutstanding', report.end, outstanding),
    table(report.balance, days),
    table(report.income, durations),
    table(report.cashFlow, durations),
    ...(report.notes ?? []).map((lines) => table(lines, durations)),
  ].join('\n');
  const units = ['usd:iso4217:USD', 'eur:iso4217:EUR', 'shares:xbrli:shares']
    .map((each) => each.split(/:(.*)/))
    .map(([id, measure]) => `<xbrli:unit id="${id}"><xbrli:measure>${measure}</xbrli:measure></xbrli:unit>`)
    .join('');
  const per =
    '<xbrli:unit id="per"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator><xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>';
  return `<html ${NAMESPACES}><body><div style="display:none"><ix:header><ix:resources>${[...contexts.values()].join('')}${units}${per}</ix:resources></ix:header></div>${body}</body></html>`;
}

export const YEAR = '2024-01-01/2024-12-31';
export const DAY = '2024-12-31';
/** Of one year. */
export const report = (more: Partial<Report>): Report => ({
  end: DAY,
  year: 2024,
  period: 'FY',
  durations: [YEAR],
  days: [DAY],
  ...more,
});

/** Rows of all tables of statements. @param more other documents of the filing, by name */
export function statementsOf(report: Report, more: Record<string, string> = {}): Record<string, Row[]> {
  const texts = { 'acme-20241231.htm': inlineReport(report), ...more };
  const documents = Object.entries(texts).map(([name, text]) => ({ name, type: null, text: () => text }));
  const filing = { accessionNumber: '0000000042-25-000001', filingDate: '2025-02-01', formType: '10-K', documents };
  return rowsOf(filing);
}

/** Rows of all tables of statements, of any filing. */
export function rowsOf(filing: Parameters<typeof mapFiling>[0]): Record<string, Row[]> {
  const rows: MappedRow[] = [
    ...mapFiling(filing, new Set(['fiscal_periods', 'fundamentals', 'fundamental_sources', 'fundamental_checks'])),
  ];
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, list]) => [table, list.map(({ row }) => row)]),
  );
}

/** `{ revenue: '100 FY reported' }`: newest period first, a value with its period and method; null with its reason. */
export function itemsOf(report: Report, more: Record<string, string> = {}): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { item, value, fiscal_period, method, reason } of statementsOf(report, more).fundamentals ?? []) {
    const words = value === null ? String(reason) : `${value} ${fiscal_period} ${method}`;
    found[String(item)] ??= words;
  }
  return found;
}
