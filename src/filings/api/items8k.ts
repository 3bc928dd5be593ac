/** Items of Form 8-K: the numbering since 23 August 2004 (Release 33-8400), and the older `1` to `12`. */

const ITEMS: ReadonlyMap<string, string> = new Map([
  ['1.01', 'Entry into a Material Definitive Agreement'],
  ['1.02', 'Termination of a Material Definitive Agreement'],
  ['1.03', 'Bankruptcy or Receivership'],
  ['1.04', 'Mine Safety - Reporting of Shutdowns and Patterns of Violations'],
  ['1.05', 'Material Cybersecurity Incidents'],
  ['2.01', 'Completion of Acquisition or Disposition of Assets'],
  ['2.02', 'Results of Operations and Financial Condition'],
  [
    '2.03',
    'Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant',
  ],
  [
    '2.04',
    'Triggering Events That Accelerate or Increase a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement',
  ],
  ['2.05', 'Costs Associated with Exit or Disposal Activities'],
  ['2.06', 'Material Impairments'],
  ['3.01', 'Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing'],
  ['3.02', 'Unregistered Sales of Equity Securities'],
  ['3.03', 'Material Modification to Rights of Security Holders'],
  ['4.01', "Changes in Registrant's Certifying Accountant"],
  [
    '4.02',
    'Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review',
  ],
  ['5.01', 'Changes in Control of Registrant'],
  [
    '5.02',
    'Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers',
  ],
  ['5.03', 'Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year'],
  ['5.04', "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans"],
  ['5.05', "Amendments to the Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics"],
  ['5.06', 'Change in Shell Company Status'],
  ['5.07', 'Submission of Matters to a Vote of Security Holders'],
  ['5.08', 'Shareholder Director Nominations'],
  ['6.01', 'ABS Informational and Computational Material'],
  ['6.02', 'Change of Servicer or Trustee'],
  ['6.03', 'Change in Credit Enhancement or Other External Support'],
  ['6.04', 'Failure to Make a Required Distribution'],
  ['6.05', 'Securities Act Updating Disclosure'],
  ['6.06', 'Static Pool'],
  ['7.01', 'Regulation FD Disclosure'],
  ['8.01', 'Other Events'],
  ['9.01', 'Financial Statements and Exhibits'],
]);

const ITEMS_BEFORE_2004: ReadonlyMap<string, string> = new Map([
  ['1', 'Changes in Control of Registrant'],
  ['2', 'Acquisition or Disposition of Assets'],
  ['3', 'Bankruptcy or Receivership'],
  ['4', "Changes in Registrant's Certifying Accountant"],
  ['5', 'Other Events'],
  ['6', "Resignations of Registrant's Directors"],
  ['7', 'Financial Statements and Exhibits'],
  ['8', 'Change in Fiscal Year'],
  ['9', 'Regulation FD Disclosure'],
  ['10', "Amendments to the Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics"],
  ['11', "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans"],
  ['12', 'Results of Operations and Financial Condition'],
]);

/** The first day with dotted item numbers. */
export const DOTTED_ITEMS_SINCE = '2004-08-23';

/** Current item numbers of Form 8-K, in order. */
export const EIGHT_K_ITEMS: readonly string[] = [...ITEMS.keys()];
/** Item numbers of Form 8-K before 23 August 2004, in order. */
export const EIGHT_K_ITEMS_BEFORE_2004: readonly string[] = [...ITEMS_BEFORE_2004.keys()];

/** Former titles of an item, valid for reports filed before the day. */
const FORMER_TITLES: ReadonlyMap<string, readonly { before: string; title: string }[]> = new Map([
  // Release 33-8732A added compensatory arrangements from 7 November 2006.
  [
    '5.02',
    [
      {
        before: '2006-11-07',
        title: 'Departure of Directors or Principal Officers; Election of Directors; Appointment of Principal Officers',
      },
    ],
  ],
  // Release 33-7881 gave the item to Regulation FD from 23 October 2000.
  ['9', [{ before: '2000-10-23', title: 'Sales of Equity Securities Pursuant to Regulation S' }]],
]);

/**
 * The official title of an 8-K item, dotted (`2.02`) or of the old numbering (`5`).
 * @param filingDate YYYY-MM-DD: returns the title valid on that day; without it, the last title
 * @returns null for a number that the form never had
 */
export function eightKItemTitle(item: string, filingDate?: string | null): string | null {
  const former = filingDate ? FORMER_TITLES.get(item)?.find(({ before }) => filingDate < before) : undefined;
  return former?.title ?? ITEMS.get(item) ?? ITEMS_BEFORE_2004.get(item) ?? null;
}
