/** Filings that are one long document: proxy statements, registration statements, prospectuses, letters, Schedule 13G. */
import { grouped } from '../amounts.ts';
import { dayOf, longDay } from '../calendar.ts';
import { makeInsider } from '../company.ts';
import type { PlannedFiling, SampleParty, Submission } from '../filing.ts';
import { statementOf } from '../finances.ts';
import type { Page } from '../pages/page.ts';
import { Prose, type Subject } from '../prose.ts';
import { Random } from '../random.ts';
import { balanceSheet, incomeStatement } from '../reports/accounts.ts';
import { extensionOf, fileName, pageFor } from '../reports/context.ts';
import { DocumentList, logo, pdfOf } from './document.ts';
import { party, submissionOf } from './header.ts';

/** @param rows heading, subject and number of paragraphs of each chapter */
function chapters(page: Page, prose: Prose, rows: string): void {
  for (const row of rows.trim().split('\n')) {
    const [heading, subject, paragraphs] = row.trim().split(' | ') as [string, Subject, string];
    page.part(heading);
    for (let i = 0; i < Number(paragraphs); i++) {
      if (i % 3 === 2) page.subheading(prose.title());
      page.paragraph(prose.paragraph(subject));
    }
  }
}

function start(plan: PlannedFiling): { page: Page; prose: Prose; list: DocumentList; r: Random } {
  const { company } = plan;
  const page = pageFor(plan, `${plan.form} of ${company.name}`, false);
  return {
    page,
    prose: new Prose(new Random(company.seed, 'narrative', company.id, plan.ordinal), company, plan.fiscalYear),
    list: new DocumentList(plan),
    r: new Random(company.seed, 'narrative choices', company.id, plan.ordinal),
  };
}

export function proxyStatement(plan: PlannedFiling): Submission {
  const { company } = plan;
  const { page, prose, list, r } = start(plan);
  page.centered('SCHEDULE 14A', 'large');
  page.centered(company.name.toUpperCase(), 'bold');
  page.paragraph(
    `The annual meeting of holders of ${company.name} will be held on ${longDay(plan.period!)} in ${company.place.city}, ${company.stateName}.`,
  );
  chapters(
    page,
    prose,
    `
      PROPOSAL 1. ELECTION OF DIRECTORS | governance | 8
      EXECUTIVE COMPENSATION | governance | 10`,
  );
  page.table(
    [
      { label: 'Name', values: ['Salary', 'Bonus', 'Total'], kind: 'head' },
      ...[1, 3, 5, 7].map((number) => {
        const [salary, bonus] = [r.int(200, 1200) * 1000, r.int(0, 900) * 1000];
        return { label: `Officer ${number} of ${company.name}`, values: [salary, bonus, salary + bonus].map(grouped) };
      }),
    ],
    { money: true, caption: 'Summary of Compensation' },
  );
  chapters(
    page,
    prose,
    `
      PROPOSAL 2. AUDITORS | governance | 3
      OTHER MATTERS | governance | 2`,
  );
  const chart = plan.filed >= dayOf(2005, 1, 1) && r.chance(0.5);
  if (chart) page.image(fileName(plan, 'logo', 'jpg'), `Logo of ${company.name}`);
  list.written(plan.form, fileName(plan, 'def14a', extensionOf(page)), page.finish(), plan.form);
  if (chart) list.binary('GRAPHIC', fileName(plan, 'logo', 'jpg'), logo(plan));
  return submissionOf(plan, '34', { documents: list.documents });
}

export function registrationStatement(plan: PlannedFiling): Submission {
  const { company } = plan;
  const { page, prose, list } = start(plan);
  page.centered(`FORM ${plan.form}`, 'large');
  page.centered('REGISTRATION STATEMENT UNDER THE SECURITIES ACT OF 1933', 'bold');
  page.centered(company.name.toUpperCase(), 'large');
  const statements = [0, 1, 2].map((back) => statementOf(company, plan.fiscalYear - 1 - back, null));
  const columns = [0, 1, 2].map((back) => String(plan.fiscalYear - 1 - back));
  const whole = plan.form.startsWith('S-1');
  chapters(
    page,
    prose,
    `
      PROSPECTUS SUMMARY | business | ${whole ? 5 : 2}
      RISK FACTORS | risk | ${whole ? 18 : 1}
      USE OF PROCEEDS | offering | 2
      BUSINESS | business | ${whole ? 14 : 1}
      UNDERWRITING | offering | ${whole ? 4 : 1}`,
  );
  if (whole) {
    incomeStatement(page, statements, columns);
    balanceSheet(page, statements, columns);
  }
  list.written(plan.form, fileName(plan, plan.form, extensionOf(page)), page.finish(), `FORM ${plan.form}`);
  const opinion = pageFor(plan, 'EX-5.1', false);
  opinion.paragraph(
    `Counsel 1 of ${company.name} is of the opinion that the shares, when issued, will be valid. ${prose.paragraph('agreement')}`,
  );
  list.written('EX-5.1', fileName(plan, 'ex5.1', extensionOf(opinion)), opinion.finish(), 'OPINION OF COUNSEL');
  if (plan.filed >= dayOf(2022, 1, 31)) {
    const fees = pageFor(plan, 'EX-FILING FEES', false);
    fees.table([
      { label: 'Security', values: ['Amount', 'Fee'], kind: 'head' },
      { label: 'Common stock', values: ['$50,000,000', '$7,655'] },
    ]);
    list.written('EX-FILING FEES', fileName(plan, 'exfilingfees', extensionOf(fees)), fees.finish(), 'FILING FEES');
  }
  return submissionOf(plan, '33', {
    documents: list.documents,
    period: null,
    parties: [party(plan, 'filer', company, '33', `333-${company.fileNumber.slice(4)}1`)],
  });
}

