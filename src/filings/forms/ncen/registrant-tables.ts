/** Tables of Form N-CEN about the registrant: the annual census of investment companies. */
import { boolean, cik, date, group, integer, position, text } from '../map/descriptor.ts';
import { answer, table } from './table.ts';

export const ncenReports = table('ncen_reports', {
  meaning: 'Annual census reports of investment companies, one row each',
  key: [],
  columns: [
    text('schema_version', 'schemaVersion', 'X0505'),
    text('form_type', 'headerData/submissionType', 'N-CEN or N-CEN/A'),
    cik('filer_cik', 'headerData/filerInfo/filer/issuerCredentials/cik', 'CIK of the filer'),
    text('company_type', 'headerData/filerInfo/investmentCompanyType', 'N-1A, N-2 …'),
    date('period_end', 'formData/generalInfo/@reportEndingPeriod', 'end of the reporting period'),
    boolean('period_shorter_than_year', 'formData/generalInfo/@isReportPeriodLt12', 'period of less than 12 months'),
    ...group('formData/registrantInfo', null, [
      text('name', 'registrantFullName', 'name of the registrant'),
      text('file_number', 'investmentCompFileNo', '811-… as filed'),
      cik('registrant_cik', 'registrantCik', 'CIK of the registrant'),
      text('lei', 'registrantLei', 'LEI'),
      text('street1', 'registrantstreet1', 'first line of the street'),
      text('street2', 'registrantstreet2', 'second line'),
      text('city', 'registrantcity', 'city'),
      text('state', 'registrantstate', 'ISO code: US-NY'),
      text('country', 'registrantcountry', 'ISO code: US'),
      text('zip', 'registrantzipCode', 'postal code'),
      text('phone', 'registrantphoneNumber', 'telephone'),
      boolean('is_first_filing', 'isRegistrantFirstFiling', 'first report of the registrant'),
      boolean('is_last_filing', 'isRegistrantLastFiling', 'last report of the registrant'),
      boolean(
        'in_family',
        ['registrantFamilyInvComp/@isRegistrantFamilyInvComp', 'isRegistrantFamilyInvComp'],
        'part of a family of investment companies',
      ),
      text('family_name', 'registrantFamilyInvComp/@familyInvCompFullName', 'name of the family'),
      text('classification', 'registrantClassificationType', 'registration form: N-1A …'),
      integer('total_series', 'totalSeries', 'number of series, as stated'),
      boolean('has_securities_act_registration', 'isSecuritiesActRegistration', 'registered under the 1933 Act'),
      answer('submitted_matters_to_vote', 'isRegistrantSubmittedMatter', 'matters were put to a vote'),
      answer('has_legal_proceeding', 'isPreviousLegalProceeding', 'material legal proceedings'),
      answer('has_terminated_proceeding', 'isPreviousProceedingTerminated', 'a proceeding ended'),
      answer('has_bond_claim', 'isClaimFiled', 'claim under a fidelity bond'),
      boolean(
        'has_insurance',
        ['coveredByInsurancePolicy/@isCoveredByInsurancePolicy', 'isCoveredByInsurancePolicy'],
        'insurance of directors and officers',
      ),
      boolean(
        'has_insurance_claim',
        'coveredByInsurancePolicy/@isClaimFiledDuringPeriod',
        'claim under that insurance',
      ),
      answer('had_financial_support', 'isFinancialSupportDuringPeriod', 'an affiliate gave support'),
      answer('relied_on_exemptive_orders', 'isExemptionFromAct', 'relied on orders of the SEC'),
      boolean('underwriter_changed', 'isUnderwriterHiredOrTerminated', 'an underwriter was hired or left'),
      boolean('accountant_changed', 'isPublicAccountantChanged', 'the public accountant changed'),
      boolean('has_material_weakness', 'isMaterialWeakness', 'material weakness in internal control'),
      answer('has_qualified_opinion', 'isOpinionOffered', 'an opinion other than unqualified'),
      answer('valuation_changed', 'isMaterialChange', 'material change of valuation methods'),
      boolean('accounting_changed', 'isAccountingPrincipleChange', 'change of accounting principles'),
      answer('has_nav_error', 'isPaymentErrorInNetAssetValue', 'payments after an error in net asset value'),
      answer('paid_with_statement', 'isPaymentDividend', 'dividends that needed a statement under section 19(a)'),
    ]),
    boolean(
      'has_internal_control_report',
      'formData/attachmentsTab/isIPAReportInternalControl',
      "the accountant's report on internal control is attached",
    ),
    text('signature_registrant', 'formData/signature/@registrantSignedName', 'registrant that signs'),
    text('signature', 'formData/signature/@signature', 'as typed'),
    text('signature_title', 'formData/signature/@title', 'title'),
    date('signature_date', 'formData/signature/@signedDate', 'date'),
  ],
});

