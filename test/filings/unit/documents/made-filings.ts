/** Small made-up reports whose items hold words that tell them apart, to be set in the ways in which filings are made. */
import { findSections } from '../../../../src/filings/documents/index.ts';

export interface MadeItem {
  /** As printed: `7A`. */
  number: string;
  /** Of the section: `7A`, `II-1A`. */
  code: string;
  title: string;
}

const item = (number: string, title: string, code = number): MadeItem => ({ number, code, title });

export const TEN_K: readonly MadeItem[] = [
  item('1', 'Business'),
  item('1A', 'Risk Factors'),
  item('1B', 'Unresolved Staff Comments'),
  item('2', 'Properties'),
  item('3', 'Legal Proceedings'),
  item('4', 'Mine Safety Disclosures'),
  item(
    '5',
    'Market for Registrant’s Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities',
  ),
  item('6', 'Selected Financial Data'),
  item('7', 'Management’s Discussion and Analysis of Financial Condition and Results of Operations'),
  item('7A', 'Quantitative and Qualitative Disclosures About Market Risk'),
  item('8', 'Financial Statements and Supplementary Data'),
  item('9', 'Changes in and Disagreements with Accountants on Accounting and Financial Disclosure'),
  item('9A', 'Controls and Procedures'),
  item('9B', 'Other Information'),
  item('10', 'Directors, Executive Officers and Corporate Governance'),
  item('11', 'Executive Compensation'),
  item('12', 'Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters'),
  item('13', 'Certain Relationships and Related Transactions, and Director Independence'),
  item('14', 'Principal Accountant Fees and Services'),
  item('15', 'Exhibits and Financial Statement Schedules'),
];

/** The form of the nineties. */
export const OLD_TEN_K: readonly MadeItem[] = [
  item('1', 'Business'),
  item('2', 'Properties'),
  item('3', 'Legal Proceedings'),
  item('4', 'Submission of Matters to a Vote of Security Holders'),
  item('5', 'Market for Registrant’s Common Equity and Related Stockholder Matters'),
  item('6', 'Selected Financial Data'),
  item('7', 'Management’s Discussion and Analysis of Financial Condition and Results of Operations'),
  item('8', 'Financial Statements and Supplementary Data'),
  item('9', 'Changes in and Disagreements with Accountants on Accounting and Financial Disclosure'),
  item('10', 'Directors and Executive Officers of the Registrant'),
  item('11', 'Executive Compensation'),
  item('12', 'Security Ownership of Certain Beneficial Owners and Management'),
  item('13', 'Certain Relationships and Related Transactions'),
  item('14', 'Exhibits, Financial Statement Schedules, and Reports on Form 8-K'),
];

export const SMALL_TEN_K: readonly MadeItem[] = [
  item('1', 'Description of Business'),
  item('2', 'Description of Property'),
  item('3', 'Legal Proceedings'),
  item('4', 'Submission of Matters to a Vote of Security Holders'),
  item('5', 'Market for Common Equity and Related Stockholder Matters'),
  item('6', 'Management’s Discussion and Analysis or Plan of Operation'),
  item('7', 'Financial Statements'),
  item('8', 'Changes in and Disagreements with Accountants on Accounting and Financial Disclosure'),
  item('9', 'Directors, Executive Officers, Promoters and Control Persons'),
  item('10', 'Executive Compensation'),
  item('11', 'Security Ownership of Certain Beneficial Owners and Management'),
  item('12', 'Certain Relationships and Related Transactions'),
  item('13', 'Exhibits and Reports on Form 8-K'),
  item('14', 'Controls and Procedures'),
];

export const TEN_Q: readonly MadeItem[] = [
  item('1', 'Financial Statements', 'I-1'),
  item('2', 'Management’s Discussion and Analysis of Financial Condition and Results of Operations', 'I-2'),
  item('3', 'Quantitative and Qualitative Disclosures About Market Risk', 'I-3'),
  item('4', 'Controls and Procedures', 'I-4'),
  item('1', 'Legal Proceedings', 'II-1'),
  item('1A', 'Risk Factors', 'II-1A'),
  item('2', 'Unregistered Sales of Equity Securities and Use of Proceeds', 'II-2'),
  item('3', 'Defaults Upon Senior Securities', 'II-3'),
  item('4', 'Mine Safety Disclosures', 'II-4'),
  item('5', 'Other Information', 'II-5'),
  item('6', 'Exhibits', 'II-6'),
];