/** 424B: of a depositor together with its trust, both named in the header. */
export function prospectus(plan: PlannedFiling): Submission {
  const { company } = plan;
  const { page, prose, list, r } = start(plan);
  page.centered(`Filed pursuant to Rule ${plan.form.replace('424B', '424(b)(')})`);
  page.centered('PROSPECTUS SUPPLEMENT', 'bold');
  page.centered(company.name.toUpperCase(), 'large');
  chapters(
    page,
    prose,
    `
      SUMMARY | offering | ${r.int(3, 7)}
      RISK FACTORS | risk | ${r.int(3, 10)}
      DESCRIPTION OF THE NOTES | offering | ${r.int(4, 9)}
      PLAN OF DISTRIBUTION | offering | 2`,
  );
  list.written(plan.form, fileName(plan, plan.form, extensionOf(page)), page.finish(), `RULE ${plan.form} FILING`);
  const number = `333-${company.fileNumber.slice(4)}`;
  const parties: SampleParty[] = [party(plan, 'filer', company, '33', number)];
  if (company.kind === 'depositor') {
    const trust = makeInsider(company, company.id - (company.id % 128) + 124 + (plan.ordinal % 4), plan.ordinal);
    const entity = {
      ...company,
      cik: trust.cik,
      name: `${company.name.split(' ')[0]} Trust ${plan.fiscalYear}-${(plan.ordinal % 4) + 1}`,
      formerNames: [],
    };
    const role = plan.ordinal % 2 ? 'serial_company' : 'filer';
    parties.push(party(plan, role, entity, '33', `${number}-0${(plan.ordinal % 4) + 1}`, 1));
  }
  return submissionOf(plan, '33', { documents: list.documents, period: null, parties });
}

/** Schedule 13G: the company is the subject. Another company, or one of its holders, files it. */
export function ownershipSchedule(plan: PlannedFiling): Submission {
  const { company } = plan;
  const { list, r } = start(plan);
  const subject = plan.other ?? company;
  const holder = plan.other
    ? company
    : { ...makeInsider(company, company.id - (company.id % 128) + 16 + (company.id % 128) * 8 + 7, 7), person: false };
  const page = pageFor(plan, `${plan.form}`, false);
  const shares = r.int(100, 9000) * 1000;
  page.centered('SCHEDULE 13G', 'large');
  page.centered(subject.name.toUpperCase(), 'bold');
  page.centered('(Name of Issuer)');
  page.paragraph(`1. Name of reporting person: ${holder.name}`);
  page.paragraph(
    `9. Aggregate amount beneficially owned: ${grouped(shares)} shares, or ${r.between(5, 14).toFixed(1)}% of the class.`,
  );
  page.paragraph(
    `Item 4. ${holder.name} holds the shares for its clients, none of whom has an interest in more than five percent of the class.`,
  );
  page.paragraph(`/s/ ${holder.name}, ${longDay(plan.filed)}`);
  list.written(plan.form, fileName(plan, 'sc13g', extensionOf(page)), page.finish(), `SCHEDULE 13G`);
  return submissionOf(plan, '34', {
    documents: list.documents,
    period: null,
    parties: [
      party(plan, 'subject_company', subject, '34', `005-${subject.fileNumber.slice(4)}`),
      { ...party(plan, 'filed_by', holder, null, null, 1), filmNumber: null },
    ],
  });
}

/** Letters between the staff and a company, public since 2005: a page of HTML, or a PDF, followed by its text. */
export function letter(plan: PlannedFiling): Submission {
  const { company } = plan;
  const { page, prose, list, r } = start(plan);
  const body = [
    `${longDay(plan.filed)}`,
    `Re: ${company.name}, Form 10-K for fiscal ${plan.fiscalYear - 1}, File No. ${company.fileNumber}`,
  ];
  for (let i = 1; i <= r.int(2, 5); i++)
    body.push(`${i}. ${prose.paragraph('notes', 2, 3)} Please tell us how you considered this.`);
  const upload = plan.form === 'UPLOAD';
  if (upload) {
    const lines = body.flatMap((text) => [...(text.match(/.{1,88}(?:\s|$)/g) ?? []), '']);
    list.binary('LETTER', 'filename1.pdf', pdfOf(lines), null, 'PDF');
    list.text('TEXT-EXTRACT', 'filename2.txt', `${lines.join('\n')}\n`);
  } else {
    for (const text of body) page.paragraph(text);
    list.written('CORRESP', fileName(plan, 'corresp', extensionOf(page)), page.finish(), null);
  }
  const one = party(plan, upload ? 'filed_for' : 'filer', company, null, company.fileNumber);
  return submissionOf(plan, '34', {
    documents: list.documents,
    period: null,
    parties: [{ ...one, filmNumber: null }],
    extraHeader: [],
  });
}
