/** Tables of Form D: exempt offerings of securities. */
import { address, boolean, cik, date, decimal, group, integer, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['D', 'D/A']);

export const formdOfferings = table('formd_offerings', {
  meaning: 'Notices of exempt offerings, one row each',
  key: [],
  columns: [
    text('form_type', 'submissionType', 'D or D/A'),
    text('schema_version', 'schemaVersion', 'X0301, X0707, X0708'),
    text('test_or_live', 'testOrLive', 'LIVE'),
    boolean('over_100_persons', 'over100PersonsFlag', 'more than 100 related persons: the rest is in another filing', {
      empty: 'not said',
    }),
    boolean('over_100_issuers', 'over100IssuerFlag', 'more than 100 issuers', { empty: 'not said' }),
    text('industry_group', 'offeringData/industryGroup/industryGroupType', 'as filed', { item: 'Item 4' }),
    ...group('offeringData/industryGroup/investmentFundInfo', 'Item 4', [
      text('investment_fund_type', 'investmentFundType', 'as filed', { empty: 'no pooled fund' }),
      boolean('is_40_act', 'is40Act', 'registered under the Investment Company Act', { empty: 'no pooled fund' }),
    ]),
    ...group('offeringData/issuerSize', 'Item 5', [
      text('revenue_range', 'revenueRange', 'as filed', { empty: 'a fund states net assets' }),
      text('aggregate_nav_range', 'aggregateNetAssetValueRange', 'as filed', { empty: 'not a fund' }),
    ]),
    ...group('offeringData/typeOfFiling', 'Item 7', [
      boolean('is_amendment', 'newOrAmendment/isAmendment', 'amendment'),
      text('previous_accession_number', 'newOrAmendment/previousAccessionNumber', 'notice that it amends', {
        empty: 'new notice',
      }),
      date('date_of_first_sale', 'dateOfFirstSale/value', 'date', { empty: 'yet to occur' }),
      boolean('yet_to_occur', 'dateOfFirstSale/yetToOccur', 'first sale yet to occur', { empty: 'a date is given' }),
    ]),
    boolean(
      'more_than_one_year',
      'offeringData/durationOfOffering/moreThanOneYear',
      'offering to last more than a year',
      { item: 'Item 8' },
    ),
    ...group('offeringData/typesOfSecuritiesOffered', 'Item 9', [
      boolean('is_equity', 'isEquityType', 'equity', { empty: 'the box is empty: absent, never false' }),
      boolean('is_debt', 'isDebtType', 'debt', { empty: 'as above' }),
      boolean('is_option', 'isOptionToAcquireType', 'option, warrant or other right', { empty: 'as above' }),
      boolean('is_security_to_be_acquired', 'isSecurityToBeAcquiredType', 'security to be acquired upon exercise', {
        empty: 'as above',
      }),
      boolean('is_pooled_fund', 'isPooledInvestmentFundType', 'pooled fund interests', { empty: 'as above' }),
      boolean('is_tenant_in_common', 'isTenantInCommonType', 'tenant-in-common securities', { empty: 'as above' }),
      boolean('is_mineral_property', 'isMineralPropertyType', 'mineral property securities', { empty: 'as above' }),
      boolean('is_other', 'isOtherType', 'other', { empty: 'as above' }),
      text('description_of_other', 'descriptionOfOtherType', 'the other in words'),
    ]),
    ...group('offeringData/businessCombinationTransaction', 'Item 10', [
      boolean('is_business_combination', 'isBusinessCombinationTransaction', 'in a business combination'),
      text('business_combination_clarification', 'clarificationOfResponse', 'free text'),
    ]),
    decimal('minimum_investment', 'offeringData/minimumInvestmentAccepted', 'dollars', { item: 'Item 11' }),
    decimal('total_offering_amount', 'offeringData/offeringSalesAmounts/totalOfferingAmount', 'dollars', {
      item: 'Item 13',
      nothing: /^indefinite$/i,
      empty: 'Indefinite',
    }),
    boolean('total_offering_indefinite', '', 'true: the filing says Indefinite', { empty: 'the element is absent' }),
    ...group('offeringData/offeringSalesAmounts', 'Item 13', [
      decimal('total_amount_sold', 'totalAmountSold', 'dollars'),
      decimal('total_remaining', 'totalRemaining', 'dollars', { nothing: /^indefinite$/i, empty: 'Indefinite' }),
    ]),
    boolean('total_remaining_indefinite', '', 'true: the filing says Indefinite', { empty: 'the element is absent' }),
    text('amounts_clarification', 'offeringData/offeringSalesAmounts/clarificationOfResponse', 'free text', {
      item: 'Item 13',
    }),
    ...group('offeringData/investors', 'Item 14', [
      boolean('has_non_accredited', 'hasNonAccreditedInvestors', 'sold or may be sold to non-accredited investors'),
      integer('number_non_accredited', 'numberNonAccreditedInvestors', 'how many', { empty: 'none said' }),
      integer('total_already_invested', 'totalNumberAlreadyInvested', 'investors so far'),
    ]),
    ...group('offeringData/salesCommissionsFindersFees', 'Item 15', [
      decimal('sales_commissions', 'salesCommissions/dollarAmount', 'dollars'),
      boolean('sales_commissions_is_estimate', 'salesCommissions/isEstimate', 'estimate', { empty: 'box empty' }),
      decimal('finders_fees', 'findersFees/dollarAmount', 'dollars'),
      boolean('finders_fees_is_estimate', 'findersFees/isEstimate', 'estimate', { empty: 'box empty' }),
      text('fees_clarification', 'clarificationOfResponse', 'free text'),
    ]),
    ...group('offeringData/useOfProceeds', 'Item 16', [
      decimal('gross_proceeds_used', 'grossProceedsUsed/dollarAmount', 'dollars paid to related persons'),
      boolean('gross_proceeds_used_is_estimate', 'grossProceedsUsed/isEstimate', 'estimate', { empty: 'box empty' }),
      text('proceeds_clarification', 'clarificationOfResponse', 'free text'),
    ]),
    boolean(
      'authorized_representative',
      'offeringData/signatureBlock/authorizedRepresentative',
      'signed by a representative',
    ),
  ],
});

