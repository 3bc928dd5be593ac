/** What stands under each item of an annual or quarterly report. */
import { changePercent, direction, dollarsOfThousands, grouped } from '../amounts.ts';
import { longDay } from '../calendar.ts';
import type { Page } from '../pages/page.ts';
import { balanceSheet, cashFlows, incomeStatement, perShare, revenueTable, selectedData } from './accounts.ts';
import type { ReportContext } from './context.ts';
import { exhibitList } from './exhibits.ts';
import type { ReportItem } from './items.ts';

export function writeContent(page: Page, item: ReportItem, context: ReportContext): void {
  const writer = WRITERS[item.content];
  writer(page, context);
}

const count = (context: ReportContext, n: number) => Math.max(1, Math.round(n * context.scale));
const quarterly = (context: ReportContext) => context.plan.fiscalQuarter !== null;

type Writer = (page: Page, context: ReportContext) => void;

const WRITERS: Record<ReportItem['content'], Writer> = {
  business: writeBusiness,
  risk: writeRisks,
  staff: (page) => page.paragraph('None.'),
  security: (page, context) => context.paragraphs(page, 'security', 'security', count(context, 4)),
  property: (page, context) => context.paragraphs(page, 'property', 'property', count(context, 3)),
  legal: (page, context) =>
    quarterly(context) && context.random.chance(0.4)
      ? page.paragraph('There have been no material developments since the annual report on Form 10-K.')
      : context.paragraphs(page, 'legal', 'legal', count(context, 3)),
  vote: (page) => page.paragraph('No matters were submitted to a vote of security holders during the period.'),
  mine: (page) => page.paragraph('Not applicable.'),
  removed: () => undefined,
  reserved: () => undefined,
  market: writeMarket,
  selected: (page, context) => selectedData(page, context.statements, context.columnYears()),
  mdna: writeDiscussion,
  marketRisk: (page, context) => {
    const { debt } = context.statements[0];
    page.paragraph(
      `Debt with floating rates was part of the total of ${dollarsOfThousands(debt)}. A change of one percentage point would have moved interest by about ${dollarsOfThousands(debt * 0.004)} a year.`,
    );
    context.paragraphs(page, 'marketRisk', 'results', count(context, 2));
  },
  statements: writeStatements,
  accountants: (page) => page.paragraph('None.'),
  controls: (page, context) => {
    page.paragraph(
      `The chief executive officer and the chief financial officer evaluated the disclosure controls as of ${longDay(context.plan.period!)} and found them effective.`,
    );
    context.paragraphs(page, 'controls', 'governance', 2);
  },
  other: (page) => page.paragraph('None.'),
  foreign: (page) => page.paragraph('Not applicable.'),
  incorporated: (page, context) =>
    page.paragraph(
      `The information that this item requires is incorporated by reference to the proxy statement for the ${context.plan.fiscalYear + 1} annual meeting.`,
    ),
  fees: (page, context) =>
    page.paragraph(
      `Audit fees were ${dollarsOfThousands(300 + context.statements[0].revenue * 0.0004)}; other fees are set out in the proxy statement and are incorporated by reference.`,
    ),
  exhibits: writeExhibits,
  summary: (page) => page.paragraph('None.'),
  sales: (page) => page.paragraph('None.'),
  defaults: (page) => page.paragraph('None.'),
};

function writeBusiness(page: Page, context: ReportContext): void {
  const { company, statements, plan } = context;
  const [now] = statements;
  const we = company.voice === 'we';
  page.subheading('Overview');
  page.paragraph(
    `${company.name} was founded in ${company.foundedYear} and has its principal offices in ${company.place.city}, ${company.stateName}. ${we ? 'We report' : 'The Company reports'} ${now.segments.length} segments: ${now.segments.map((s) => s.name).join(', ')}. Revenue of fiscal ${plan.fiscalYear} was ${dollarsOfThousands(now.revenue)}, and about ${grouped(now.employees)} people were employed at the end of the year.`,
  );
  for (const [i, segment] of now.segments.entries()) {
    page.subheading(segment.name);
    page.paragraph(
      `The ${segment.name} segment had revenue of ${dollarsOfThousands(segment.revenue)}, or ${((segment.revenue / now.revenue) * 100).toFixed(1)}% of the total. ${context.standing('segment', i).paragraph('business')}`,
    );
    context.paragraphs(page, `business ${i}`, 'business', count(context, 3));
  }
  page.subheading('Products');
  page.bullets(
    company.products.slice(0, 4).map((name, i) => `${name}: ${context.standing('product', i).sentence('business')}`),
  );
  for (const heading of ['Competition', 'Suppliers', 'Regulation', 'Employees']) {
    page.subheading(heading);
    context.paragraphs(page, heading, 'business', count(context, 2));
  }
}

function writeRisks(page: Page, context: ReportContext): void {
  if (quarterly(context)) {
    page.paragraph(
      'Except as set out below, there were no material changes to the risk factors in the latest annual report.',
    );
    if (context.random.chance(0.5)) page.paragraph(context.fresh.paragraph('risk'));
    return;
  }
  page.paragraph(
    'The following factors, alone or together, could harm results. Others that are not known today could do so as well.',
  );
  const total = count(context, 13);
  for (let i = 0; i < total; i++) {
    page.subheading(context.standing('risk', i).riskTitle());
    page.paragraph(context.standing('risk body', i).paragraph('risk', 3, 6));
    if (i % 3 === 0) page.paragraph(context.standing('risk more', i).paragraph('risk', 2, 5));
  }
}

