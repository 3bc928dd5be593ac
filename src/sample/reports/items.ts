/** The items of an annual or quarterly report on its filing date, and their titles (the forms' instructions as amended). */
import { dayOf } from '../calendar.ts';

/** What is written under an item. */
export type Content =
  | 'business'
  | 'risk'
  | 'staff'
  | 'security'
  | 'property'
  | 'legal'
  | 'vote'
  | 'mine'
  | 'removed'
  | 'market'
  | 'selected'
  | 'reserved'
  | 'mdna'
  | 'marketRisk'
  | 'statements'
  | 'accountants'
  | 'controls'
  | 'other'
  | 'foreign'
  | 'incorporated'
  | 'fees'
  | 'exhibits'
  | 'summary'
  | 'sales'
  | 'defaults';

export interface ReportItem {
  /** code of the contract: `1A`, `II-1A` */
  section: string;
  label: string;
  title: string;
  content: Content;
}

export interface ReportPart {
  heading: string;
  items: ReportItem[];
}

const RISK_FACTORS_SINCE = dayOf(2005, 12, 1);
const MINE_SAFETY_SINCE = dayOf(2012, 1, 27);
const VOTE_REMOVED_SINCE = dayOf(2010, 2, 28);
const SELECTED_REMOVED_SINCE = dayOf(2021, 2, 10);
const CYBERSECURITY_SINCE = dayOf(2023, 12, 15);
const FOREIGN_SINCE = dayOf(2022, 1, 10);
const CONTROLS_SINCE = dayOf(2002, 8, 29);
const CONTROLS_NINE_A_SINCE = dayOf(2003, 8, 14);
const OTHER_SINCE = dayOf(2004, 8, 23);
const MARKET_RISK_SINCE = dayOf(1997, 6, 15);
const SUMMARY_SINCE = dayOf(2016, 6, 9);

const item = (section: string, title: string, content: Content, number = section): ReportItem => ({
  section,
  label: `Item ${number}.`,
  title,
  content,
});

/** Items of a 10-K by the day it was filed. */
export function annualItems(filed: number): ReportPart[] {
  const one = [item('1', 'Business', 'business')];
  if (filed >= RISK_FACTORS_SINCE) {
    one.push(item('1A', 'Risk Factors', 'risk'), item('1B', 'Unresolved Staff Comments', 'staff'));
  }
  if (filed >= CYBERSECURITY_SINCE) one.push(item('1C', 'Cybersecurity', 'security'));
  one.push(item('2', 'Properties', 'property'), item('3', 'Legal Proceedings', 'legal'));
  if (filed >= MINE_SAFETY_SINCE) one.push(item('4', 'Mine Safety Disclosures', 'mine'));
  else if (filed >= VOTE_REMOVED_SINCE) one.push(item('4', '(Removed and Reserved)', 'removed'));
  else one.push(item('4', 'Submission of Matters to a Vote of Security Holders', 'vote'));

  const two = [
    filed >= OTHER_SINCE
      ? item(
          '5',
          "Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities",
          'market',
        )
      : item('5', "Market for Registrant's Common Equity and Related Stockholder Matters", 'market'),
    filed >= SELECTED_REMOVED_SINCE
      ? item('6', '[Reserved]', 'reserved')
      : item('6', 'Selected Financial Data', 'selected'),
    item('7', "Management's Discussion and Analysis of Financial Condition and Results of Operations", 'mdna'),
  ];
  if (filed >= MARKET_RISK_SINCE) {
    two.push(item('7A', 'Quantitative and Qualitative Disclosures About Market Risk', 'marketRisk'));
  }
  two.push(
    item('8', 'Financial Statements and Supplementary Data', 'statements'),
    item('9', 'Changes in and Disagreements with Accountants on Accounting and Financial Disclosure', 'accountants'),
  );
  if (filed >= CONTROLS_NINE_A_SINCE) two.push(item('9A', 'Controls and Procedures', 'controls'));
  if (filed >= OTHER_SINCE) two.push(item('9B', 'Other Information', 'other'));
  if (filed >= FOREIGN_SINCE) {
    two.push(item('9C', 'Disclosure Regarding Foreign Jurisdictions that Prevent Inspections', 'foreign'));
  }

  const three = [
    filed >= dayOf(2006, 12, 15)
      ? item('10', 'Directors, Executive Officers and Corporate Governance', 'incorporated')
      : item('10', 'Directors and Executive Officers of the Registrant', 'incorporated'),
    item('11', 'Executive Compensation', 'incorporated'),
    item('12', 'Security Ownership of Certain Beneficial Owners and Management', 'incorporated'),
    item('13', 'Certain Relationships and Related Transactions', 'incorporated'),
  ];
  const exhibits = 'Exhibits, Financial Statement Schedules, and Reports on Form 8-K';
  const four: ReportItem[] = [];
  if (filed < CONTROLS_SINCE) four.push(item('14', exhibits, 'exhibits'));
  else if (filed < CONTROLS_NINE_A_SINCE) {
    three.push(item('14', 'Controls and Procedures', 'controls'));
    four.push(item('15', exhibits, 'exhibits'));
  } else {
    three.push(item('14', 'Principal Accountant Fees and Services', 'fees'));
    four.push(item('15', 'Exhibits and Financial Statement Schedules', 'exhibits'));
  }
  if (filed >= SUMMARY_SINCE) four.push(item('16', 'Form 10-K Summary', 'summary'));
  return [
    { heading: 'PART I', items: one },
    { heading: 'PART II', items: two },
    { heading: 'PART III', items: three },
    { heading: 'PART IV', items: four },
  ];
}

