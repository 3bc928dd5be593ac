/** Titles of items as filers word them, beside the official ones. */
const WORDINGS: readonly [RegExp, readonly string[]][] = [
  [
    /^business|^description of business|^general/i,
    ['Business', 'Description of Business', 'Business of the Company', 'Business and General Information'],
  ],
  [/risk factors/i, ['Risk Factors', 'Risk Factors', 'Certain Risk Factors', 'Risk Factors and Uncertainties']],
  [/unresolved/i, ['Unresolved Staff Comments', 'Unresolved SEC Staff Comments', 'Unresolved Comments from SEC Staff']],
  [/cyber/i, ['Cybersecurity', 'Cyber Security', 'Cybersecurity Risk Management, Strategy and Governance']],
  [
    /propert/i,
    ['Properties', 'Property', 'Description of Property', 'Description of Properties', 'Properties and Facilities'],
  ],
  [
    /legal/i,
    ['Legal Proceedings', 'Pending Legal Proceedings', 'Legal Matters', 'Legal Proceedings and Contingencies'],
  ],
  [
    /submission/i,
    [
      'Submission of Matters to a Vote of Security Holders',
      'Submission of Matters to Vote of Security-Holders',
      'Submission of Matters to a Vote of Shareholders',
    ],
  ],
  [/mine/i, ['Mine Safety Disclosures', 'Mine Safety Disclosure', 'Mine Safety']],
  [
    /market for/i,
    [
      "Market for Registrant's Common Equity and Related Stockholder Matters",
      "Market for the Company's Common Stock and Related Security Holder Matters",
      'Market for Common Equity and Related Stockholder Matters',
      'Market Price of and Dividends on Common Stock and Related Matters',
    ],
  ],
  [
    /selected/i,
    [
      'Selected Financial Data',
      'Selected Consolidated Financial Data',
      'Selected Financial Information',
      'Selected Historical Financial Data',
    ],
  ],
  [
    /quantitative/i,
    [
      'Quantitative and Qualitative Disclosures About Market Risk',
      'Quantitative and Qualitative Disclosure about Market Risk',
      'Quantitative and Qualitative Disclosures of Market Risks',
      'Disclosures About Market Risk',
    ],
  ],
  [
    /discussion and/i,
    [
      "Management's Discussion and Analysis of Financial Condition and Results of Operations",
      "Management's Discussion and Analysis of Results of Operations and Financial Condition",
      "Management's Discussion and Analysis",
      "Management's Discussion and Analysis or Plan of Operation",
    ],
  ],
  [
    /financial statements and supp|^financial statements|consolidated financial statements$/i,
    [
      'Financial Statements and Supplementary Data',
      'Consolidated Financial Statements and Supplementary Data',
      'Financial Statements',
    ],
  ],
  [
    /disagreements/i,
    [
      'Changes in and Disagreements with Accountants on Accounting and Financial Disclosure',
      'Disagreements on Accounting and Financial Disclosure',
      'Changes in and Disagreements with Independent Accountants',
    ],
  ],
  [/controls/i, ['Controls and Procedures', 'Disclosure Controls and Procedures', 'Controls and Procedures']],
  [
    /foreign jur/i,
    [
      'Disclosure Regarding Foreign Jurisdictions that Prevent Inspections',
      'Disclosures Regarding Foreign Jurisdictions That Prevent Inspections',
    ],
  ],
  [
    /directors/i,
    [
      'Directors, Executive Officers and Corporate Governance',
      'Directors and Executive Officers of the Registrant',
      'Directors and Executive Officers',
      'Directors, Executive Officers, Promoters and Control Persons',
    ],
  ],
  [
    /executive comp/i,
    ['Executive Compensation', 'Compensation of Executive Officers', 'Executive and Director Compensation'],
  ],
  [
    /security ownership/i,
    [
      'Security Ownership of Certain Beneficial Owners and Management',
      'Security Ownership of Management and Principal Shareholders',
      'Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters',
    ],
  ],
  [
    /certain rel/i,
    [
      'Certain Relationships and Related Transactions',
      'Certain Relationships and Related Party Transactions, and Director Independence',
    ],
  ],
  [
    /principal acc/i,
    [
      'Principal Accountant Fees and Services',
      'Principal Accounting Fees and Services',
      "Principal Accountants' Fees and Services",
    ],
  ],
  [
    /exhibits/i,
    [
      'Exhibits and Financial Statement Schedules',
      'Exhibits, Financial Statement Schedules, and Reports on Form 8-K',
      'Exhibits',
      'Exhibits and Reports on Form 8-K',
    ],
  ],
  [
    /unregistered/i,
    [
      'Unregistered Sales of Equity Securities and Use of Proceeds',
      'Changes in Securities and Use of Proceeds',
      'Issuer Purchases of Equity Securities',
      'Sales of Unregistered Securities',
    ],
  ],
  [/defaults/i, ['Defaults Upon Senior Securities', 'Defaults on Senior Securities']],
  [/other inf/i, ['Other Information', 'Other Matters', 'Other Events']],
];

/** The wordings of a title; of a 10-Q part I item 1, and a 10-K's exhibits, only those of its own form. */
export function wordings(title: string, form: string): readonly string[] {
  const found = WORDINGS.find(([pattern]) => pattern.test(title))?.[1];
  if (!found) return [title];
  if (/10-?Q/.test(form)) {
    if (/financial statements/i.test(title))
      return [
        'Financial Statements',
        'Condensed Consolidated Financial Statements',
        'Consolidated Financial Statements (Unaudited)',
        'Unaudited Financial Statements',
      ];
    if (/exhibits/i.test(title)) return ['Exhibits', 'Exhibits and Reports on Form 8-K'];
  }
  return found;
}
