/** Tables of Form C: crowdfunding offerings, their progress and annual reports. */
import { boolean, cik, date, decimal, position, tablesOf, text } from '../descriptor.ts';

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
const issuer = 'formData/issuerInformation';
const offering = 'formData/offeringInformation';
const annual = 'formData/annualReportDisclosureRequirements';

export const formcOfferings = table('formc_offerings', {
  meaning: 'Crowdfunding filings, one row each: offering statement, progress update, annual report, termination',
  key: [],
  columns: [
    text('form_type', 'headerData/submissionType', 'C, C-U, C-AR, C-TR, their amendments and withdrawals'),
    cik('filer_cik', 'headerData/filerInfo/filer/filerCredentials/filerCik', 'CIK of the issuer'),
    text('file_number', 'headerData/filerInfo/filer/fileNumber', '020-…', { empty: 'first filing' }),
    date('period', 'headerData/filerInfo/period', 'fiscal year end', { empty: 'not an annual report' }),
    text('name', `${issuer}/issuerInfo/nameOfIssuer`, 'name of the issuer'),
    text('legal_form', `${issuer}/issuerInfo/legalStatus/legalStatusForm`, 'Corporation, Limited Liability Company …'),
    text('legal_form_other', `${issuer}/issuerInfo/legalStatus/legalStatusOtherDesc`, 'the other in words'),
    text('jurisdiction', `${issuer}/issuerInfo/legalStatus/jurisdictionOrganization`, "EDGAR's state or country code"),
    date('date_of_organization', `${issuer}/issuerInfo/legalStatus/dateIncorporation`, 'date'),
    text('street1', `${issuer}/issuerInfo/issuerAddress/street1`, 'first line of the street'),
    text('street2', `${issuer}/issuerInfo/issuerAddress/street2`, 'second line'),
    text('city', `${issuer}/issuerInfo/issuerAddress/city`, 'city'),
    text('state', `${issuer}/issuerInfo/issuerAddress/stateOrCountry`, "EDGAR's state or country code"),
    text('zip', `${issuer}/issuerInfo/issuerAddress/zipCode`, 'postal code'),
    text('website', `${issuer}/issuerInfo/issuerWebsite`, 'as typed'),
    boolean('has_co_issuer', `${issuer}/isCoIssuer`, 'there is a co-issuer'),
    boolean('is_amendment', `${issuer}/isAmendment`, 'the box', { empty: 'not said' }),
    text('nature_of_amendment', `${issuer}/natureOfAmendment`, 'in words', { empty: 'not an amendment' }),
    text('progress_update', `${issuer}/progressUpdate`, 'in words', { empty: 'not C-U' }),
    text('intermediary_name', `${issuer}/companyName`, 'intermediary'),
    cik('intermediary_cik', `${issuer}/commissionCik`, 'its CIK'),
    text('intermediary_file_number', `${issuer}/commissionFileNumber`, 'its file number'),
    text('intermediary_crd_number', `${issuer}/crdNumber`, 'its CRD number'),
    text('compensation', `${offering}/compensationAmount`, 'of the intermediary, in words'),
    text('financial_interest', `${offering}/financialInterest`, 'of the intermediary, in words'),
    text('security_type', `${offering}/securityOfferedType`, 'Common Stock, Preferred Stock, Debt, Other'),
    text('security_type_other', `${offering}/securityOfferedOtherDesc`, 'the other in words'),
    decimal('securities_offered', `${offering}/noOfSecurityOffered`, 'target number of securities'),
    decimal('price', `${offering}/price`, 'dollars'),
    text('price_method', `${offering}/priceDeterminationMethod`, 'in words'),
    decimal('target_amount', `${offering}/offeringAmount`, 'dollars'),
    boolean('oversubscription_accepted', `${offering}/overSubscriptionAccepted`, 'the box'),
    text('oversubscription_allocation', `${offering}/overSubscriptionAllocationType`, 'pro-rata, first-come, other'),
    text('oversubscription_other', `${offering}/descOverSubscription`, 'the other in words'),
    decimal('maximum_amount', `${offering}/maximumOfferingAmount`, 'dollars'),
    date('deadline', `${offering}/deadlineDate`, 'day on which the target must be reached'),
    decimal('employees', `${annual}/currentEmployees`, 'current employees; filed with decimals'),
    decimal(
      'total_assets',
      `${annual}/totalAssetMostRecentFiscalYear`,
      'total assets, most recent fiscal year, dollars',
    ),
    decimal('total_assets_prior', `${annual}/totalAssetPriorFiscalYear`, 'total assets, the year before'),
    decimal('cash', `${annual}/cashEquiMostRecentFiscalYear`, 'cash and equivalents, most recent fiscal year, dollars'),
    decimal('cash_prior', `${annual}/cashEquiPriorFiscalYear`, 'cash and equivalents, the year before'),
    decimal(
      'receivables',
      `${annual}/actReceivedMostRecentFiscalYear`,
      'accounts receivable, most recent fiscal year, dollars',
    ),
    decimal('receivables_prior', `${annual}/actReceivedPriorFiscalYear`, 'accounts receivable, the year before'),
    decimal(
      'short_term_debt',
      `${annual}/shortTermDebtMostRecentFiscalYear`,
      'short-term debt, most recent fiscal year, dollars',
    ),
    decimal('short_term_debt_prior', `${annual}/shortTermDebtPriorFiscalYear`, 'short-term debt, the year before'),
    decimal(
      'long_term_debt',
      `${annual}/longTermDebtMostRecentFiscalYear`,
      'long-term debt, most recent fiscal year, dollars',
    ),
    decimal('long_term_debt_prior', `${annual}/longTermDebtPriorFiscalYear`, 'long-term debt, the year before'),
    decimal('revenue', `${annual}/revenueMostRecentFiscalYear`, 'revenue or sales, most recent fiscal year, dollars'),
    decimal('revenue_prior', `${annual}/revenuePriorFiscalYear`, 'revenue or sales, the year before'),
    decimal(
      'cost_of_goods',
      `${annual}/costGoodsSoldMostRecentFiscalYear`,
      'cost of goods sold, most recent fiscal year, dollars',
    ),
    decimal('cost_of_goods_prior', `${annual}/costGoodsSoldPriorFiscalYear`, 'cost of goods sold, the year before'),
    decimal('taxes_paid', `${annual}/taxPaidMostRecentFiscalYear`, 'taxes paid, most recent fiscal year, dollars'),
    decimal('taxes_paid_prior', `${annual}/taxPaidPriorFiscalYear`, 'taxes paid, the year before'),
    decimal('net_income', `${annual}/netIncomeMostRecentFiscalYear`, 'net income, most recent fiscal year, dollars'),
    decimal('net_income_prior', `${annual}/netIncomePriorFiscalYear`, 'net income, the year before'),
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
