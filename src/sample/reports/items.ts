/** The items of an annual or quarterly report on its filing date, and their titles (the forms' instructions as amended). */
import { parseDay } from '../calendar.ts';

export interface ReportItem {
  /** code of the contract: `1A`, `II-1A` */
  section: string;
  label: string;
  title: string;
  /** its name in content.ts */
  content: string;
}

export interface ReportPart {
  heading: string;
  items: ReportItem[];
}

/** A line with `#` is a part. Its items follow: code, title, content, and if they changed, the first day and the first day after the last. */
const ANNUAL = `
# PART I
1 | Business | business
1A | Risk Factors | risk | 2005-12-01
1B | Unresolved Staff Comments | staff | 2005-12-01
1C | Cybersecurity | security | 2023-12-15
2 | Properties | property
3 | Legal Proceedings | legal
4 | Submission of Matters to a Vote of Security Holders | vote | | 2010-02-28
4 | (Removed and Reserved) | removed | 2010-02-28 | 2012-01-27
4 | Mine Safety Disclosures | mine | 2012-01-27
# PART II
5 | Market for Registrant's Common Equity and Related Stockholder Matters | market | | 2004-08-23
5 | Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities | market | 2004-08-23
6 | Selected Financial Data | selected | | 2021-02-10
6 | [Reserved] | reserved | 2021-02-10
7 | Management's Discussion and Analysis of Financial Condition and Results of Operations | mdna
7A | Quantitative and Qualitative Disclosures About Market Risk | marketRisk | 1997-06-15
8 | Financial Statements and Supplementary Data | statements
9 | Changes in and Disagreements with Accountants on Accounting and Financial Disclosure | accountants
9A | Controls and Procedures | controls | 2003-08-14
9B | Other Information | other | 2004-08-23
9C | Disclosure Regarding Foreign Jurisdictions that Prevent Inspections | foreign | 2022-01-10
# PART III
10 | Directors and Executive Officers of the Registrant | incorporated | | 2006-12-15
10 | Directors, Executive Officers and Corporate Governance | incorporated | 2006-12-15
11 | Executive Compensation | incorporated
12 | Security Ownership of Certain Beneficial Owners and Management | incorporated
13 | Certain Relationships and Related Transactions | incorporated
14 | Controls and Procedures | controls | 2002-08-29 | 2003-08-14
14 | Principal Accountant Fees and Services | fees | 2003-08-14
# PART IV
14 | Exhibits, Financial Statement Schedules, and Reports on Form 8-K | exhibits | | 2002-08-29
15 | Exhibits, Financial Statement Schedules, and Reports on Form 8-K | exhibits | 2002-08-29 | 2003-08-14
15 | Exhibits and Financial Statement Schedules | exhibits | 2003-08-14
16 | Form 10-K Summary | summary | 2016-06-09
`;

/** 10-KSB (1993 to 2008): fewer items, and other numbers. */
const SMALL_ANNUAL = `
# PART I
1 | Description of Business | business
2 | Description of Property | property
3 | Legal Proceedings | legal
4 | Submission of Matters to a Vote of Security Holders | vote
# PART II
5 | Market for Common Equity and Related Stockholder Matters | market
6 | Management's Discussion and Analysis or Plan of Operation | mdna
7 | Financial Statements | statements
8 | Changes in and Disagreements with Accountants on Accounting and Financial Disclosure | accountants
# PART III
9 | Directors and Executive Officers of the Registrant | incorporated
10 | Executive Compensation | incorporated
11 | Security Ownership of Certain Beneficial Owners and Management | incorporated
12 | Certain Relationships and Related Transactions | incorporated
13 | Exhibits and Reports on Form 8-K | exhibits
14 | Principal Accountant Fees and Services | fees | 2003-08-14
`;

const QUARTERLY = `
# PART I. FINANCIAL INFORMATION
I-1 | Financial Statements | statements
I-2 | Management's Discussion and Analysis of Financial Condition and Results of Operations | mdna
I-3 | Quantitative and Qualitative Disclosures About Market Risk | marketRisk | 1997-06-15
I-4 | Controls and Procedures | controls | 2002-08-29
# PART II. OTHER INFORMATION
II-1 | Legal Proceedings | legal
II-1A | Risk Factors | risk | 2005-12-01
II-2 | Changes in Securities and Use of Proceeds | sales | | 2004-08-23
II-2 | Unregistered Sales of Equity Securities and Use of Proceeds | sales | 2004-08-23
II-3 | Defaults Upon Senior Securities | defaults
II-4 | Submission of Matters to a Vote of Security Holders | vote | | 2010-02-28
II-4 | (Removed and Reserved) | removed | 2010-02-28 | 2012-01-27
II-4 | Mine Safety Disclosures | mine | 2012-01-27
II-5 | Other Information | other
II-6 | Exhibits and Reports on Form 8-K | exhibits | | 2004-08-23
II-6 | Exhibits | exhibits | 2004-08-23
`;

/** @returns a function of the filing date: the parts with their items on that day */
function itemsOf(lines: string): (filed: number) => ReportPart[] {
  const parts = lines.trim().slice(2).split('\n# ');
  return (filed) =>
    parts.map((part) => {
      const [heading, ...rows] = part.split('\n') as [string, ...string[]];
      const items = rows.flatMap((row): ReportItem[] => {
        const [section, title, content, from, until] = row.split(/ *\| */) as [
          string,
          string,
          string,
          string?,
          string?,
        ];
        if ((from && filed < parseDay(from)) || (until && filed >= parseDay(until))) return [];
        return [{ section, label: `Item ${section.split('-').at(-1)}.`, title, content }];
      });
      return { heading, items };
    });
}

/** Items of a 10-K by the day it was filed. */
export const annualItems = itemsOf(ANNUAL);
export const smallAnnualItems = itemsOf(SMALL_ANNUAL);
export const quarterlyItems = itemsOf(QUARTERLY);