/** The part of the form with an item, `PART II`. */
export function partOf({ code }: MadeItem): string {
  if (code.includes('-')) return `PART ${code.split('-')[0]}`;
  const number = Number.parseInt(code, 10);
  return `PART ${number <= 4 ? 'I' : number <= 9 ? 'II' : number <= 14 ? 'III' : 'IV'}`;
}

/** Words of an item's text, in lines that no heading begins: `opens7A`, `closes7A` tell whose they are. */
export function words(made: MadeItem): string[] {
  const key = made.code.replace('-', '');
  return [
    `The opens${key} words of this part tell what the reader of a report wants to know about the matter,`,
    'in as many sentences as it takes, with figures where there are any and with the reasons why they moved.',
    `Sales rose by 12% in the year and costs fell, which is why we are content, and that closes${key} the matter.`,
  ];
}

export const SIGNATURES = [
  'SIGNATURES',
  'Pursuant to the requirements of Section 13 or 15(d) of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf.',
];

export interface Making {
  heading(made: MadeItem, k: number): string;
  text?(made: MadeItem): string;
  /** Printed at the beginning of a part; null: no PART headings. */
  part?: ((part: string) => string) | null;
  front?: string;
  back?: string;
  /** Printed between two items, as page ends are. */
  between?(made: MadeItem, k: number): string;
}

/** An HTML report in which each item is set as given. */
export function htmlReport(items: readonly MadeItem[], making: Making): string {
  const out = ['<html><body>', making.front ?? '<p>FORM 10-K</p><p>Annual report of the registrant</p>'];
  const printPart = making.part === undefined ? (part: string) => `<p><b>${part}</b></p>` : making.part;
  let part = '';
  items.forEach((made, k) => {
    if (printPart && partOf(made) !== part) out.push(printPart(partOf(made)));
    part = partOf(made);
    out.push(making.heading(made, k), making.text ? making.text(made) : `<p>${words(made).join(' ')}</p>`);
    if (making.between) out.push(making.between(made, k));
  });
  out.push(making.back ?? SIGNATURES.map((line) => `<p>${line}</p>`).join('\n'), '</body></html>');
  return out.join('\n');
}

/** A typewritten report in which each item is set as given. */
export function typedReport(items: readonly MadeItem[], making: Making): string {
  const out = [making.front ?? '                    FORM 10-K\n\n           Annual report of the registrant'];
  const printPart = making.part === undefined ? (part: string) => `                              ${part}` : making.part;
  let part = '';
  items.forEach((made, k) => {
    if (printPart && partOf(made) !== part) out.push(printPart(partOf(made)));
    part = partOf(made);
    out.push(making.heading(made, k), making.text ? making.text(made) : words(made).join('\n'));
    if (making.between) out.push(making.between(made, k));
  });
  out.push(making.back ?? SIGNATURES.join('\n\n'));
  return out.join('\n\n');
}

/** What differs from every item being found with its own words and no other's; empty: nothing. */
export function differences(text: string, form: string, items: readonly MadeItem[]): string[] {
  const wrong: string[] = [];
  const sections = new Map(findSections(text, form).map((section) => [section.section, section]));
  for (const made of items) {
    const section = sections.get(made.code);
    sections.delete(made.code);
    if (!section) {
      wrong.push(`${made.code} is missing`);
      continue;
    }
    const own = made.code.replace('-', '');
    const slice = text.slice(section.start_index, section.end_index);
    for (const word of ['opens', 'closes']) {
      if (!new RegExp(`${word}${own}\\b`).test(slice)) wrong.push(`${made.code} lacks what it ${word} with`);
    }
    for (const other of items) {
      const key = other.code.replace('-', '');
      if (other !== made && new RegExp(`(?:opens|closes)${key}\\b`).test(slice))
        wrong.push(`${made.code} holds ${other.code}`);
    }
    if (/duly caused this report/.test(slice)) wrong.push(`${made.code} holds the signatures`);
  }
  for (const code of sections.keys()) wrong.push(`${code} is invented`);
  return wrong;
}
