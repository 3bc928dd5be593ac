/** Tables of forms 3, 4 and 5: insiders, what they own and what they trade. */
import { boolean, cik, date, decimal, group, integer, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['3', '3/A', '4', '4/A', '5', '5/A']);

export const ownershipReports = table('ownership_reports', {
  meaning: 'Forms 3, 4 and 5, one row each',
  key: [],
  columns: [
    text('form_type', 'documentType', '3, 3/A, 4, 4/A, 5 or 5/A as the XML names it'),
    text('schema_version', 'schemaVersion', 'X0206 … X0508', { empty: 'before 2004' }),
    date(
      'period_of_report',
      'periodOfReport',
      'date of the earliest transaction (4), of the event (3), fiscal year end (5)',
      { item: 'Form 4, box 3' },
    ),
    date('date_of_original_submission', 'dateOfOriginalSubmission', 'day the amended report was filed', {
      item: 'Form 4, box 4',
      empty: 'not an amendment',
    }),
    boolean('no_securities_owned', 'noSecuritiesOwned', 'Form 3: the box "no securities owned"', {
      empty: 'not said (4, 5)',
    }),
    boolean('not_subject_to_section16', 'notSubjectToSection16', 'the box "no longer subject to Section 16"', {
      empty: 'not said',
    }),
    boolean('form3_holdings_reported', 'form3HoldingsReported', 'Form 5 box', { empty: 'not said' }),
    boolean('form4_transactions_reported', 'form4TransactionsReported', 'Form 5 box', { empty: 'not said' }),
    boolean('aff10b5_one', 'aff10b5One', 'the box on Rule 10b5-1(c) plans, on the form since April 2023', {
      empty: 'the form has no such box, or it is not stated: null is not false',
    }),
    ...group('issuer', 'Form 4, box 2', [
      cik('issuer_cik', 'issuerCik', 'CIK of the issuer'),
      text('issuer_name', 'issuerName', 'name of the issuer', { empty: '2003 samples' }),
      text('issuer_trading_symbol', 'issuerTradingSymbol', 'as typed: NONE, N/A, [AAPL] and two symbols in one occur'),
    ]),
    text('remarks', 'remarks', 'remarks'),
    integer('transactions', '', 'rows of this report in ownership_transactions'),
    integer('holdings', '', 'rows of this report in ownership_holdings'),
  ],
});

export const ownershipOwners = table('ownership_owners', {
  meaning: 'Reporting owners; a joint report has several, and no transaction says whose it is',
  key: [integer('owner', '', 'place among the owners, from 0')],
  columns: [
    cik('owner_cik', 'reportingOwnerId/rptOwnerCik', 'CIK'),
    ...group('', 'Form 4, box 1', [
      text('owner_name', 'reportingOwnerId/rptOwnerName', 'name, last name first', { empty: '2003 samples' }),
      text('street1', 'reportingOwnerAddress/rptOwnerStreet1', 'first line of the street', { empty: 'withheld' }),
      text('street2', 'reportingOwnerAddress/rptOwnerStreet2', 'second line'),
      text('city', 'reportingOwnerAddress/rptOwnerCity', 'city'),
      text('state', 'reportingOwnerAddress/rptOwnerState', "EDGAR's state or country code"),
      text('zip', 'reportingOwnerAddress/rptOwnerZipCode', 'postal code'),
    ]),
    text(
      'state_description',
      'reportingOwnerAddress/rptOwnerStateDescription',
      "state in words, where the code doesn't suffice",
    ),
    ...group('reportingOwnerRelationship', 'Form 4, box 5', [
      boolean('is_director', 'isDirector', 'director', {
        empty: 'element absent: the form counts that as an empty box',
      }),
      boolean('is_officer', 'isOfficer', 'officer', { empty: 'as above' }),
      boolean('is_ten_percent_owner', 'isTenPercentOwner', 'owner of more than 10 per cent', { empty: 'as above' }),
      boolean('is_other', 'isOther', 'other relationship', { empty: 'as above' }),
      text('officer_title', 'officerTitle', 'title of the officer'),
      text('other_text', 'otherText', 'the other relationship in words'),
    ]),
  ],
});

