/** Tables of Form D: exempt offerings of securities. */

import { boolean, cik, date, decimal, integer, tablesOf, text } from '../descriptor.ts';

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
    text('investment_fund_type', 'offeringData/industryGroup/investmentFundInfo/investmentFundType', 'as filed', {
      item: 'Item 4',
      empty: 'no pooled fund',
    }),
    boolean(
      'is_40_act',
      'offeringData/industryGroup/investmentFundInfo/is40Act',
      'registered under the Investment Company Act',
      { item: 'Item 4', empty: 'no pooled fund' },
    ),
    text('revenue_range', 'offeringData/issuerSize/revenueRange', 'as filed', {
      item: 'Item 5',
      empty: 'a fund states net assets',
    }),
    text('aggregate_nav_range', 'offeringData/issuerSize/aggregateNetAssetValueRange', 'as filed', {
      item: 'Item 5',
      empty: 'not a fund',
    }),
    boolean('is_amendment', 'offeringData/typeOfFiling/newOrAmendment/isAmendment', 'amendment', { item: 'Item 7' }),
    text(
      'previous_accession_number',
      'offeringData/typeOfFiling/newOrAmendment/previousAccessionNumber',
      'notice that it amends',
      { item: 'Item 7', empty: 'new notice' },
    ),
    date('date_of_first_sale', 'offeringData/typeOfFiling/dateOfFirstSale/value', 'date', {
      item: 'Item 7',
      empty: 'yet to occur',
    }),
    boolean('yet_to_occur', 'offeringData/typeOfFiling/dateOfFirstSale/yetToOccur', 'first sale yet to occur', {
      item: 'Item 7',
      empty: 'a date is given',
    }),
    boolean(
      'more_than_one_year',
      'offeringData/durationOfOffering/moreThanOneYear',
      'offering to last more than a year',
      { item: 'Item 8' },
    ),
    boolean('is_equity', 'offeringData/typesOfSecuritiesOffered/isEquityType', 'equity', {
      item: 'Item 9',
      empty: 'the box is empty: absent, never false',
    }),
    boolean('is_debt', 'offeringData/typesOfSecuritiesOffered/isDebtType', 'debt', {
      item: 'Item 9',
      empty: 'as above',
    }),
    boolean(
      'is_option',
      'offeringData/typesOfSecuritiesOffered/isOptionToAcquireType',
      'option, warrant or other right',
      { item: 'Item 9', empty: 'as above' },
    ),
    boolean(
      'is_security_to_be_acquired',
      'offeringData/typesOfSecuritiesOffered/isSecurityToBeAcquiredType',
      'security to be acquired upon exercise',
      { item: 'Item 9', empty: 'as above' },
    ),
    boolean(
      'is_pooled_fund',
      'offeringData/typesOfSecuritiesOffered/isPooledInvestmentFundType',
      'pooled fund interests',
      { item: 'Item 9', empty: 'as above' },
    ),
    boolean(
      'is_tenant_in_common',
      'offeringData/typesOfSecuritiesOffered/isTenantInCommonType',
      'tenant-in-common securities',
      { item: 'Item 9', empty: 'as above' },
    ),
    boolean(
      'is_mineral_property',
      'offeringData/typesOfSecuritiesOffered/isMineralPropertyType',
      'mineral property securities',
      { item: 'Item 9', empty: 'as above' },
    ),
    boolean('is_other', 'offeringData/typesOfSecuritiesOffered/isOtherType', 'other', {
      item: 'Item 9',
      empty: 'as above',
    }),
    text('description_of_other', 'offeringData/typesOfSecuritiesOffered/descriptionOfOtherType', 'the other in words', {
      item: 'Item 9',
    }),
    boolean(
      'is_business_combination',
      'offeringData/businessCombinationTransaction/isBusinessCombinationTransaction',
      'in a business combination',
      { item: 'Item 10' },
    ),
    text(
      'business_combination_clarification',
      'offeringData/businessCombinationTransaction/clarificationOfResponse',
      'free text',
      { item: 'Item 10' },
    ),
    decimal('minimum_investment', 'offeringData/minimumInvestmentAccepted', 'dollars', { item: 'Item 11' }),
    decimal('total_offering_amount', 'offeringData/offeringSalesAmounts/totalOfferingAmount', 'dollars', {
      nothing: /^indefinite$/i,
      item: 'Item 13',
      empty: 'Indefinite',
    }),
    boolean('total_offering_indefinite', '', 'true: the filing says Indefinite', { empty: 'the element is absent' }),
    decimal('total_amount_sold', 'offeringData/offeringSalesAmounts/totalAmountSold', 'dollars', { item: 'Item 13' }),
    decimal('total_remaining', 'offeringData/offeringSalesAmounts/totalRemaining', 'dollars', {
      nothing: /^indefinite$/i,
      item: 'Item 13',
      empty: 'Indefinite',
    }),
    boolean('total_remaining_indefinite', '', 'true: the filing says Indefinite', { empty: 'the element is absent' }),
    text('amounts_clarification', 'offeringData/offeringSalesAmounts/clarificationOfResponse', 'free text', {
      item: 'Item 13',
    }),
    boolean(
      'has_non_accredited',
      'offeringData/investors/hasNonAccreditedInvestors',
      'sold or may be sold to non-accredited investors',
      { item: 'Item 14' },
    ),
    integer('number_non_accredited', 'offeringData/investors/numberNonAccreditedInvestors', 'how many', {
      item: 'Item 14',
      empty: 'none said',
    }),
    integer('total_already_invested', 'offeringData/investors/totalNumberAlreadyInvested', 'investors so far', {
      item: 'Item 14',
    }),
    decimal('sales_commissions', 'offeringData/salesCommissionsFindersFees/salesCommissions/dollarAmount', 'dollars', {
      item: 'Item 15',
    }),
    boolean(
      'sales_commissions_is_estimate',
      'offeringData/salesCommissionsFindersFees/salesCommissions/isEstimate',
      'estimate',
      { item: 'Item 15', empty: 'box empty' },
    ),
    decimal('finders_fees', 'offeringData/salesCommissionsFindersFees/findersFees/dollarAmount', 'dollars', {
      item: 'Item 15',
    }),
    boolean('finders_fees_is_estimate', 'offeringData/salesCommissionsFindersFees/findersFees/isEstimate', 'estimate', {
      item: 'Item 15',
      empty: 'box empty',
    }),
    text('fees_clarification', 'offeringData/salesCommissionsFindersFees/clarificationOfResponse', 'free text', {
      item: 'Item 15',
    }),
    decimal(
      'gross_proceeds_used',
      'offeringData/useOfProceeds/grossProceedsUsed/dollarAmount',
      'dollars paid to related persons',
      { item: 'Item 16' },
    ),
    boolean('gross_proceeds_used_is_estimate', 'offeringData/useOfProceeds/grossProceedsUsed/isEstimate', 'estimate', {
      item: 'Item 16',
      empty: 'box empty',
    }),
    text('proceeds_clarification', 'offeringData/useOfProceeds/clarificationOfResponse', 'free text', {
      item: 'Item 16',
    }),
    boolean(
      'authorized_representative',
      'offeringData/signatureBlock/authorizedRepresentative',
      'signed by a representative',
    ),
  ],
});

