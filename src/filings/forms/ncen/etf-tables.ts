/** Tables of Form N-CEN about exchange-traded funds. */
import { boolean, decimal, integer, position, text } from '../map/descriptor.ts';
import { table } from './table.ts';

const etf = integer('etf', '', 'position in ncen_etfs');

export const ncenEtfs = table('ncen_etfs', {
  meaning: 'Exchange-traded funds of the registrant',
  key: [position],
  columns: [
    text('name', 'fundName', 'name of the fund'),
    text('series_id', 'etfSeriesId', 'S000…'),
    boolean('requires_collateral', 'isCollateralRequired', 'authorized participants post collateral'),
    decimal('unit_shares', 'creationUnitNumOfShares', 'shares in a creation unit'),
    decimal('purchased_cash_percent', 'averagePercentagePurchased', 'average, purchased for cash'),
    decimal('purchased_cash_percent_deviation', 'standardDeviationPurchased', 'its standard deviation'),
    decimal('purchased_in_kind_percent', 'creationUnitPurchasedInKind', 'average, purchased in kind'),
    decimal('purchased_in_kind_percent_deviation', 'creationUnitPurchasedSDInKind', 'its standard deviation'),
    decimal('redeemed_cash_percent', 'averagePercentageRedeemed', 'average, redeemed for cash'),
    decimal('redeemed_cash_percent_deviation', 'percentSDRedeemed', 'its standard deviation'),
    decimal('redeemed_in_kind_percent', 'creationUnitPercentageRedeemedInKind', 'average, redeemed in kind'),
    decimal('redeemed_in_kind_percent_deviation', 'creationUnitSDRedeemedInKind', 'its standard deviation'),
    ...fees('purchase_fee', [
      'creationUnitTransactionFeePerUnit',
      'creationUnitTransactionFeeManyUnits',
      'creationUnitTransactionFeePercentagePerUnit',
    ]),
    ...fees('purchase_cash_fee', [
      'creationUnitTransactionFeeCashPerUnit',
      'creationUnitTransactionFeeCashManyUnits',
      'creationUnitTransactionFeeCashPercentagePerUnit',
    ]),
    ...fees('redemption_fee', [
      'purchaseCreationUnitDollarPerUnit',
      'purchaseCreationUnitDollarPerMoreUnits',
      'purchaseCreationUnitDollarPercentagePerUnit',
    ]),
    ...fees('redemption_cash_fee', [
      'purchaseCreationUnitCashPerUnit',
      'purchaseCreationUnitCashPerMoreUnits',
      'purchaseCreationUnitCashPercentagePerUnit',
    ]),
    boolean('is_in_kind', 'isInKindETF', 'in-kind ETF under rule 22e-4'),
  ],
});

function fees(name: string, [perUnit, perDay, percent]: readonly [string, string, string]) {
  return [
    decimal(`${name}_per_unit`, perUnit, 'average, dollars a unit'),
    decimal(`${name}_per_day`, perDay, 'average, dollars for one or more units on one day'),
    decimal(`${name}_percent`, percent, 'average, percent of the value of a unit'),
  ];
}

export const ncenEtfExchanges = table('ncen_etf_exchanges', {
  meaning: 'Exchanges where shares of an ETF are listed',
  key: [etf, position],
  columns: [
    text('exchange', '@fundExchange', 'market identifier: ARCX'),
    text('ticker', '@fundsTickerSymbol', 'ticker'),
  ],
});

export const ncenAuthorizedParticipants = table('ncen_authorized_participants', {
  meaning: 'Authorized participants of an ETF',
  key: [etf, position],
  columns: [
    text('name', '@authorizedParticipantName', 'name'),
    text('file_number', '@authorizedParticipantFileNo', '8-… as filed'),
    text('crd_number', '@authorizedParticipantCrdNo', 'as filed'),
    text('lei', '@authorizedParticipantLei', 'LEI'),
    decimal('purchased', '@authorizedParticipantPurchaseValue', 'shares purchased in the period, dollars'),
    decimal('redeemed', '@authorizedParticipantRedeemValue', 'shares redeemed in the period, dollars'),
  ],
});
