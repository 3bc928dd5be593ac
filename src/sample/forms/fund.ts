/** Filings of investment companies, with series and classes in the header: 485BPOS, 497K, N-CEN. */
import { dayOf, isoDay, longDay } from '../calendar.ts';
import type { Company } from '../company.ts';
import type { PlannedFiling, SampleParty, Series, Submission } from '../filing.ts';
import { Prose } from '../prose.ts';
import { Random } from '../random.ts';
import { extensionOf, fileName, pageFor } from '../reports/context.ts';
import { DocumentList, logo } from './document.ts';
import { party, submissionOf } from './header.ts';
import { escapeXml } from './ownership.ts';

const SERIES_SINCE = dayOf(2006, 2, 6);
const FUND_KINDS = ['Growth', 'Income', 'Value', 'Balanced', 'Short Duration Bond', 'International'];
const HEADINGS = ['Investment Objective', 'Principal Strategies', 'Principal Risks', 'Management of the Fund'];

export function fundFiling(plan: PlannedFiling): Submission {
  const { company } = plan;
  const r = new Random(company.seed, 'fund filing', company.id, plan.ordinal);
  const all = seriesOf(company);
  const series = plan.form === '497K' ? [all[plan.ordinal % all.length]!] : all;
  const list = new DocumentList(plan);
  if (plan.form === 'N-CEN') {
    list.text('N-CEN', 'primary_doc.xml', censusXml(plan, series), { wrapper: 'XML' });
    list.text(
      'INTERNAL CONTROL RPT',
      'control.txt',
      `Auditor 1 of ${company.name} found no material weakness in the controls over financial reporting.\n`,
    );
  } else {
    writeProspectus(plan, series, list, r);
  }
  const parties: SampleParty[] =
    plan.form === '485BPOS'
      ? // A registrant under two acts has two file numbers, and is named twice.
        [
          party(plan, 'filer', company, '40', company.fileNumber),
          party(plan, 'filer', company, '33', `333-${company.fileNumber.slice(4)}`, 1),
        ]
      : [party(plan, 'filer', company, plan.form === 'N-CEN' ? '40' : '33', company.fileNumber)];
  return submissionOf(plan, '40', {
    documents: list.documents,
    parties,
    series: plan.filed >= SERIES_SINCE ? series : [],
    newSeries: plan.form === '485BPOS' && plan.ordinal === 0,
    extraHeader: [`EFFECTIVENESS DATE:\t\t${isoDay(plan.filed).replaceAll('-', '')}`],
  });
}

function seriesOf(company: Company): Series[] {
  const r = new Random(company.seed, 'series', company.id);
  const root = company.name.split(' ')[0]!;
  return r.some(FUND_KINDS, r.int(1, 4)).map((kind, i) => ({
    id: `S${String(company.id * 8 + i).padStart(9, '9')}`,
    name: `${root} ${kind} Fund`,
    classes: ['A', 'C', 'I'].slice(0, r.int(1, 3)).map((letter, j) => ({
      id: `C${String(company.id * 32 + i * 4 + j).padStart(9, '9')}`,
      name: `Class ${letter}`,
      ticker: r.chance(0.85) ? `${root.slice(0, 2).toUpperCase()}${r.symbols('BCDFGHJKLMNPQRSTVWZ', 2)}X` : null,
    })),
  }));
}

function writeProspectus(plan: PlannedFiling, series: readonly Series[], list: DocumentList, r: Random): void {
  const { company } = plan;
  const prose = new Prose(new Random(company.seed, 'prospectus', company.id, plan.ordinal), company, plan.fiscalYear);
  const page = pageFor(plan, `${plan.form} of ${company.name}`, false);
  page.centered(company.name, 'large');
  page.centered(plan.form === '497K' ? 'SUMMARY PROSPECTUS' : 'PROSPECTUS', 'bold');
  page.centered(longDay(plan.filed));
  for (const one of series) {
    page.part(one.name);
    for (const heading of HEADINGS) {
      page.subheading(heading);
      for (let i = plan.form === '497K' ? 1 : r.int(2, 5); i > 0; i--)
        page.paragraph(prose.paragraph('offering', 2, 5));
    }
    page.subheading('Fees and Expenses');
    page.table([
      { label: '', values: one.classes.map((c) => c.name), kind: 'head' },
      ...['Management fees', 'Distribution fees', 'Other expenses'].map((label) => ({
        label,
        values: one.classes.map(() => `${r.between(0.05, 0.9).toFixed(2)}%`),
      })),
    ]);
  }
  list.written(
    plan.form,
    fileName(plan, plan.form, extensionOf(page)),
    page.finish(),
    plan.form === '497K' ? 'SUMMARY PROSPECTUS' : 'POST-EFFECTIVE AMENDMENT',
  );
  if (plan.form === '485BPOS') {
    const contract = pageFor(plan, 'EX-99.(D)', false);
    contract.centered('ADVISORY CONTRACT', 'bold');
    for (let i = 1; i <= 5; i++) contract.paragraph(`${i}. ${prose.paragraph('agreement')}`);
    list.written('EX-99.(D)', fileName(plan, 'ex99d', extensionOf(contract)), contract.finish(), 'ADVISORY CONTRACT');
    if (plan.filed >= dayOf(2000, 6, 1)) list.binary('GRAPHIC', fileName(plan, 'logo', 'jpg'), logo(plan));
  }
}

function censusXml(plan: PlannedFiling, series: readonly Series[]): string {
  const { company } = plan;
  return `<?xml version="1.0" encoding="UTF-8"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/ncen">
  <headerData>
    <submissionType>N-CEN</submissionType>
    <filerInfo>
      <filer>
        <issuerCredentials>
          <cik>${company.cik.padStart(10, '0')}</cik>
        </issuerCredentials>
      </filer>
      <periodOfReport>${isoDay(plan.period!)}</periodOfReport>
    </filerInfo>
  </headerData>
  <formData>
    <generalInfo reportEndingPeriod="${isoDay(plan.period!)}" isReportPeriodLt12="false"/>
    <registrantInfo>
      <registrantFullName>${escapeXml(company.name)}</registrantFullName>
      <investmentCompFileNo>${company.fileNumber}</investmentCompFileNo>
      <totalSeries>${series.length}</totalSeries>
    </registrantInfo>
    <managementInvestmentQuestionSeriesInfo>
${series.map((s) => `      <managementInvestmentQuestion>\n        <mgmtInvFundName>${escapeXml(s.name)}</mgmtInvFundName>\n        <mgmtInvSeriesId>${s.id}</mgmtInvSeriesId>\n      </managementInvestmentQuestion>\n`).join('')}    </managementInvestmentQuestionSeriesInfo>
  </formData>
</edgarSubmission>
`;
}
