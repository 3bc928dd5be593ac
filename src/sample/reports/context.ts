/** The data that the writers of a report share: the company, its accounts, its prose, the pages of its time. */

import { compactDay, dayOf, isoDay, lastDayOfMonth, partsOf } from '../calendar.ts';
import type { Company } from '../company.ts';
import type { PlannedFiling } from '../filing.ts';
import { type Statement, statementOf } from '../finances.ts';
import { type InlineFacts, ModernPage } from '../pages/modern.ts';
import type { Page } from '../pages/page.ts';
import { PlainPage } from '../pages/plain.ts';
import { Prose } from '../prose.ts';
import { Random } from '../random.ts';

const HTML_SINCE = dayOf(1999, 6, 1);
const MODERN_SINCE = dayOf(2009, 1, 1);
const INLINE_SINCE = dayOf(2019, 6, 15);

export class ReportContext {
  readonly plan: PlannedFiling;
  readonly company: Company;
  readonly random: Random;
  readonly prose: Prose;
  /** of this period, the one before, and the one before that */
  readonly statements: readonly [Statement, Statement, Statement];

  constructor(plan: PlannedFiling) {
    const { company, ordinal, fiscalYear } = plan;
    this.plan = plan;
    this.company = company;
    this.random = new Random(company.seed, 'report', company.id, ordinal);
    this.prose = new Prose(new Random(company.seed, 'prose', company.id, ordinal), company, fiscalYear);
    const at = (back: number) => statementOf(company, fiscalYear - back, plan.fiscalQuarter);
    this.statements = [at(0), at(1), at(2)];
  }

  /** The length of this company's reports, about 0.55 to 1.3. Text without markup is longer, so that its files have a realistic size. */
  get scale(): number {
    const own = 0.55 + ((this.company.style * 7.31) % 1) * 0.75;
    return own * (this.plan.filed < HTML_SINCE ? 1.7 : this.plan.filed < MODERN_SINCE ? 1.2 : 1);
  }

  /** The heads of a statement's columns. */
  columnYears(): string[] {
    return [0, 1, 2].map((back) => String(this.plan.fiscalYear - back));
  }
}

/** A page in the style of its filing date. */
export function pageFor(plan: PlannedFiling, title: string, inline: boolean): Page {
  const { company, filed } = plan;
  const runningHeader = `${company.name.toUpperCase()}`;
  const plainStill = filed < dayOf(2004, 1, 1) && company.style > 0.75;
  if (filed < HTML_SINCE || plainStill) return new PlainPage({ style: company.style, runningHeader });
  return new ModernPage({
    title,
    style: company.style,
    inline: inline && filed >= INLINE_SINCE ? inlineFacts(plan) : null,
    runningFooter: `${company.name} ${plan.form} ${plan.fiscalYear}`,
  });
}

export function isPlain(page: Page): boolean {
  return page instanceof PlainPage;
}

export function usesInlineXbrl(plan: PlannedFiling): boolean {
  return plan.filed >= INLINE_SINCE && /^(10-[KQ]|8-K)/.test(plan.form);
}

function inlineFacts(plan: PlannedFiling): InlineFacts {
  const period = plan.period ?? plan.filed;
  const { year, month } = partsOf(period);
  const start = plan.fiscalQuarter === null ? lastDayOfMonth(year - 1, month) + 1 : lastDayOfMonth(year, month - 3) + 1;
  return {
    prefix: filePrefix(plan.company),
    cik: plan.company.cik,
    name: plan.company.name,
    form: plan.form,
    periodStart: isoDay(start),
    periodEnd: isoDay(period),
    fiscalYear: plan.fiscalYear,
    fiscalPeriod: plan.fiscalQuarter === null ? 'FY' : `Q${plan.fiscalQuarter}`,
  };
}

/** Prefix of a company's file names: its ticker or the first letters of its name. */
export function filePrefix(company: Company): string {
  return (company.tickers[0]?.ticker ?? company.name.replace(/[^A-Za-z]/g, '').slice(0, 6)).toLowerCase();
}

/** The name of a document's file, in the agent's style. */
export function fileName(plan: PlannedFiling, kind: string, extension: string): string {
  const { company } = plan;
  const short = kind.toLowerCase().replace(/[^a-z0-9]/g, '');
  const number = plan.accessionNumber.slice(-6).replace(/^0+/, '');
  switch (company.agent.fileNames) {
    case 'd':
      return `d${number}d${short}.${extension}`;
    case 'form':
      return `form${short}.${extension}`;
    case 'tm':
      return `tm${plan.accessionNumber.slice(11, 13)}${number}d1_${short}.${extension}`;
    case 'ticker':
      return short.startsWith('ex')
        ? `${filePrefix(company)}-${short}_${number}.${extension}`
        : `${filePrefix(company)}-${compactDay(plan.period ?? plan.filed)}${short.startsWith('10') || short === '8k' ? '' : short}.${extension}`;
  }
}

export function extensionOf(page: Page): string {
  return isPlain(page) ? 'txt' : 'htm';
}
