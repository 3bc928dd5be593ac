/** Filings that are one long document: proxy statements, registration statements, prospectuses, letters, Schedule 13G. */
import { BALANCE, grouped, INCOME, statementOf, statementTable } from '../accounts.ts';
import { longDay } from '../calendar.ts';
import { type Company, type Insider, makeInsider } from '../company.ts';
import type { PlannedFiling, Series, Submission } from '../filing.ts';
import type { Page } from '../page.ts';
import { COHORT_IDS } from '../plan.ts';
import type { Prose, Subject } from '../prose.ts';
import { Random } from '../random.ts';
import { DocumentList, pageOf, party, proseOf, submissionOf } from '../submission.ts';

function start(plan: PlannedFiling): { page: Page; prose: Prose; list: DocumentList; r: Random } {
  const { company, form, ordinal } = plan;
  const page = pageOf(plan, form);
  page.centered(`FORM ${form}`, 'large');
  page.centered(company.name.toUpperCase(), 'bold');
  const r = new Random(company.seed, 'narrative choices', company.id, ordinal);
  return { page, prose: proseOf(plan, 'narrative'), list: new DocumentList(plan), r };
}

/** @param rows heading, subject and number of paragraphs of each chapter */
function chapters(page: Page, prose: Prose, ...rows: [heading: string, subject: Subject, paragraphs: number][]): void {
  for (const [heading, subject, paragraphs] of rows) {
    page.part(heading);
    for (let i = 0; i < paragraphs; i++) {
      if (i % 3 === 2) page.subheading(prose.title());
      page.paragraph(prose.paragraph(subject));
    }
  }
}

export function proxyStatement(plan: PlannedFiling): Submission {
  const { company, form } = plan;
  const { page, prose, list, r } = start(plan);
  page.paragraph(`The annual meeting of holders of ${company.name} will be held on ${longDay(plan.period!)}.`);
  chapters(page, prose, ['PROPOSAL 1. ELECTION OF DIRECTORS', 'governance', 8], ['COMPENSATION', 'governance', 10]);
  const rows = [1, 3, 5, 7].map((number) => {
    const [salary, bonus] = [r.int(200, 1200) * 1000, r.int(0, 900) * 1000];
    return { label: `Officer ${number} of ${company.name}`, values: [salary, bonus, salary + bonus].map(grouped) };
  });
  page.table([{ label: 'Name', values: ['Salary', 'Bonus', 'Total'], kind: 'head' }, ...rows], 'Compensation');
  chapters(page, prose, ['PROPOSAL 2. AUDITORS', 'governance', 3], ['OTHER MATTERS', 'governance', 2]);
  list.page(form, page, form);
  if (r.chance(0.5)) list.logo();
  return submissionOf(plan, list);
}

export function registrationStatement(plan: PlannedFiling): Submission {
  const { company, form, fiscalYear } = plan;
  const { page, prose, list } = start(plan);
  const backs = [1, 2, 3];
  const statements = backs.map((back) => statementOf(company, fiscalYear - back, null));
  const years = backs.map((back) => String(fiscalYear - back));
  chapters(
    page,
    prose,
    ['PROSPECTUS SUMMARY', 'business', 5],
    ['RISK FACTORS', 'risk', 18],
    ['USE OF PROCEEDS', 'offering', 2],
    ['BUSINESS', 'business', 14],
    ['UNDERWRITING', 'offering', 4],
  );
  statementTable(page, 'Consolidated Statements of Income', INCOME, statements, years);
  statementTable(page, 'Consolidated Balance Sheets', BALANCE, statements, years);
  list.page(form, page, `FORM ${form}`);
  const opinion = pageOf(plan, 'EX-5.1');
  opinion.paragraph(`Counsel 1 of ${company.name} is of the opinion that the shares, when issued, will be valid.`);
  list.page('EX-5.1', opinion, 'OPINION OF COUNSEL');
  const parties = [party(plan, 'filer', company, '33', `333-${company.fileNumber.slice(4)}1`)];
  return submissionOf(plan, list, { period: null, parties });
}

/** An entity under one of the cohort's ids that no company and no insider of its companies has. */
function relative(company: Company, id: number, number: number): Insider {
  return makeInsider(company, company.id - (company.id % COHORT_IDS) + id, number);
}

