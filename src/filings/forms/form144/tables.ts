/** Tables of Form 144: notices of proposed sale. */
import { address, boolean, cik, date, decimal, group, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['144', '144/A']);

export const form144Notices = table('form144_notices', {
  meaning: 'Notices of proposed sale, one row each',
  key: [],
  columns: [
    text('form_type', 'headerData/submissionType', '144 or 144/A'),
    cik('filer_cik', 'headerData/filerInfo/filer/filerCredentials/cik', 'CIK of the filer'),
    text('previous_accession_number', 'headerData/previousAccessionNumber', 'notice that it amends', {
      empty: 'not an amendment',
    }),
    cik('issuer_cik', 'formData/issuerInfo/issuerCik', 'CIK of the issuer'),
    text('issuer_name', 'formData/issuerInfo/issuerName', 'name'),
    text('sec_file_number', 'formData/issuerInfo/secFileNumber', 'file number of the issuer'),
    ...address('formData/issuerInfo/issuerAddress', 'issuer_'),
    text('issuer_phone', 'formData/issuerInfo/issuerContactPhone', 'telephone'),
    text(
      'account_name',
      'formData/issuerInfo/nameOfPersonForWhoseAccountTheSecuritiesAreToBeSold',
      'person for whose account the securities are sold',
    ),
    boolean(
      'nothing_sold_past_3_months',
      'formData/nothingToReportFlagOnSecuritiesSoldInPast3Months',
      'nothing sold in the past three months',
    ),
    text('remarks', 'formData/remarks', 'remarks'),
    date('notice_date', 'formData/noticeSignature/noticeDate', 'date of the notice'),
    text('signature', 'formData/noticeSignature/signature', 'as typed'),
  ],
});

export const form144Relationships = table('form144_relationships', {
  meaning: 'Relationships of that person to the issuer',
  key: [position],
  columns: [text('relationship', '.', 'Officer, Director, 10% Stockholder …, as filed')],
});

export const form144Securities = table('form144_securities', {
  meaning: 'Securities to be sold, by class and broker',
  key: [position],
  columns: [
    ...group('', 'Item 3', [
      text('class_title', 'securitiesClassTitle', 'class'),
      text('broker_name', 'brokerOrMarketmakerDetails/name', 'broker or market maker'),
      ...address('brokerOrMarketmakerDetails/address', 'broker_'),
      decimal('units_to_be_sold', 'noOfUnitsSold', "units to be sold (the element's name says sold)"),
      decimal('aggregate_market_value', 'aggregateMarketValue', 'dollars'),
      decimal('units_outstanding', 'noOfUnitsOutstanding', 'of the class'),
      date('approximate_sale_date', 'approxSaleDate', 'date'),
      text('exchange', 'securitiesExchangeName', 'as filed: NASD and NASDAQ occur'),
    ]),
  ],
});

export const form144Acquisitions = table('form144_acquisitions', {
  meaning: 'How the securities to be sold were acquired',
  key: [position],
  columns: [
    ...group('', 'Table I', [
      text('class_title', 'securitiesClassTitle', 'class'),
      date('acquired_date', 'acquiredDate', 'date'),
      text('nature', 'natureOfAcquisitionTransaction', 'how'),
      text('from_whom', 'nameOfPersonfromWhomAcquired', 'from whom'),
      boolean('is_gift', 'isGiftTransaction', 'a gift'),
      date('donor_acquired_date', 'donarAcquiredDate', 'when the donor acquired it (SEC spells donar)', {
        empty: 'no gift',
      }),
      decimal('amount', 'amountOfSecuritiesAcquired', 'units'),
      date('payment_date', 'paymentDate', 'date'),
      text('nature_of_payment', 'natureOfPayment', 'as filed'),
    ]),
  ],
});

export const form144Sales = table('form144_sales', {
  meaning: 'Securities sold in the past three months',
  key: [position],
  columns: [
    ...group('', 'Table II', [
      text('seller_name', 'sellerDetails/name', 'seller'),
      ...address('sellerDetails/address', 'seller_'),
      text('class_title', 'securitiesClassTitle', 'class'),
      date('sale_date', 'saleDate', 'date'),
      decimal('amount', 'amountOfSecuritiesSold', 'units'),
      decimal('gross_proceeds', 'grossProceeds', 'dollars'),
    ]),
  ],
});

export const form144PlanDates = table('form144_plan_dates', {
  meaning: 'Dates on which Rule 10b5-1 plans were adopted',
  key: [position],
  columns: [date('plan_adoption_date', '.', 'date')],
});
