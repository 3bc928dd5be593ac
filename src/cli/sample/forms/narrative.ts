/** Filings that are one long document: proxy statements, registration statements, Schedule 13G. */
import { BALANCE, grouped, INCOME, periodsOf } from '../companies/accounts.ts';
import { longDay } from '../companies/calendar.ts';
import { type Company, type Insider, makeInsider } from '../companies/company.ts';
import type { PlannedFiling, Submission } from '../companies/filing.ts';
import { COHORT_IDS } from '../companies/plan.ts';
import type { Prose, Subject } from '../companies/prose.ts';
import type { Random } from '../companies/random.ts';
import { Draft } from './draft.ts';
import type { Page } from './page.ts';

function start(plan: PlannedFiling): { page: Page; prose: Prose; draft: Draft; r: Random } {
  const draft = new Draft(plan);
  const page = draft.newPage(plan.form);
  page.centered(`FORM ${plan.form}`, 'large');
  page.centered(plan.company.name.toUpperCase(), 'bold');
  return { page, prose: draft.prose('narrative'), draft, r: draft.random('narrative choices') };
}

/** @param rows heading, subject and number of passages of each chapter */
function chapters(
  page: Page,
  prose: Prose,
  rows: readonly [heading: string, subject: Subject, passages: number][],
): void {
  for (const [heading, subject, passages] of rows) {
    page.part(heading);
    page.passages(prose.take(subject, passages));
  }
}

export function proxyStatement(plan: PlannedFiling): Submission {
  const { company, form } = plan;
  const { page, prose, draft, r } = start(plan);
  page.paragraph(
    `The annual meeting of shareholders of ${company.name} will be held on ${longDay(plan.period!)} at our principal offices in ${company.address.city}. You may vote if you held shares at the close of business on the record date.`,
  );
  const rows = [1, 3, 5, 7].map((number) => {
    const [salary, bonus] = [r.int(200, 1200) * 1000, r.int(0, 900) * 1000];
    return { label: `Officer ${number} of ${company.name}`, values: [salary, bonus, salary + bonus].map(grouped) };
  });
  chapters(page, prose, [['PROPOSAL 1. ELECTION OF DIRECTORS', 'governance', 2]]);
  page.table(['Salary', 'Bonus', 'Total'], rows, 'Summary Compensation Table');
  chapters(page, prose, [['PROPOSAL 2. AUDITORS AND OTHER MATTERS', 'governance', 1]]);
  draft.page(form, page, form);
  if (r.chance(0.5)) draft.logo();
  return draft.submission();
}

export function registrationStatement(plan: PlannedFiling): Submission {
  const { company, form } = plan;
  const { page, prose, draft } = start(plan);
  const periods = periodsOf(plan, null, [1, 2, 3]);
  chapters(page, prose, [
    ['PROSPECTUS SUMMARY', 'business', 2],
    ['RISK FACTORS', 'risk', 13],
    ['USE OF PROCEEDS', 'liquidity', 2],
    ['BUSINESS', 'business', 4],
  ]);
  page.statement('Consolidated Statements of Income', INCOME, periods);
  page.statement('Consolidated Balance Sheets', BALANCE, periods);
  draft.page(form, page, `FORM ${form}`);
  const parties = [draft.party('filer', company, '33', `333-${company.fileNumber.slice(4)}1`)];
  return draft.submission({ period: null, parties });
}

/** An entity under one of the cohort's ids that no company and no insider of its companies has. */
function relative(company: Company, id: number, number: number): Insider {
  return makeInsider(company, company.id - (company.id % COHORT_IDS) + id, number);
}

/** Schedule 13G: the company is the subject. Another company, or one of its holders, files it. */
export function ownershipSchedule(plan: PlannedFiling): Submission {
  const { company, other } = plan;
  const { page, draft, r } = start(plan);
  const subject = other ?? company;
  const holder = other ? company : { ...relative(company, 23 + (company.id % COHORT_IDS) * 8, 7), person: false };
  page.paragraph(`1. Name of reporting person: ${holder.name}`);
  const shares = grouped(r.int(100, 9000) * 1000);
  const share = r.between(5, 14).toFixed(1);
  page.paragraph(`9. Beneficially owned: ${shares} shares of ${subject.name}, ${share}% of the class.`);
  page.paragraph(`/s/ ${holder.name}, ${longDay(plan.filed)}`);
  draft.page(plan.form, page, 'SCHEDULE 13G');
  const parties = [
    draft.party('subject_company', subject, '34', `005-${subject.fileNumber.slice(4)}`),
    { ...draft.party('filed_by', holder, null, null, 1), filmNumber: null },
  ];
  return draft.submission({ period: null, parties });
}