export const formdExemptions = table('formd_exemptions', {
  meaning: 'Exemptions and exclusions claimed',
  key: [position],
  columns: [text('item', '.', '06b, 06c, 3C, 3C.1 …', { item: 'Item 6' })],
});

export const formdIssuers = table('formd_issuers', {
  meaning: 'Issuers; the primary one is issuer 0',
  key: [integer('issuer', '', '0: primary issuer; then the others in order')],
  columns: [
    boolean('is_primary', '', 'true for issuer 0', { item: 'Items 1 and 2' }),
    ...group('', 'Items 1 and 2', [
      cik('cik', 'cik', 'CIK'),
      text('name', 'entityName', 'name'),
      ...address('issuerAddress'),
      text('state_description', 'issuerAddress/stateOrCountryDescription', 'state in words'),
      text('phone', 'issuerPhoneNumber', 'telephone'),
      text('jurisdiction', 'jurisdictionOfInc', 'words (DELAWARE), in some old ones a code (D0)'),
      text('entity_type', 'entityType', 'Corporation, Limited Partnership, Other …'),
      text('entity_type_other', 'entityTypeOtherDesc', 'the other in words'),
      text('year_of_inc_choice', '', 'within_five_years, over_five_years or yet_to_be_formed', {
        empty: 'none is ticked',
      }),
      integer('year_of_inc', 'yearOfInc/value', 'year', { empty: 'over five years, yet to be formed' }),
    ]),
  ],
});

export const formdIssuerNames = table('formd_issuer_names', {
  meaning: 'Previous names of issuers',
  key: [
    integer('issuer', '', 'the issuer'),
    text('kind', '', 'issuer: by the issuer; edgar: in the records of EDGAR'),
    integer('position', '', 'from 0 within the kind, over the names kept'),
  ],
  columns: [text('name', '.', 'the name', { item: 'Item 1' })],
});

export const formdPersons = table('formd_persons', {
  meaning: 'Related persons; a company is in last_name, with a dummy first_name (N/A, -)',
  key: [integer('person', '', 'from 0')],
  columns: [
    ...group('', 'Item 3', [
      text('first_name', 'relatedPersonName/firstName', 'as filed'),
      text('middle_name', 'relatedPersonName/middleName', 'as filed'),
      text('last_name', 'relatedPersonName/lastName', 'as filed'),
      ...address('relatedPersonAddress'),
      text('state_description', 'relatedPersonAddress/stateOrCountryDescription', 'state in words'),
      text('relationship_1', '', 'Executive Officer, Director or Promoter, in order'),
      text('relationship_2', '', 'the second', { empty: 'only one' }),
      text('relationship_3', '', 'the third', { empty: 'fewer' }),
      text('relationship_clarification', 'relationshipClarification', 'free text'),
    ]),
  ],
});

export const formdRecipients = table('formd_recipients', {
  meaning: 'Recipients of sales compensation',
  key: [integer('recipient', '', 'from 0')],
  columns: [
    ...group('', 'Item 12', [
      text('name', 'recipientName', 'as filed: None occurs'),
      text('crd_number', 'recipientCRDNumber', 'as filed: None occurs'),
      text('associated_bd_name', 'associatedBDName', 'broker or dealer'),
      text('associated_bd_crd_number', 'associatedBDCRDNumber', 'its CRD number'),
      ...address('recipientAddress'),
      text('state_description', 'recipientAddress/stateOrCountryDescription', 'state in words'),
      boolean('all_states', '', 'true: `statesOfSolicitationList/value` is All States', {
        empty: 'the list is absent',
      }),
      boolean('foreign_solicitation', 'foreignSolicitation', 'foreign'),
    ]),
  ],
});

export const formdRecipientStates = table('formd_recipient_states', {
  meaning: 'States in which a recipient solicits',
  key: [integer('recipient', '', 'the recipient'), position],
  columns: [
    text('state', '', "EDGAR's code", { item: 'Item 12' }),
    text('description', '', 'in words', { item: 'Item 12' }),
  ],
});

export const formdSignatures = table('formd_signatures', {
  meaning: 'Signatures',
  key: [position],
  columns: [
    text('issuer_name', 'issuerName', 'issuer', { item: 'signature block' }),
    text('signature_name', 'signatureName', 'signature as typed', { item: 'signature block' }),
    text('name_of_signer', 'nameOfSigner', 'name', { item: 'signature block' }),
    text('signature_title', 'signatureTitle', 'title', { item: 'signature block' }),
    date('signature_date', 'signatureDate', 'date', { item: 'signature block' }),
  ],
});