function writeMarket(page: Page, context: ReportContext): void {
  const { company, statements, random } = context;
  const [now] = statements;
  const listing = company.tickers[0];
  page.paragraph(
    listing
      ? `The common stock trades under the symbol ${listing.ticker}${listing.exchange ? ` on ${listing.exchange}` : ''}. There were ${grouped(random.int(300, 9000))} holders of record.`
      : 'There is no public market for the common stock.',
  );
  const price = Math.max(2, now.earningsPerShare * random.between(9, 22));
  page.table(
    [
      { label: '', values: ['High', 'Low'], kind: 'head' },
      ...['First quarter', 'Second quarter', 'Third quarter', 'Fourth quarter'].map((label) => {
        const middle = price * random.between(0.85, 1.15);
        return { label, values: [(middle * 1.08).toFixed(2), (middle * 0.92).toFixed(2)] };
      }),
    ],
    { caption: 'Prices of the common stock' },
  );
  context.paragraphs(page, 'market', 'governance', 1);
}

function writeDiscussion(page: Page, context: ReportContext): void {
  const { plan, statements } = context;
  const [now, before] = statements;
  const span = plan.fiscalQuarter === null ? `fiscal ${plan.fiscalYear}` : `the quarter ended ${longDay(plan.period!)}`;
  page.subheading('Results of Operations');
  page.paragraph(
    `Revenue for ${span} ${direction(now.revenue, before.revenue)} ${changePercent(now.revenue, before.revenue)} to ${dollarsOfThousands(now.revenue)} from ${dollarsOfThousands(before.revenue)}. ${context.fresh.paragraph('results', 2, 3)}`,
  );
  revenueTable(page, statements, context.columnYears());
  now.segments.forEach((segment, i) => {
    const earlier = before.segments[i]!;
    page.paragraph(
      `Revenue of the ${segment.name} segment ${direction(segment.revenue, earlier.revenue)} ${changePercent(segment.revenue, earlier.revenue)} to ${dollarsOfThousands(segment.revenue)}. ${context.fresh.paragraph('results', 2, 4)}`,
    );
  });
  const margin = (now.grossProfit / now.revenue) * 100;
  page.paragraph(
    `Gross profit was ${dollarsOfThousands(now.grossProfit)}, or ${margin.toFixed(1)}% of revenue. Selling, general and administrative expense was ${dollarsOfThousands(now.selling)}. ${context.fresh.paragraph('results', 2, 4)}`,
  );
  page.paragraph(
    `Net income was ${dollarsOfThousands(now.netIncome)}, or $${perShare(now.earningsPerShare)} a share, compared with ${dollarsOfThousands(before.netIncome)}, or $${perShare(before.earningsPerShare)} a share. ${context.fresh.sentence('results')}`,
  );
  page.subheading('Liquidity and Capital Resources');
  page.paragraph(
    `Operating activities provided ${dollarsOfThousands(now.operatingCash)}; capital expenditures were ${dollarsOfThousands(-now.investingCash)}. Cash was ${dollarsOfThousands(now.cash)} and debt ${dollarsOfThousands(now.debt)} at the end of the period.`,
  );
  context.paragraphs(page, 'liquidity', 'results', count(context, quarterly(context) ? 3 : 6));
  page.subheading('Critical Accounting Estimates');
  context.paragraphs(page, 'estimates', 'notes', count(context, quarterly(context) ? 2 : 4));
}

function writeStatements(page: Page, context: ReportContext): void {
  const { statements, plan } = context;
  const columns = context.columnYears();
  if (plan.fiscalQuarter === null) {
    page.subheading('Report of Independent Registered Public Accounting Firm');
    page.paragraph(
      `We have audited the consolidated balance sheets of ${context.company.name} as of ${longDay(plan.period!)} and the related statements, and in our opinion they present fairly, in all material respects, its financial position. Auditor 1 of ${context.company.name}.`,
    );
  }
  incomeStatement(page, statements, columns);
  balanceSheet(page, statements, columns);
  cashFlows(page, statements, columns);
  const notes = count(context, quarterly(context) ? 5 : 11);
  for (let i = 0; i < notes; i++) {
    page.subheading(`Note ${i + 1}. ${context.standing('note', i).title()}`);
    page.paragraph(context.standing('note body', i).paragraph('notes', 3, 6));
    if (i % 2 === 0) page.paragraph(context.fresh.paragraph('notes', 2, 5));
    if (i % 3 === 2) {
      const rows = Array.from({ length: context.random.int(4, 7) }, (_, row) => ({
        label: context.standing(`note ${i} row`, row).title(),
        values: [0, 1].map(() => grouped(context.random.int(100, 90_000))),
      }));
      page.table([{ label: '', values: columns.slice(0, 2), kind: 'head' }, ...rows], { caption: '(in thousands)' });
    }
  }
}

function writeExhibits(page: Page, context: ReportContext): void {
  page.paragraph('The following exhibits are filed with this report or incorporated by reference:');
  page.table([
    { label: 'Description', values: ['Number'], kind: 'head' },
    ...exhibitList(context.plan).map((exhibit) => ({ label: exhibit.description, values: [exhibit.number] })),
  ]);
}