export const formdExemptions = table('formd_exemptions', {
  meaning: 'Exemptions and exclusions claimed',
  key: ['position'],
  columns: [integer('position', '', 'from 0'), text('item', '.', '06b, 06c, 3C, 3C.1 …', { item: 'Item 6' })],
});

export const formdIssuers = table('formd_issuers', {
  meaning: 'Issuers; the primary one is issuer 0',
  key: ['issuer'],
  columns: [
    integer('issuer', '', '0: primary issuer; then the others in order'),
    boolean('is_primary', '', 'true for issuer 0', { item: 'Items 1 and 2' }),
    cik('cik', 'cik', 'CIK', { item: 'Items 1 and 2' }),
    text('name', 'entityName', 'name', { item: 'Items 1 and 2' }),
    text('street1', 'issuerAddress/street1', 'first line of the street', { item: 'Items 1 and 2' }),
    text('street2', 'issuerAddress/street2', 'second line', { item: 'Items 1 and 2' }),
    text('city', 'issuerAddress/city', 'city', { item: 'Items 1 and 2' }),
    text('state', 'issuerAddress/stateOrCountry', "EDGAR's state or country code", { item: 'Items 1 and 2' }),
    text('zip', 'issuerAddress/zipCode', 'postal code', { item: 'Items 1 and 2' }),
    text('state_description', 'issuerAddress/stateOrCountryDescription', 'state in words', { item: 'Items 1 and 2' }),
    text('phone', 'issuerPhoneNumber', 'telephone', { item: 'Items 1 and 2' }),
    text('jurisdiction', 'jurisdictionOfInc', 'words (DELAWARE), in some old ones a code (D0)', {
      item: 'Items 1 and 2',
    }),
    text('entity_type', 'entityType', 'Corporation, Limited Partnership, Other …', { item: 'Items 1 and 2' }),
    text('entity_type_other', 'entityTypeOtherDesc', 'the other in words', { item: 'Items 1 and 2' }),
    text('year_of_inc_choice', '', 'within_five_years, over_five_years or yet_to_be_formed', {
      item: 'Items 1 and 2',
      empty: 'none is ticked',
    }),
    integer('year_of_inc', 'yearOfInc/value', 'year', {
      item: 'Items 1 and 2',
      empty: 'over five years, yet to be formed',
    }),
  ],
});