/** Items of a 10-KSB (1993 to 2008): fewer, and other numbers. */
export function smallAnnualItems(filed: number): ReportPart[] {
  const two = [
    item('5', 'Market for Common Equity and Related Stockholder Matters', 'market'),
    item('6', "Management's Discussion and Analysis or Plan of Operation", 'mdna'),
    item('7', 'Financial Statements', 'statements'),
    item('8', 'Changes in and Disagreements with Accountants on Accounting and Financial Disclosure', 'accountants'),
  ];
  return [
    {
      heading: 'PART I',
      items: [
        item('1', 'Description of Business', 'business'),
        item('2', 'Description of Property', 'property'),
        item('3', 'Legal Proceedings', 'legal'),
        item('4', 'Submission of Matters to a Vote of Security Holders', 'vote'),
      ],
    },
    { heading: 'PART II', items: two },
    {
      heading: 'PART III',
      items: [
        item('9', 'Directors and Executive Officers of the Registrant', 'incorporated'),
        item('10', 'Executive Compensation', 'incorporated'),
        item('11', 'Security Ownership of Certain Beneficial Owners and Management', 'incorporated'),
        item('12', 'Certain Relationships and Related Transactions', 'incorporated'),
        item('13', 'Exhibits and Reports on Form 8-K', 'exhibits'),
        ...(filed >= CONTROLS_NINE_A_SINCE ? [item('14', 'Principal Accountant Fees and Services', 'fees')] : []),
      ],
    },
  ];
}

/** Items of a 10-Q by the day it was filed. */
export function quarterlyItems(filed: number): ReportPart[] {
  const inPart = (part: string, number: string, title: string, content: Content) =>
    item(`${part}-${number}`, title, content, number);
  const one = [
    inPart('I', '1', 'Financial Statements', 'statements'),
    inPart('I', '2', "Management's Discussion and Analysis of Financial Condition and Results of Operations", 'mdna'),
  ];
  if (filed >= MARKET_RISK_SINCE) {
    one.push(inPart('I', '3', 'Quantitative and Qualitative Disclosures About Market Risk', 'marketRisk'));
  }
  if (filed >= CONTROLS_SINCE) one.push(inPart('I', '4', 'Controls and Procedures', 'controls'));
  const two = [inPart('II', '1', 'Legal Proceedings', 'legal')];
  if (filed >= RISK_FACTORS_SINCE) two.push(inPart('II', '1A', 'Risk Factors', 'risk'));
  two.push(
    filed >= OTHER_SINCE
      ? inPart('II', '2', 'Unregistered Sales of Equity Securities and Use of Proceeds', 'sales')
      : inPart('II', '2', 'Changes in Securities and Use of Proceeds', 'sales'),
    inPart('II', '3', 'Defaults Upon Senior Securities', 'defaults'),
  );
  if (filed >= MINE_SAFETY_SINCE) two.push(inPart('II', '4', 'Mine Safety Disclosures', 'mine'));
  else if (filed >= VOTE_REMOVED_SINCE) two.push(inPart('II', '4', '(Removed and Reserved)', 'removed'));
  else two.push(inPart('II', '4', 'Submission of Matters to a Vote of Security Holders', 'vote'));
  two.push(inPart('II', '5', 'Other Information', 'other'));
  two.push(
    filed >= OTHER_SINCE
      ? inPart('II', '6', 'Exhibits', 'exhibits')
      : inPart('II', '6', 'Exhibits and Reports on Form 8-K', 'exhibits'),
  );
  return [
    { heading: 'PART I. FINANCIAL INFORMATION', items: one },
    { heading: 'PART II. OTHER INFORMATION', items: two },
  ];
}