export const ncenSeries = table('ncen_series', {
  meaning: 'Series that the submission names in its header',
  key: [position],
  columns: [text('series_id', 'seriesId', 'S000…')],
});

export const ncenSeriesClasses = table('ncen_series_classes', {
  meaning: 'Classes of the series in the header',
  key: [integer('series', '', 'position in ncen_series'), position],
  columns: [text('class_id', 'classId', 'C000…')],
});

export const ncenWebsites = table('ncen_websites', {
  meaning: 'Web sites of the registrant',
  key: [position],
  columns: [text('website', '@webpage', 'as typed')],
});

export const ncenBooks = table('ncen_books', {
  meaning: 'Offices that keep books and records',
  key: [position],
  columns: [
    text('name', 'officeName', 'name of the office'),
    text('street1', 'officeAddress1', 'first line of the street'),
    text('street2', 'officeAddress2', 'second line'),
    text('city', 'officeCity', 'city'),
    text('state', 'officeStateCountry/@officeState', 'ISO code: US-MA'),
    text('country', 'officeStateCountry/@officeCountry', 'ISO code: US'),
    text('zip', 'officeRecordsZipCode', 'postal code'),
    text('phone', 'officePhone', 'telephone'),
    text('description', 'booksRecordsDesc', 'books and records kept there'),
  ],
});

export const ncenDirectors = table('ncen_directors', {
  meaning: 'Directors of the registrant',
  key: [position],
  columns: [
    text('name', 'directorName', 'name'),
    text('crd_number', 'crdNumber', 'as filed'),
    boolean('is_interested', 'isDirectorInterestedPerson', 'interested person of the registrant'),
  ],
});

export const ncenDirectorFiles = table('ncen_director_files', {
  meaning: 'Other registrants that a director serves',
  key: [integer('director', '', 'position in ncen_directors'), position],
  columns: [text('file_number', '@fileNumber', '811-… as filed')],
});

export const ncenComplianceOfficers = table('ncen_compliance_officers', {
  meaning: 'Chief compliance officers',
  key: [position],
  columns: [
    text('name', 'ccoName', 'name'),
    text('crd_number', 'crdNumber', 'as filed'),
    text('street1', 'ccoStreet1', 'first line of the street'),
    text('street2', 'ccoStreet2', 'second line'),
    text('city', 'ccoCity', 'city'),
    text('state', 'ccoStateCountry/@ccoState', 'ISO code: US-TN'),
    text('country', ['ccoStateCountry/@ccoCountry', 'ccoCountry'], 'ISO code: US'),
    text('zip', 'ccoZipCode', 'postal code'),
    text('phone', 'ccoPhone', 'EDGAR replaces it by XXXXXX'),
    boolean('changed', 'isCcoChangedSinceLastFiling', 'changed since the last report'),
  ],
});

export const ncenOfficerEmployers = table('ncen_officer_employers', {
  meaning: 'Other persons that pay a chief compliance officer; N/A gives no row',
  key: [integer('officer', '', 'position in ncen_compliance_officers'), position],
  columns: [text('name', '@ccoEmployerName', 'name'), text('employer_id', '@ccoEmployerId', 'number, as filed')],
});

export const ncenUnderwriters = table('ncen_underwriters', {
  meaning: 'Principal underwriters',
  key: [position],
  columns: [
    text('name', 'principalUnderwriterName', 'name'),
    text('file_number', 'principalUnderwriterFileNumber', '8-… as filed'),
    text('crd_number', 'principalUnderwriterCrdNumber', 'as filed'),
    text('lei', 'principalUnderwriterLei', 'LEI'),
    text('state', 'principalUnderWriterStateCountry/@principalUnderWriterState', 'ISO code: US-ME'),
    text(
      'country',
      ['principalUnderWriterStateCountry/@principalUnderWriterCountry', 'principalUnderWriterCountry'],
      'ISO code: US',
    ),
    boolean('is_affiliated', 'isPrincipalUnderwriterAffiliatedWithRegistrant', 'affiliated with the registrant'),
  ],
});

export const ncenAccountants = table('ncen_accountants', {
  meaning: 'Independent public accountants',
  key: [position],
  columns: [
    text('name', 'publicAccountantName', 'name'),
    text('pcaob_number', 'pcaobNumber', 'number at the PCAOB'),
    text('lei', 'publicAccountantLei', 'LEI'),
    text('state', 'publicAccountantStateCountry/@publicAccountantState', 'ISO code: US-NY'),
    text(
      'country',
      ['publicAccountantStateCountry/@publicAccountantCountry', 'publicAccountantCountry'],
      'ISO code: US',
    ),
  ],
});