export const formdIssuerNames = table('formd_issuer_names', {
  meaning: 'Previous names of issuers',
  key: ['issuer', 'kind', 'position'],
  columns: [
    integer('issuer', '', 'the issuer'),
    text('kind', '', 'issuer: by the issuer; edgar: in the records of EDGAR'),
    integer('position', '', 'from 0 within the kind, over the names kept'),
    text('name', '.', 'the name', { item: 'Item 1' }),
  ],
});

export const formdPersons = table('formd_persons', {
  meaning: 'Related persons; a company is in last_name, with a dummy first_name (N/A, -)',
  key: ['person'],
  columns: [
    integer('person', '', 'from 0'),
    text('first_name', 'relatedPersonName/firstName', 'as filed', { item: 'Item 3' }),
    text('middle_name', 'relatedPersonName/middleName', 'as filed', { item: 'Item 3' }),
    text('last_name', 'relatedPersonName/lastName', 'as filed', { item: 'Item 3' }),
    text('street1', 'relatedPersonAddress/street1', 'first line of the street', { item: 'Item 3' }),
    text('street2', 'relatedPersonAddress/street2', 'second line', { item: 'Item 3' }),
    text('city', 'relatedPersonAddress/city', 'city', { item: 'Item 3' }),
    text('state', 'relatedPersonAddress/stateOrCountry', "EDGAR's state or country code", { item: 'Item 3' }),
    text('zip', 'relatedPersonAddress/zipCode', 'postal code', { item: 'Item 3' }),
    text('state_description', 'relatedPersonAddress/stateOrCountryDescription', 'state in words', { item: 'Item 3' }),
    text('relationship_1', '', 'Executive Officer, Director or Promoter, in order', { item: 'Item 3' }),
    text('relationship_2', '', 'the second', { item: 'Item 3', empty: 'only one' }),
    text('relationship_3', '', 'the third', { item: 'Item 3', empty: 'fewer' }),
    text('relationship_clarification', 'relationshipClarification', 'free text', { item: 'Item 3' }),
  ],
});

export const formdRecipients = table('formd_recipients', {
  meaning: 'Recipients of sales compensation',
  key: ['recipient'],
  columns: [
    integer('recipient', '', 'from 0'),
    text('name', 'recipientName', 'as filed: None occurs', { item: 'Item 12' }),
    text('crd_number', 'recipientCRDNumber', 'as filed: None occurs', { item: 'Item 12' }),
    text('associated_bd_name', 'associatedBDName', 'broker or dealer', { item: 'Item 12' }),
    text('associated_bd_crd_number', 'associatedBDCRDNumber', 'its CRD number', { item: 'Item 12' }),
    text('street1', 'recipientAddress/street1', 'first line of the street', { item: 'Item 12' }),
    text('street2', 'recipientAddress/street2', 'second line', { item: 'Item 12' }),
    text('city', 'recipientAddress/city', 'city', { item: 'Item 12' }),
    text('state', 'recipientAddress/stateOrCountry', "EDGAR's state or country code", { item: 'Item 12' }),
    text('zip', 'recipientAddress/zipCode', 'postal code', { item: 'Item 12' }),
    text('state_description', 'recipientAddress/stateOrCountryDescription', 'state in words', { item: 'Item 12' }),
    boolean('all_states', '', 'true: `statesOfSolicitationList/value` is All States', {
      item: 'Item 12',
      empty: 'the list is absent',
    }),
    boolean('foreign_solicitation', 'foreignSolicitation', 'foreign', { item: 'Item 12' }),
  ],
});

export const formdRecipientStates = table('formd_recipient_states', {
  meaning: 'States in which a recipient solicits',
  key: ['recipient', 'position'],
  columns: [
    integer('recipient', '', 'the recipient'),
    integer('position', '', 'from 0'),
    text('state', '', "EDGAR's code", { item: 'Item 12' }),
    text('description', '', 'in words', { item: 'Item 12' }),
  ],
});

export const formdSignatures = table('formd_signatures', {
  meaning: 'Signatures',
  key: ['position'],
  columns: [
    integer('position', '', 'from 0'),
    text('issuer_name', 'issuerName', 'issuer', { item: 'signature block' }),
    text('signature_name', 'signatureName', 'signature as typed', { item: 'signature block' }),
    text('name_of_signer', 'nameOfSigner', 'name', { item: 'signature block' }),
    text('signature_title', 'signatureTitle', 'title', { item: 'signature block' }),
    date('signature_date', 'signatureDate', 'date', { item: 'signature block' }),
  ],
});
