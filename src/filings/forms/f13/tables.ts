/** Tables of form 13F: holdings of institutional managers. */
import { address, bigint, boolean, cik, date, decimal, group, integer, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['13F-HR', '13F-HR/A', '13F-NT', '13F-NT/A', '13F-CTR', '13F-CTR/A']);

export const f13Reports = table('f13_reports', {
  meaning: 'Reports of institutional managers, one row each',
  key: [],
  columns: [
    text(
      'form_type',
      'headerData/submissionType',
      '13F-HR, 13F-NT, 13F-CTR or /A. A 13F-NT has no holdings: it says that others report them',
    ),
    text('schema_version', 'schemaVersion', 'X0101, X0202 …', { empty: 'not said' }),
    cik('filer_cik', 'headerData/filerInfo/filer/credentials/cik', 'CIK of the filing manager'),
    date('period_of_report', 'headerData/filerInfo/periodOfReport', 'end of the quarter, of the header'),
    date('report_calendar_or_quarter', 'formData/coverPage/reportCalendarOrQuarter', 'the same, of the cover page'),
    boolean('is_amendment', 'formData/coverPage/isAmendment', 'the box', { empty: 'not said: form_type tells' }),
    integer('amendment_no', 'formData/coverPage/amendmentNo', 'number of the amendment', { empty: 'no amendment' }),
    ...group('formData/coverPage/amendmentInfo', null, [
      text('amendment_type', 'amendmentType', 'RESTATEMENT replaces the report, NEW HOLDINGS adds to it', {
        empty: 'no amendment',
      }),
      boolean(
        'conf_denied_expired',
        'confDeniedExpired',
        'new holdings because confidential treatment was denied or expired',
        { empty: 'not said' },
      ),
    ]),
    ...group('formData/coverPage', null, [
      date('date_denied_expired', 'amendmentInfo/dateDeniedExpired', 'when'),
      date('date_reported', 'amendmentInfo/dateReported', 'date of the report that left them out'),
      text('reason_for_non_confidentiality', 'amendmentInfo/reasonForNonConfidentiality', 'as filed'),
      text('report_type', 'reportType', '13F HOLDINGS REPORT, 13F NOTICE or 13F COMBINATION REPORT'),
      text('manager_name', 'filingManager/name', 'name of the manager'),
      ...address('filingManager/address', 'manager_'),
      text('form13f_file_number', 'form13FFileNumber', '028-… as filed, with or without leading zeros'),
      text('crd_number', 'crdNumber', 'since 2022'),
      text('sec_file_number', 'secFileNumber', 'since 2022'),
      boolean('provide_info_for_instruction5', 'provideInfoForInstruction5', 'Y or N'),
      text('additional_information', 'additionalInformation', 'free text'),
    ]),
    ...group('formData/summaryPage', null, [
      integer('other_included_managers_count', 'otherIncludedManagersCount', 'as stated', { empty: '13F-NT' }),
      bigint('table_entry_total', 'tableEntryTotal', 'rows, as stated', { empty: '13F-NT' }),
      decimal('table_value_total', 'tableValueTotal', 'sum of the values, as stated, in the unit of the report', {
        empty: '13F-NT',
      }),
      boolean('is_confidential_omitted', 'isConfidentialOmitted', 'holdings left out for confidential treatment', {
        empty: 'not said',
      }),
    ]),
    text('signature_name', 'formData/signatureBlock/name', 'who signs'),
    text('signature_title', 'formData/signatureBlock/title', 'title'),
    text('signature_phone', 'formData/signatureBlock/phone', 'telephone'),
    text('signature', 'formData/signatureBlock/signature', 'signature as typed'),
    text('signature_city', 'formData/signatureBlock/city', 'city'),
    text('signature_state', 'formData/signatureBlock/stateOrCountry', "EDGAR's state or country code"),
    date('signature_date', 'formData/signatureBlock/signatureDate', 'date'),
    bigint('holdings', '', 'rows in f13_holdings', { empty: 'the file has no information table' }),
    decimal('value_sum', '', 'sum of f13_holdings.value, as filed', { empty: 'as above' }),
    decimal(
      'median_price',
      '',
      'median of value ÷ shares over the rows that show the unit, rounded half up to 6 digits',
      { empty: 'no such row' },
    ),
    text('value_unit', '', 'dollars or thousands: see f13_holdings', { empty: 'as there' }),
    text('value_unit_evidence', '', 'see f13_holdings', { empty: 'as there' }),
  ],
});

