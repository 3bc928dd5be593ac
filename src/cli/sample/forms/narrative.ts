/** Filings that are one long document: proxy statements, registration statements, prospectuses, letters, Schedule 13G. */
import { BALANCE, grouped, INCOME, periodsOf } from '../companies/accounts.ts';
import { longDay } from '../companies/calendar.ts';
import { type Company, type Insider, makeInsider } from '../companies/company.ts';
import type { PlannedFiling, Submission } from '../companies/filing.ts';
import { COHORT_IDS } from '../companies/plan.ts';
import type { Prose, Subject } from '../companies/prose.ts';
import { Random } from '../companies/random.ts';
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

/** 424B: of a depositor together with its trust, both named in the header. */
export function prospectus(plan: PlannedFiling): Submission {
  const { company, form, fiscalYear } = plan;
  const { page, prose, draft, r } = start(plan);
  chapters(page, prose, [
    ['SUMMARY', 'offering', 2],
    ['RISK FACTORS', 'risk', r.int(3, 8)],
    ['DESCRIPTION OF THE NOTES', 'offering', 2],
  ]);
  draft.page(form, page, `RULE ${form} FILING`);
  const number = `333-${company.fileNumber.slice(4)}`;
  const parties = [draft.party('filer', company, '33', number)];
  if (company.kind === 'depositor') {
    const trust = (plan.ordinal % 4) + 1;
    const { cik } = relative(company, 123 + trust, 0);
    const name = `${company.name.split(' ')[0]} Trust ${fiscalYear}-${trust}`;
    parties.push(draft.party('filer', { ...company, cik, name, formerNames: [] }, '33', `${number}-0${trust}`, 1));
  }
  return draft.submission({ period: null, parties });
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

/** A letter of the company to the staff, public since 2005. */
export function letter(plan: PlannedFiling): Submission {
  const { company, filed } = plan;
  const { page, prose, draft, r } = start(plan);
  page.paragraph(`${longDay(filed)} Re: ${company.name}, File No. ${company.fileNumber}`);
  page.passages(prose.take('letter', r.int(1, 2)));
  draft.page('CORRESP', page, null);
  const parties = [{ ...draft.party('filer', company, null, company.fileNumber), filmNumber: null }];
  return draft.submission({ period: null, parties });
}

/** 485BPOS: the prospectus of a fund, with its series and their classes in the header. */
export function fundFiling(plan: PlannedFiling): Submission {
  const { company, form } = plan;
  const { page, prose, draft, r } = start(plan);
  const series = seriesOf(company);
  for (const { name, classes } of series) {
    chapters(page, prose, [[name, 'fund', 4]]);
    const heads = classes.map((c) => c.name);
    const rows = ['Management fees', 'Distribution fees', 'Other expenses'].map((label) => {
      return { label, values: heads.map(() => `${r.between(0.05, 0.9).toFixed(2)}%`) };
    });
    page.table(heads, rows, 'Fees and Expenses');
  }
  draft.page(form, page, 'POST-EFFECTIVE AMENDMENT');
  draft.logo();
  // A registrant under two acts has two file numbers, and is named twice.
  const parties = [
    draft.party('filer', company, '40', company.fileNumber),
    draft.party('filer', company, '33', `333-${company.fileNumber.slice(4)}`, 1),
  ];
  return draft.submission({ parties, series });
}

const KINDS = ['Growth', 'Income', 'Value', 'Balanced', 'International'];

function seriesOf(company: Company): Submission['series'] {
  const r = new Random(company.seed, 'series', company.id);
  const root = company.name.split(' ')[0]!;
  return r
    .shuffle(KINDS)
    .slice(0, r.int(1, 4))
    .map((kind, i) => ({
      id: `S${String(company.id * 8 + i).padStart(9, '9')}`,
      name: `${root} ${kind} Fund`,
      classes: ['A', 'C', 'I'].slice(0, r.int(1, 3)).map((letter, j) => ({
        id: `C${String(company.id * 32 + i * 4 + j).padStart(9, '9')}`,
        name: `Class ${letter}`,
        ticker: r.chance(0.85) ? `${root.slice(0, 2).toUpperCase()}${r.symbols('BCDFGHJKLMNPQRSTVWZ', 2)}X` : null,
      })),
    }));
}
