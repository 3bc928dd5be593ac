/** Tables of schedules 13D and 13G: owners of more than 5 per cent of a class. */
import { address, boolean, cik, date, decimal, group, integer, position, tablesOf, text } from '../map/descriptor.ts';

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
    ...group('formData/coverPageHeader', null, [
      integer('amendment_no', 'amendmentNo', 'number of the amendment', { empty: 'not an amendment' }),
      text('securities_class_title', 'securitiesClassTitle', 'class'),
      date(
        'event_date',
        ['dateOfEvent', 'eventDateRequiresFilingThisStatement'],
        'date of the event that requires the filing',
      ),
      boolean('previously_filed', 'previouslyFiledFlag', '13D: a 13G was filed before', { empty: '13G' }),
    ]),
    ...group('formData/coverPageHeader/issuerInfo', null, [
      cik('issuer_cik', ['issuerCIK', 'issuerCik'], 'CIK of the issuer'),
      text('issuer_name', 'issuerName', 'name of the issuer'),
      ...address(['address', 'issuerPrincipalExecutiveOfficeAddress'], 'issuer_'),
    ]),
    ...group('formData', null, [
      text('exhibits', 'exhibitInfo', '13G: list of exhibits (13D: Item 7 in beneficial_items)', { empty: 'none' }),
      text('signature_comment', ['signatureInfo/commentText', 'signatureComments'], 'comment beside the signatures'),
    ]),
  ],
});

export const beneficialCusips = table('beneficial_cusips', {
  meaning: 'CUSIPs of the class',
  key: [position],
  columns: [text('cusip', '.', 'as filed')],
});

export const beneficialRules = table('beneficial_rules', {
  meaning: '13G: rules under which it is filed',
  key: [position],
  columns: [text('rule', '.', 'Rule 13d-1(b), (c) or (d)')],
});

export const beneficialPersons = table('beneficial_persons', {
  meaning: 'Reporting persons of the cover page. They may report the same shares: never sum over persons',
  key: [integer('person', '', 'from 0')],
  columns: [
    ...group('', 'cover page', [
      cik('cik', 'reportingPersonCIK', 'CIK', { empty: '13G; 13D persons without one' }),
      boolean('no_cik', 'reportingPersonNoCIK', 'the box "has no CIK"', { empty: 'not said' }),
      text('name', 'reportingPersonName', 'name'),
      text('member_of_group', ['memberOfGroup', 'memberGroup'], 'a: member of a group, b: disclaims it', {
        empty: 'neither ticked',
      }),
      boolean('legal_proceedings', 'legalProceedings', 'disclosure of legal proceedings is required', {
        empty: '13G, not said',
      }),
      text('citizenship', 'citizenshipOrOrganization', "EDGAR's state or country code"),
      ...group(['', 'reportingPersonBeneficiallyOwnedNumberOfShares'], null, [
        decimal('sole_voting', 'soleVotingPower', 'shares'),
        decimal('shared_voting', 'sharedVotingPower', 'shares'),
        decimal('sole_dispositive', 'soleDispositivePower', 'shares'),
        decimal('shared_dispositive', 'sharedDispositivePower', 'shares'),
      ]),
      decimal(
        'aggregate_amount',
        ['aggregateAmountOwned', 'reportingPersonBeneficiallyOwnedAggregateNumberOfShares'],
        'shares beneficially owned',
      ),
      boolean(
        'excludes_shares',
        ['isAggregateExcludeShares', 'aggregateAmountExcludesCertainSharesFlag'],
        'the aggregate leaves certain shares out',
        { empty: 'not said' },
      ),
      decimal('percent_of_class', ['percentOfClass', 'classPercent'], 'per cent: 5.1 is 5.1 %'),
      text('comment', ['commentContent', 'comments'], 'comment'),
    ]),
  ],
});

export const beneficialPersonCodes = table('beneficial_person_codes', {
  meaning: 'Codes of reporting persons that repeat',
  key: [
    integer('person', '', 'the person'),
    text('kind', '', 'type or funds'),
    integer('position', '', 'from 0 within the kind'),
  ],
  columns: [text('code', '.', 'IN, IA, PN, CO, HC …; WC, PF, OO, AF …')],
});

export const beneficialItems = table('beneficial_items', {
  meaning: 'Texts of the items',
  key: [
    text('item', '', '1 to 10'),
    text('field', '', 'path of element names below the item, joined by dots: transactionPurpose'),
    integer('position', '', 'from 0: place among the leaves of that item and field'),
  ],
  columns: [text('text', '.', 'the text', { item: 'Items 1 to 10' })],
});

export const beneficialAuthorizedPersons = table('beneficial_authorized_persons', {
  meaning: '13D: persons authorized to receive notices',
  key: [position],
  columns: [
    text('name', 'personName', 'name'),
    text('phone', 'personPhoneNum', 'telephone'),
    ...address('personAddress'),
  ],
});

export const beneficialSignatures = table('beneficial_signatures', {
  meaning: 'Signatures',
  key: [integer('position', '', 'from 0 over all')],
  columns: [
    text('person_name', '', 'reporting person for whom it is signed', { empty: 'not said' }),
    text('signature', 'signature', 'as typed'),
    text('title', 'title', 'title'),
    date('signature_date', 'date', 'date'),
  ],
});