export const f13Managers = table('f13_managers', {
  meaning: 'Other managers',
  key: [
    text(
      'kind',
      '',
      "reporting: they report for this manager (13F-NT, combination; SEC's OTHERMANAGER). included: this report is for them too (OTHERMANAGER2)",
    ),
    integer('position', '', 'from 0 within the kind'),
  ],
  columns: [
    ...group('', 'cover page and summary page', [
      integer('sequence_number', 'sequenceNumber', 'number that f13_holding_managers uses', {
        empty: 'kind reporting',
      }),
      cik('cik', ['cik', 'otherManager/cik'], 'CIK', { empty: 'not said: most before 2022' }),
      text('form13f_file_number', ['form13FFileNumber', 'otherManager/form13FFileNumber'], 'as filed'),
      text('crd_number', ['crdNumber', 'otherManager/crdNumber'], 'as filed'),
      text('sec_file_number', ['secFileNumber', 'otherManager/secFileNumber'], 'as filed'),
      text('name', ['name', 'otherManager/name'], 'name'),
    ]),
  ],
});

export const f13Holdings = table('f13_holdings', {
  meaning:
    'Rows of the information table. One security may fill several rows (per manager, discretion, put or call): sum, never pick',
  key: [integer('position', '', 'from 0 over all information tables of the filing')],
  columns: [
    text('name_of_issuer', 'nameOfIssuer', 'as filed', { item: 'column 1' }),
    text('title_of_class', 'titleOfClass', 'as filed', { item: 'column 2' }),
    text('cusip', 'cusip', 'as filed: letters as they are, zeros kept', { item: 'column 3' }),
    text('figi', 'figi', 'since 2023', { item: 'column 3', empty: 'not given' }),
    decimal('value', 'value', 'value as filed; the unit is in value_unit', { item: 'column 4' }),
    text('value_unit', '', 'dollars or thousands', { empty: 'neither the date nor the prices tell' }),
    text(
      'value_unit_evidence',
      '',
      'date_and_price, date, price, price_against_date or date_against_price: see "Thousands or dollars"',
      { empty: 'value_unit is null' },
    ),
    decimal('value_usd', '', 'value, times 1,000 if value_unit is thousands', { empty: 'value or value_unit is null' }),
    decimal('shares_or_principal', 'shrsOrPrnAmt/sshPrnamt', 'shares, or principal in dollars', { item: 'column 5' }),
    text('shares_or_principal_type', 'shrsOrPrnAmt/sshPrnamtType', 'SH or PRN', { item: 'column 5' }),
    text('put_call', 'putCall', 'Put or Call, as filed', { item: 'column 5', empty: 'not an option' }),
    text('investment_discretion', 'investmentDiscretion', 'SOLE, DFND or OTR', { item: 'column 6' }),
    text('other_managers', 'otherManager', 'list as filed; table f13_holding_managers has a row for each', {
      item: 'column 7',
      empty: 'none, or blanks only',
    }),
    decimal('voting_sole', 'votingAuthority/Sole', 'votes, sole', { item: 'column 8' }),
    decimal('voting_shared', 'votingAuthority/Shared', 'votes, shared', { item: 'column 8' }),
    decimal('voting_none', 'votingAuthority/None', 'votes, none', { item: 'column 8' }),
  ],
});

export const f13HoldingManagers = table('f13_holding_managers', {
  meaning: 'The managers that a holding names',
  key: [integer('position', '', 'the holding'), integer('ordinal', '', 'place in the list, from 0')],
  columns: [
    integer('sequence_number', '', 'number of f13_managers, kind included', { empty: "the part isn't a number" }),
    text('text', '', 'the part as filed'),
  ],
});
