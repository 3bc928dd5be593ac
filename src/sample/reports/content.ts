/** The content under each item of an annual or quarterly report: prose, and tables for some items. */
import { changePercent, direction, dollarsOfThousands, grouped } from '../amounts.ts';
import { longDay } from '../calendar.ts';
import type { Page } from '../pages/page.ts';
import type { Subject } from '../prose.ts';
import { balanceSheet, incomeStatement, revenueTable } from './accounts.ts';
import type { ReportContext } from './context.ts';
import { exhibitList } from './exhibits.ts';
import type { ReportItem } from './items.ts';

export function writeContent(page: Page, item: ReportItem, context: ReportContext): void {
  const content = CONTENTS[item.content]!;
  if (typeof content === 'string') page.paragraph(content);
  else if (Array.isArray(content)) paragraphs(page, context, content[0], content[1]);
  else content(page, context);
}

/** Fewer paragraphs in a quarterly report, more for a company with long reports. */
function paragraphs(page: Page, context: ReportContext, subject: Subject, count: number): void {
  const share = context.plan.fiscalQuarter === null ? 1 : 0.5;
  for (let i = Math.max(1, Math.round(count * context.scale * share)); i > 0; i--) {
    page.paragraph(context.prose.paragraph(subject));
  }
}

type Content = string | [Subject, number] | ((page: Page, context: ReportContext) => void);

/** What is under an item, by the name that items.ts has for it. */
const CONTENTS: Record<string, Content> = {
  business: writeBusiness,
  risk: (page, context) => {
    for (let i = Math.round((context.plan.fiscalQuarter === null ? 16 : 1) * context.scale); i >= 0; i--) {
      page.subheading(context.prose.sentence('risk'));
      page.paragraph(context.prose.paragraph('risk', 4, 8));
    }
  },
  staff: 'None.',
  security: ['security', 4],
  property: ['property', 3],
  legal: ['legal', 3],
  vote: 'No matters were submitted to a vote of security holders during the period.',
  mine: 'Not applicable.',
  removed: () => undefined,
  reserved: () => undefined,
  market: writeMarket,
  selected: (page, context) => incomeStatement(page, context.statements, context.columnYears()),
  mdna: writeDiscussion,
  marketRisk: ['results', 3],
  statements: writeStatements,
  accountants: 'None.',
  controls: ['governance', 2],
  other: 'None.',
  foreign: 'Not applicable.',
  incorporated:
    'The information that this item requires is incorporated by reference to the proxy statement for the annual meeting.',
  fees: 'Audit fees are set out in the proxy statement and are incorporated by reference.',
  exhibits: (page, context) => {
    page.paragraph('The following exhibits are filed with this report or incorporated by reference:');
    page.table([
      { label: 'Description', values: ['Number'], kind: 'head' },
      ...exhibitList(context.plan).map(({ description, number }) => ({ label: description, values: [number] })),
    ]);
  },
  summary: 'None.',
  sales: 'None.',
  defaults: 'None.',
};

function writeBusiness(page: Page, context: ReportContext): void {
  const { company, plan } = context;
  const [now] = context.statements;
  page.paragraph(
    `${company.name} was founded in ${company.foundedYear} and has its principal offices in ${company.place.city}, ${company.stateName}. Revenue of fiscal ${plan.fiscalYear} was ${dollarsOfThousands(now.revenue)}, and about ${grouped(now.employees)} people were employed at the end of the year.`,
  );
  for (const heading of [
    ...now.segments.map(({ name }) => name),
    'Competition',
    'Suppliers',
    'Regulation',
    'Employees',
  ]) {
    page.subheading(heading);
    paragraphs(page, context, 'business', 3);
  }
  page.bullets(company.products.slice(0, 4).map((name) => `${name}: ${context.prose.sentence('business')}`));
}

function writeMarket(page: Page, context: ReportContext): void {
  const listing = context.company.tickers[0];
  page.paragraph(
    listing
      ? `The common stock trades under the symbol ${listing.ticker}${listing.exchange ? ` on ${listing.exchange}` : ''}.`
      : 'There is no public market for the common stock.',
  );
  paragraphs(page, context, 'governance', 1);
}

function writeDiscussion(page: Page, context: ReportContext): void {
  const { plan } = context;
  const [now, before] = context.statements;
  const span = plan.fiscalQuarter === null ? `fiscal ${plan.fiscalYear}` : `the quarter ended ${longDay(plan.period!)}`;
  page.subheading('Results of Operations');
  page.paragraph(
    `Revenue for ${span} ${direction(now.revenue, before.revenue)} ${changePercent(now.revenue, before.revenue)} to ${dollarsOfThousands(now.revenue)} from ${dollarsOfThousands(before.revenue)}. ${context.prose.paragraph('results')}`,
  );
  revenueTable(page, context.statements, context.columnYears());
  paragraphs(page, context, 'results', 6);
  page.subheading('Liquidity and Capital Resources');
  paragraphs(page, context, 'results', 6);
  page.subheading('Critical Accounting Estimates');
  paragraphs(page, context, 'notes', 4);
}

function writeStatements(page: Page, context: ReportContext): void {
  const { plan } = context;
  const columns = context.columnYears();
  incomeStatement(page, context.statements, columns);
  balanceSheet(page, context.statements, columns);
  for (let i = 1; i <= (plan.fiscalQuarter === null ? 12 : 5); i++) {
    page.subheading(`Note ${i}. ${context.prose.title()}`);
    paragraphs(page, context, 'notes', 3);
  }
}
