/** Tables of schedules 13D and 13G: owners of more than 5 per cent of a class. */

import { boolean, cik, date, decimal, integer, tablesOf, text } from '../descriptor.ts';

const table = tablesOf(['SCHEDULE 13D', 'SCHEDULE 13D/A', 'SCHEDULE 13G', 'SCHEDULE 13G/A']);

export const beneficialReports = table('beneficial_reports', {
  meaning: 'Schedules 13D and 13G in XML (since December 2024), one row each',
  key: [],
  columns: [
    text('form_type', 'headerData/submissionType', 'SCHEDULE 13D, SCHEDULE 13D/A, SCHEDULE 13G, SCHEDULE 13G/A'),
    text('schema_version', 'schemaVersion', 'X0202', { empty: 'first generation: not said' }),
    cik('filer_cik', 'headerData/filerInfo/filer/filerCredentials/cik', 'CIK of the first filer'),
    text('previous_accession_number', 'headerData/previousAccessionNumber', 'filing that it amends', {
      empty: 'not an amendment; some amendments',
    }),
    integer('amendment_no', 'formData/coverPageHeader/amendmentNo', 'number of the amendment', {
      empty: 'not an amendment',
    }),
    text('securities_class_title', 'formData/coverPageHeader/securitiesClassTitle', 'class'),
    date(
      'event_date',
      ['formData/coverPageHeader/dateOfEvent', 'formData/coverPageHeader/eventDateRequiresFilingThisStatement'],
      'date of the event that requires the filing',
    ),
    boolean('previously_filed', 'formData/coverPageHeader/previouslyFiledFlag', '13D: a 13G was filed before', {
      empty: '13G',
    }),
    cik(
      'issuer_cik',
      ['formData/coverPageHeader/issuerInfo/issuerCIK', 'formData/coverPageHeader/issuerInfo/issuerCik'],
      'CIK of the issuer',
    ),
    text('issuer_name', 'formData/coverPageHeader/issuerInfo/issuerName', 'name of the issuer'),
    text(
      'issuer_street1',
      [
        'formData/coverPageHeader/issuerInfo/address/street1',
        'formData/coverPageHeader/issuerInfo/issuerPrincipalExecutiveOfficeAddress/street1',
      ],
      'first line of the street',
    ),
    text(
      'issuer_street2',
      [
        'formData/coverPageHeader/issuerInfo/address/street2',
        'formData/coverPageHeader/issuerInfo/issuerPrincipalExecutiveOfficeAddress/street2',
      ],
      'second line',
    ),
    text(
      'issuer_city',
      [
        'formData/coverPageHeader/issuerInfo/address/city',
        'formData/coverPageHeader/issuerInfo/issuerPrincipalExecutiveOfficeAddress/city',
      ],
      'city',
    ),
    text(
      'issuer_state',
      [
        'formData/coverPageHeader/issuerInfo/address/stateOrCountry',
        'formData/coverPageHeader/issuerInfo/issuerPrincipalExecutiveOfficeAddress/stateOrCountry',
      ],
      "EDGAR's state or country code",
    ),
    text(
      'issuer_zip',
      [
        'formData/coverPageHeader/issuerInfo/address/zipCode',
        'formData/coverPageHeader/issuerInfo/issuerPrincipalExecutiveOfficeAddress/zipCode',
      ],
      'postal code',
    ),
    text('exhibits', 'formData/exhibitInfo', '13G: list of exhibits (13D: Item 7 in beneficial_items)', {
      empty: 'none',
    }),
    text(
      'signature_comment',
      ['formData/signatureInfo/commentText', 'formData/signatureComments'],
      'comment beside the signatures',
    ),
  ],
});

export const beneficialCusips = table('beneficial_cusips', {
  meaning: 'CUSIPs of the class',
  key: ['position'],
  columns: [integer('position', '', 'from 0'), text('cusip', '.', 'as filed')],
});

export const beneficialRules = table('beneficial_rules', {
  meaning: '13G: rules under which it is filed',
  key: ['position'],
  columns: [integer('position', '', 'from 0'), text('rule', '.', 'Rule 13d-1(b), (c) or (d)')],
});

