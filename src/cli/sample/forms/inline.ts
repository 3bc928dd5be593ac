/** Inline XBRL of a report: its amounts, their periods and units, and the facts of its cover. */
import { BALANCE, type Line, type Period } from '../companies/accounts.ts';
import { compactDay, dayOf, isoDay, yearOf } from '../companies/calendar.ts';
import type { PlannedFiling } from '../companies/filing.ts';

/** Since then SEC takes it from every kind of company, and the sample's reports have it. */
export const INLINE_SINCE = dayOf(2019, 6, 15);

const measure = (name: string) => `<xbrli:measure>${name}</xbrli:measure>`;
const UNITS = `<xbrli:unit id="usd">${measure('iso4217:USD')}</xbrli:unit><xbrli:unit id="shares">${measure('xbrli:shares')}</xbrli:unit><xbrli:unit id="per"><xbrli:divide><xbrli:unitNumerator>${measure('iso4217:USD')}</xbrli:unitNumerator><xbrli:unitDenominator>${measure('xbrli:shares')}</xbrli:unitDenominator></xbrli:divide></xbrli:unit>`;

export class Tags {
  readonly #contexts = new Map<string, string>();
  readonly #plan: PlannedFiling;
  readonly #current: Period;
  #facts = 0;

  /** @param current the period of the report, from the first day of its year */
  constructor(plan: PlannedFiling, current: Period) {
    this.#plan = plan;
    this.#current = current;
  }

  /** Name of the company's taxonomy. */
  get schema(): string {
    return `c${this.#plan.company.cik}-${compactDay(this.#current.to)}.xsd`;
  }

  /** It has no concepts of the company's own. */
  taxonomy(): string {
    return `<?xml version="1.0" encoding="US-ASCII"?>\n<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.example.com/${this.schema.slice(0, -4)}"/>\n`;
  }

  /** Attributes of the page's root. */
  namespaces(): string {
    const year = yearOf(this.#current.to);
    const release = year < 2022 ? `${year}-01-31` : year;
    return ` xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12" xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:iso4217="http://www.xbrl.org/2003/iso4217" xmlns:us-gaap="http://fasb.org/us-gaap/${release}" xmlns:dei="http://xbrl.sec.gov/dei/${release}"`;
  }

  /** What every fact has: a number of its own, its concept and its period, which is a day if it has no start. */
  #fact(concept: string, from: number | null, to: number): string {
    const id = `${from === null ? '' : `d${compactDay(from)}_`}i${compactDay(to)}`;
    const day = (tag: string, of: number) => `<xbrli:${tag}>${isoDay(of)}</xbrli:${tag}>`;
    const days = from === null ? day('instant', to) : day('startDate', from) + day('endDate', to);
    const cik = this.#plan.company.cik.padStart(10, '0');
    this.#contexts.set(
      id,
      `<xbrli:context id="${id}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">${cik}</xbrli:identifier></xbrli:entity><xbrli:period>${days}</xbrli:period></xbrli:context>`,
    );
    return `id="f-${++this.#facts}" name="${concept}" contextRef="${id}"`;
  }

  /** @param digits the number as the page shows it, without its sign */
  amount(line: Line, of: Period, digits: string): string {
    const unit = { earningsPerShare: 'per', shares: 'shares' }[line[0] as string] ?? 'usd';
    const precision = unit === 'per' ? 'decimals="2" scale="0"' : 'decimals="-3" scale="3"';
    const fact = this.#fact(`us-gaap:${line[2].replace('-', '')}`, BALANCE.includes(line) ? null : of.from, of.to);
    const sign = of[line[0]] < 0 ? ' sign="-"' : '';
    return `<ix:nonFraction ${fact} unitRef="${unit}" ${precision}${sign} format="ixt:num-dot-decimal">${digits}</ix:nonFraction>`;
  }

  /** The facts of the cover, then all periods and units. */
  header(): string {
    const current = this.#current;
    const { company, form, fiscalYear, fiscalQuarter, filed } = this.#plan;
    const cover = {
      DocumentType: form,
      DocumentPeriodEndDate: isoDay(current.to),
      DocumentFiscalYearFocus: fiscalYear,
      DocumentFiscalPeriodFocus: fiscalQuarter === null ? 'FY' : `Q${fiscalQuarter}`,
      CurrentFiscalYearEndDate: `--${company.fiscalYearEnd!.replace(/(?=..$)/, '-')}`,
      AmendmentFlag: form.endsWith('/A'),
      EntityCentralIndexKey: company.cik.padStart(10, '0'),
    };
    const facts = Object.entries(cover).map(
      ([name, value]) =>
        `<ix:nonNumeric ${this.#fact(`dei:${name}`, current.from, current.to)}>${value}</ix:nonNumeric>`,
    );
    const shares = `<ix:nonFraction ${this.#fact('dei:EntityCommonStockSharesOutstanding', null, filed - 10)} unitRef="shares" decimals="0">${current.shares * 1000}</ix:nonFraction>`;
    return `<div style="display:none"><ix:header><ix:hidden>${facts.join('')}${shares}</ix:hidden><ix:references><link:schemaRef xlink:type="simple" xlink:href="${this.schema}"/></ix:references><ix:resources>${[...this.#contexts.values()].join('')}${UNITS}</ix:resources></ix:header></div>`;
  }
}
