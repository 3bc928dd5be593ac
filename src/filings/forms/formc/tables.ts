/** Tables of Form C: crowdfunding offerings, their progress and annual reports. */
import { address, boolean, cik, date, decimal, group, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf([
  'C',
  'C-W',
  'C-U',
  'C-U-W',
  'C/A',
  'C/A-W',
  'C-AR',
  'C-AR-W',
  'C-AR/A',
  'C-AR/A-W',
  'C-TR',
  'C-TR-W',
]);
/** An amount of the last two fiscal years. */
const years = (name: string, element: string, meaning: string) => [
  decimal(name, `${element}MostRecentFiscalYear`, `${meaning}, most recent fiscal year, dollars`),
  decimal(`${name}_prior`, `${element}PriorFiscalYear`, `${meaning}, the year before`),
];

export const formcOfferings = table('formc_offerings', {
  meaning: 'Crowdfunding filings, one row each: offering statement, progress update, annual report, termination',
  key: [],
  columns: [
    text('form_type', 'headerData/submissionType', 'C, C-U, C-AR, C-TR, their amendments and withdrawals'),
    cik('filer_cik', 'headerData/filerInfo/filer/filerCredentials/filerCik', 'CIK of the issuer'),
    text('file_number', 'headerData/filerInfo/filer/fileNumber', '020-…', { empty: 'first filing' }),
    date('period', 'headerData/filerInfo/period', 'fiscal year end', { empty: 'not an annual report' }),
    ...group('formData/issuerInformation', null, [
      text('name', 'issuerInfo/nameOfIssuer', 'name of the issuer'),
      text('legal_form', 'issuerInfo/legalStatus/legalStatusForm', 'Corporation, Limited Liability Company …'),
      text('legal_form_other', 'issuerInfo/legalStatus/legalStatusOtherDesc', 'the other in words'),
      text('jurisdiction', 'issuerInfo/legalStatus/jurisdictionOrganization', "EDGAR's state or country code"),
      date('date_of_organization', 'issuerInfo/legalStatus/dateIncorporation', 'date'),
      ...address('issuerInfo/issuerAddress'),
      text('website', 'issuerInfo/issuerWebsite', 'as typed'),
      boolean('has_co_issuer', 'isCoIssuer', 'there is a co-issuer'),
      boolean('is_amendment', 'isAmendment', 'the box', { empty: 'not said' }),
      text('nature_of_amendment', 'natureOfAmendment', 'in words', { empty: 'not an amendment' }),
      text('progress_update', 'progressUpdate', 'in words', { empty: 'not C-U' }),
      text('intermediary_name', 'companyName', 'intermediary'),
      cik('intermediary_cik', 'commissionCik', 'its CIK'),
      text('intermediary_file_number', 'commissionFileNumber', 'its file number'),
      text('intermediary_crd_number', 'crdNumber', 'its CRD number'),
    ]),
    ...group('formData/offeringInformation', null, [
      text('compensation', 'compensationAmount', 'of the intermediary, in words'),
      text('financial_interest', 'financialInterest', 'of the intermediary, in words'),
      text('security_type', 'securityOfferedType', 'Common Stock, Preferred Stock, Debt, Other'),
      text('security_type_other', 'securityOfferedOtherDesc', 'the other in words'),
      decimal('securities_offered', 'noOfSecurityOffered', 'target number of securities'),
      decimal('price', 'price', 'dollars'),
      text('price_method', 'priceDeterminationMethod', 'in words'),
      decimal('target_amount', 'offeringAmount', 'dollars'),
      boolean('oversubscription_accepted', 'overSubscriptionAccepted', 'the box'),
      text('oversubscription_allocation', 'overSubscriptionAllocationType', 'pro-rata, first-come, other'),
      text('oversubscription_other', 'descOverSubscription', 'the other in words'),
      decimal('maximum_amount', 'maximumOfferingAmount', 'dollars'),
      date('deadline', 'deadlineDate', 'day on which the target must be reached'),
    ]),
    ...group('formData/annualReportDisclosureRequirements', null, [
      decimal('employees', 'currentEmployees', 'current employees; filed with decimals'),
      ...years('total_assets', 'totalAsset', 'total assets'),
      ...years('cash', 'cashEqui', 'cash and equivalents'),
      ...years('receivables', 'actReceived', 'accounts receivable'),
      ...years('short_term_debt', 'shortTermDebt', 'short-term debt'),
      ...years('long_term_debt', 'longTermDebt', 'long-term debt'),
      ...years('revenue', 'revenue', 'revenue or sales'),
      ...years('cost_of_goods', 'costGoodsSold', 'cost of goods sold'),
      ...years('taxes_paid', 'taxPaid', 'taxes paid'),
      ...years('net_income', 'netIncome', 'net income'),
    ]),
    text('signature_issuer', 'formData/signatureInfo/issuerSignature/issuer', 'issuer that signs'),
    text('signature', 'formData/signatureInfo/issuerSignature/issuerSignature', 'as typed'),
    text('signature_title', 'formData/signatureInfo/issuerSignature/issuerTitle', 'title'),
  ],
});

export const formcJurisdictions = table('formc_jurisdictions', {
  meaning: 'Jurisdictions in which the securities are to be offered',
  key: [position],
  columns: [text('jurisdiction', '.', "EDGAR's state or country code")],
});

export const formcSignatures = table('formc_signatures', {
  meaning: 'Signatures of persons',
  key: [position],
  columns: [
    text('signature', 'personSignature', 'as typed'),
    text('title', 'personTitle', 'title'),
    date('signature_date', 'signatureDate', 'date'),
  ],
});