export const beneficialPersons = table('beneficial_persons', {
  meaning: 'Reporting persons of the cover page. They may report the same shares: never sum over persons',
  key: ['person'],
  columns: [
    integer('person', '', 'from 0'),
    cik('cik', 'reportingPersonCIK', 'CIK', { item: 'cover page', empty: '13G; 13D persons without one' }),
    boolean('no_cik', 'reportingPersonNoCIK', 'the box "has no CIK"', { item: 'cover page', empty: 'not said' }),
    text('name', 'reportingPersonName', 'name', { item: 'cover page' }),
    text('member_of_group', ['memberOfGroup', 'memberGroup'], 'a: member of a group, b: disclaims it', {
      item: 'cover page',
      empty: 'neither ticked',
    }),
    boolean('legal_proceedings', 'legalProceedings', 'disclosure of legal proceedings is required', {
      item: 'cover page',
      empty: '13G, not said',
    }),
    text('citizenship', 'citizenshipOrOrganization', "EDGAR's state or country code", { item: 'cover page' }),
    decimal(
      'sole_voting',
      ['soleVotingPower', 'reportingPersonBeneficiallyOwnedNumberOfShares/soleVotingPower'],
      'shares',
      { item: 'cover page' },
    ),
    decimal(
      'shared_voting',
      ['sharedVotingPower', 'reportingPersonBeneficiallyOwnedNumberOfShares/sharedVotingPower'],
      'shares',
      { item: 'cover page' },
    ),
    decimal(
      'sole_dispositive',
      ['soleDispositivePower', 'reportingPersonBeneficiallyOwnedNumberOfShares/soleDispositivePower'],
      'shares',
      { item: 'cover page' },
    ),
    decimal(
      'shared_dispositive',
      ['sharedDispositivePower', 'reportingPersonBeneficiallyOwnedNumberOfShares/sharedDispositivePower'],
      'shares',
      { item: 'cover page' },
    ),
    decimal(
      'aggregate_amount',
      ['aggregateAmountOwned', 'reportingPersonBeneficiallyOwnedAggregateNumberOfShares'],
      'shares beneficially owned',
      { item: 'cover page' },
    ),
    boolean(
      'excludes_shares',
      ['isAggregateExcludeShares', 'aggregateAmountExcludesCertainSharesFlag'],
      'the aggregate leaves certain shares out',
      { item: 'cover page', empty: 'not said' },
    ),
    decimal('percent_of_class', ['percentOfClass', 'classPercent'], 'per cent: 5.1 is 5.1 %', { item: 'cover page' }),
    text('comment', ['commentContent', 'comments'], 'comment', { item: 'cover page' }),
  ],
});

export const beneficialPersonCodes = table('beneficial_person_codes', {
  meaning: 'Codes of reporting persons that repeat',
  key: ['person', 'kind', 'position'],
  columns: [
    integer('person', '', 'the person'),
    text('kind', '', 'type or funds'),
    integer('position', '', 'from 0 within the kind'),
    text('code', '.', 'IN, IA, PN, CO, HC …; WC, PF, OO, AF …'),
  ],
});

export const beneficialItems = table('beneficial_items', {
  meaning: 'Texts of the items',
  key: ['item', 'field', 'position'],
  columns: [
    text('item', '', '1 to 10'),
    text('field', '', 'path of element names below the item, joined by dots: transactionPurpose'),
    integer('position', '', 'from 0: place among the leaves of that item and field'),
    text('text', '.', 'the text', { item: 'Items 1 to 10' }),
  ],
});

export const beneficialAuthorizedPersons = table('beneficial_authorized_persons', {
  meaning: '13D: persons authorized to receive notices',
  key: ['position'],
  columns: [
    integer('position', '', 'from 0'),
    text('name', 'personName', 'name'),
    text('phone', 'personPhoneNum', 'telephone'),
    text('street1', 'personAddress/street1', 'first line of the street'),
    text('street2', 'personAddress/street2', 'second line'),
    text('city', 'personAddress/city', 'city'),
    text('state', 'personAddress/stateOrCountry', "EDGAR's state or country code"),
    text('zip', 'personAddress/zipCode', 'postal code'),
  ],
});

export const beneficialSignatures = table('beneficial_signatures', {
  meaning: 'Signatures',
  key: ['position'],
  columns: [
    integer('position', '', 'from 0 over all'),
    text('person_name', '', 'reporting person for whom it is signed', { empty: 'not said' }),
    text('signature', 'signature', 'as typed'),
    text('title', 'title', 'title'),
    date('signature_date', 'date', 'date'),
  ],
});