/** 424B: of a depositor together with its trust, both named in the header. */
export function prospectus(plan: PlannedFiling): Submission {
  const { company, form, fiscalYear } = plan;
  const { page, prose, list, r } = start(plan);
  chapters(
    page,
    prose,
    ['SUMMARY', 'offering', r.int(3, 7)],
    ['RISK FACTORS', 'risk', r.int(3, 10)],
    ['DESCRIPTION OF THE NOTES', 'offering', r.int(4, 9)],
    ['PLAN OF DISTRIBUTION', 'offering', 2],
  );
  list.page(form, page, `RULE ${form} FILING`);
  const number = `333-${company.fileNumber.slice(4)}`;
  const parties = [party(plan, 'filer', company, '33', number)];
  if (company.kind === 'depositor') {
    const trust = (plan.ordinal % 4) + 1;
    const { cik } = relative(company, 123 + trust, 0);
    const name = `${company.name.split(' ')[0]} Trust ${fiscalYear}-${trust}`;
    parties.push(party(plan, 'filer', { ...company, cik, name, formerNames: [] }, '33', `${number}-0${trust}`, 1));
  }
  return submissionOf(plan, list, { period: null, parties });
}

/** Schedule 13G: the company is the subject. Another company, or one of its holders, files it. */
export function ownershipSchedule(plan: PlannedFiling): Submission {
  const { company, other } = plan;
  const { page, list, r } = start(plan);
  const subject = other ?? company;
  const holder = other ? company : { ...relative(company, 23 + (company.id % COHORT_IDS) * 8, 7), person: false };
  page.paragraph(`1. Name of reporting person: ${holder.name}`);
  const shares = grouped(r.int(100, 9000) * 1000);
  page.paragraph(
    `9. Beneficially owned: ${shares} shares of ${subject.name}, ${r.between(5, 14).toFixed(1)}% of the class.`,
  );
  page.paragraph(`/s/ ${holder.name}, ${longDay(plan.filed)}`);
  list.page(plan.form, page, 'SCHEDULE 13G');
  const parties = [
    party(plan, 'subject_company', subject, '34', `005-${subject.fileNumber.slice(4)}`),
    { ...party(plan, 'filed_by', holder, null, null, 1), filmNumber: null },
  ];
  return submissionOf(plan, list, { period: null, parties });
}

/** A letter of the company to the staff, public since 2005. */
export function letter(plan: PlannedFiling): Submission {
  const { company, filed } = plan;
  const { page, prose, list, r } = start(plan);
  page.paragraph(`${longDay(filed)} Re: ${company.name}, File No. ${company.fileNumber}`);
  for (let i = r.int(2, 5); i > 0; i--) page.paragraph(prose.paragraph('notes', 2, 3));
  list.page('CORRESP', page, null);
  const parties = [{ ...party(plan, 'filer', company, null, company.fileNumber), filmNumber: null }];
  return submissionOf(plan, list, { period: null, parties });
}

/** 485BPOS: the prospectus of a fund, with its series and their classes in the header. */
export function fundFiling(plan: PlannedFiling): Submission {
  const { company, form } = plan;
  const { page, prose, list, r } = start(plan);
  const series = seriesOf(company);
  for (const { name, classes } of series) {
    chapters(page, prose, [name, 'offering', r.int(8, 14)]);
    const rows = ['Management fees', 'Distribution fees', 'Other expenses'].map((label) => ({
      label,
      values: classes.map(() => `${r.between(0.05, 0.9).toFixed(2)}%`),
    }));
    page.table([{ label: '', values: classes.map((c) => c.name), kind: 'head' }, ...rows], 'Fees and Expenses');
  }
  list.page(form, page, 'POST-EFFECTIVE AMENDMENT');
  list.logo();
  // A registrant under two acts has two file numbers, and is named twice.
  const parties = [
    party(plan, 'filer', company, '40', company.fileNumber),
    party(plan, 'filer', company, '33', `333-${company.fileNumber.slice(4)}`, 1),
  ];
  return submissionOf(plan, list, { parties, series });
}

function seriesOf(company: Company): Series[] {
  const r = new Random(company.seed, 'series', company.id);
  const root = company.name.split(' ')[0]!;
  return r.some(['Growth', 'Income', 'Value', 'Balanced', 'International'], r.int(1, 4)).map((kind, i) => ({
    id: `S${String(company.id * 8 + i).padStart(9, '9')}`,
    name: `${root} ${kind} Fund`,
    classes: ['A', 'C', 'I'].slice(0, r.int(1, 3)).map((letter, j) => ({
      id: `C${String(company.id * 32 + i * 4 + j).padStart(9, '9')}`,
      name: `Class ${letter}`,
      ticker: r.chance(0.85) ? `${root.slice(0, 2).toUpperCase()}${r.symbols('BCDFGHJKLMNPQRSTVWZ', 2)}X` : null,
    })),
  }));
}