/** What a line of Table I or II states besides a transaction. */
const POSITION = [
  decimal(
    'shares_following',
    'postTransactionAmounts/sharesOwnedFollowingTransaction/value',
    'amount owned after the transaction(s), of this class and form of ownership',
    { item: 'Table I, 5; Table II, 9', empty: 'a value is reported' },
  ),
  decimal('value_following', 'postTransactionAmounts/valueOwnedFollowingTransaction/value', 'value owned, dollars', {
    item: 'Table I, 5; Table II, 9',
    empty: 'shares are reported',
  }),
  text('direct_indirect', 'ownershipNature/directOrIndirectOwnership/value', 'D or I', {
    item: 'Table I, 6; Table II, 10',
  }),
  text('nature_of_ownership', 'ownershipNature/natureOfOwnership/value', 'nature of indirect ownership, in words', {
    item: 'Table I, 7; Table II, 11',
    empty: 'direct, or only a footnote',
  }),
  decimal('conversion_or_exercise_price', 'conversionOrExercisePrice/value', 'Table II', {
    item: 'Table II, 2',
    empty: 'Table I; or only a footnote is there',
  }),
  ...group('', 'Table II, 6', [
    date('exercise_date', 'exerciseDate/value', 'date exercisable, Table II', {
      empty: 'Table I; or only a footnote (vesting in steps)',
    }),
    date('expiration_date', 'expirationDate/value', 'expiration, Table II', {
      empty: 'Table I; or only a footnote (none)',
    }),
  ]),
  ...group('underlyingSecurity', 'Table II, 7', [
    text('underlying_title', 'underlyingSecurityTitle/value', 'underlying security', { empty: 'Table I' }),
    decimal('underlying_shares', 'underlyingSecurityShares/value', 'shares underlying', {
      empty: 'Table I, or a value is there',
    }),
    decimal('underlying_value', 'underlyingSecurityValue/value', 'value underlying, dollars', {
      empty: 'Table I, or shares are there',
    }),
  ]),
];

const LINE = [
  boolean('derivative', '', 'false: Table I, true: Table II'),
  integer('line', '', 'place among all rows, transactions and holdings, of its table, from 0'),
];

export const ownershipTransactions = table('ownership_transactions', {
  meaning: 'Transactions of Table I (non-derivative) and Table II (derivative)',
  key: LINE,
  columns: [
    text('security_title', 'securityTitle/value', 'title of the security', { item: 'Table I, 1; Table II, 1' }),
    date('transaction_date', 'transactionDate/value', 'date of the transaction', { item: 'Table I, 2; Table II, 3' }),
    date('deemed_execution_date', 'deemedExecutionDate/value', 'deemed execution date', {
      item: 'Table I, 2A; Table II, 3A',
      empty: 'almost always',
    }),
    ...group('', 'Table I, 3; Table II, 4', [
      text('transaction_form_type', 'transactionCoding/transactionFormType', '4 or 5 (3 in odd cases)'),
      text('transaction_code', 'transactionCoding/transactionCode', 'P, S, A, M, F, G …'),
      boolean('equity_swap_involved', 'transactionCoding/equitySwapInvolved', 'equity swap'),
      text('timeliness', 'transactionTimeliness/value', 'E early, L late', { empty: 'on time' }),
    ]),
    decimal('shares', 'transactionAmounts/transactionShares/value', 'shares', {
      item: 'Table I, 4; Table II, 5',
      empty: 'Table II, which has total_value instead',
    }),
    decimal('price_per_share', 'transactionAmounts/transactionPricePerShare/value', 'dollars', {
      item: 'Table I, 4; Table II, 8',
      empty: 'only a footnote is there',
    }),
    decimal('total_value', 'transactionAmounts/transactionTotalValue/value', 'dollars, Table II', {
      item: 'Table II, 5',
      empty: 'if there are shares instead',
    }),
    text('acquired_disposed', 'transactionAmounts/transactionAcquiredDisposedCode/value', 'A or D', {
      item: 'Table I, 4; Table II, 5',
    }),
    ...POSITION,
  ],
});

export const ownershipHoldings = table('ownership_holdings', {
  meaning: 'Holdings: rows of Table I and II without a transaction',
  key: LINE,
  columns: [
    text('security_title', 'securityTitle/value', 'title of the security', { item: 'Table I, 1; Table II, 1' }),
    text('transaction_form_type', 'transactionCoding/transactionFormType', '3 or 4 in a Form 5', {
      item: 'Table I, 3; Table II, 4',
      empty: 'almost always',
    }),
    ...POSITION,
  ],
});

export const ownershipFootnotes = table('ownership_footnotes', {
  meaning: 'Footnotes',
  key: [text('footnote_id', '@id', 'F1, F2 …')],
  columns: [
    text('text', '.', 'the footnote; several with one id are joined by a line feed', {
      item: 'Explanation of Responses',
    }),
  ],
});

export const ownershipFootnoteRefs = table('ownership_footnote_refs', {
  meaning: 'Which value which footnote is attached to',
  key: [
    boolean('derivative', '', 'table of the row'),
    integer('line', '', 'the row, a transaction or a holding'),
    text('field', '', 'column that the note is attached to; transaction_coding for the whole of `transactionCoding`'),
    integer('position', '', 'place among the notes of that value, from 0'),
  ],
  columns: [text('footnote_id', '@id', 'note; it may be missing from ownership_footnotes')],
});

export const ownershipSignatures = table('ownership_signatures', {
  meaning: 'Signatures; the XML does not say whose report each signs',
  key: [position],
  columns: [text('signature_name', 'signatureName', 'as signed'), date('signature_date', 'signatureDate', 'date')],
});
