/** Tables of Form N-PORT: portfolios of funds. */
import { bigint, boolean, cik, date, decimal, group, integer, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['NPORT-P', 'NPORT-P/A', 'NPORT-NP', 'NPORT-NP/A']);
const holding = integer('holding', '', 'position of the holding');

export const nportFunds = table('nport_funds', {
  meaning: 'Reports of a series, one row each',
  key: [],
  columns: [
    text('form_type', 'headerData/submissionType', 'NPORT-P, NPORT-P/A, NPORT-NP …'),
    boolean('is_confidential', 'headerData/isConfidential', 'header'),
    cik('filer_cik', 'headerData/filerInfo/filer/issuerCredentials/cik', 'CIK of the header'),
    ...group('formData/genInfo', 'Item A.1', [
      text('registrant_name', 'regName', 'registrant'),
      text('registrant_file_number', 'regFileNumber', '811-…'),
      cik('registrant_cik', 'regCik', 'CIK'),
      text('registrant_lei', 'regLei', 'LEI', { empty: 'N/A' }),
      text('street1', 'regStreet1', 'first line of the street'),
      text('street2', 'regStreet2', 'second line'),
      text('city', 'regCity', 'city'),
      text('state', 'regStateConditional/@regState', 'ISO: US-CA', { empty: 'outside the US and Canada' }),
      text('country', ['regStateConditional/@regCountry', 'regCountry'], 'ISO: US'),
      text('zip', 'regZipOrPostalCode', 'postal code'),
      text('phone', 'regPhone', 'telephone'),
    ]),
    ...group('formData/genInfo', 'Item A.2', [
      text('series_name', 'seriesName', 'series', { empty: 'N/A: a fund without series' }),
      text('series_id', 'seriesId', 'S000…', { empty: 'fund without series' }),
      text('series_lei', 'seriesLei', 'LEI', { empty: 'N/A' }),
    ]),
    date('fiscal_year_end', 'formData/genInfo/repPdEnd', 'end of the fiscal year', { item: 'Item A.3' }),
    date('report_date', 'formData/genInfo/repPdDate', 'date of the holdings', { item: 'Item A.3' }),
    boolean('is_final', 'formData/genInfo/isFinalFiling', 'last report of the series', { item: 'Item A.4' }),
    decimal('total_assets', 'formData/fundInfo/totAssets', 'dollars', { item: 'Item B.1' }),
    decimal('total_liabilities', 'formData/fundInfo/totLiabs', 'dollars', { item: 'Item B.1' }),
    decimal('net_assets', 'formData/fundInfo/netAssets', 'dollars', { item: 'Item B.1' }),
    ...group('formData/fundInfo', 'Item B.2', [
      decimal(
        'assets_miscellaneous',
        'assetsAttrMiscSec',
        'assets attributable to miscellaneous securities: not among the holdings',
      ),
      decimal('assets_invested', 'assetsInvested', 'in controlled foreign corporations'),
      decimal('borrowings_1y_banks', 'amtPayOneYrBanksBorr', 'payable within a year'),
      decimal('borrowings_1y_controlled', 'amtPayOneYrCtrldComp', 'to controlled companies'),
      decimal('borrowings_1y_affiliates', 'amtPayOneYrOthAffil', 'to other affiliates'),
      decimal('borrowings_1y_other', 'amtPayOneYrOther', 'to others'),
      decimal('borrowings_after_1y_banks', 'amtPayAftOneYrBanksBorr', 'payable after a year'),
      decimal('borrowings_after_1y_controlled', 'amtPayAftOneYrCtrldComp', 'to controlled companies'),
      decimal('borrowings_after_1y_affiliates', 'amtPayAftOneYrOthAffil', 'to other affiliates'),
      decimal('borrowings_after_1y_other', 'amtPayAftOneYrOther', 'to others'),
      decimal('delayed_delivery', 'delayDeliv', 'delayed delivery, when-issued'),
      decimal('standby_commitment', 'standByCommit', 'standby commitments'),
      decimal('liquidation_preference', 'liquidPref', 'of outstanding preferred stock'),
      decimal('cash_not_reported', 'cshNotRptdInCorD', 'cash not among the holdings', { empty: 'not said' }),
    ]),
    boolean(
      'has_non_cash_collateral',
      ['formData/fundInfo/isNonCashCollateral', 'formData/fundInfo/aggregateCondition/@isNonCashCollateral'],
      'collateral for loans of securities',
      { item: 'Item B.4' },
    ),
    ...group('formData/fundInfo/derivExposureInfo', 'Item B.9', [
      decimal('derivative_exposure_percent', 'derivExposurePct', 'rule 18f-4', { empty: 'not a limited user' }),
      decimal('derivative_currency_percent', 'derivCurrencyExposurePct', 'rule 18f-4', { empty: 'as above' }),
      decimal('derivative_interest_percent', 'derivIntRateExposurePct', 'rule 18f-4', { empty: 'as above' }),
      integer('derivative_days_in_excess', 'noOfBusinessDaysInExcess', 'rule 18f-4', { empty: 'as above' }),
    ]),
    ...group('formData/fundInfo/varInfo', 'Item B.10', [
      decimal('var_median_percent', 'medianDailyVarPct', 'median daily VaR', { empty: 'no VaR test' }),
      text('var_index_name', 'fundsDesignatedInfo/nameDesignatedIndex', 'designated index', { empty: 'absolute test' }),
      text('var_index_id', 'fundsDesignatedInfo/indexIdentifier', 'its identifier', { empty: 'absolute test' }),
      decimal(
        'var_median_ratio_percent',
        'fundsDesignatedInfo/medianVarRatioPct',
        'median of VaR to that of the index',
        { empty: 'absolute test' },
      ),
      integer('var_backtest_exceptions', 'backtestingResults', 'exceptions', { empty: 'no VaR test' }),
    ]),
    text('signer_name', 'formData/signature/signerName', 'who signs'),
    text('signer_title', 'formData/signature/title', 'title'),
    date('signature_date', 'formData/signature/dateSigned', 'date'),
    bigint('holdings', '', 'rows in nport_holdings'),
    decimal('value_sum', '', 'sum of nport_holdings.value_usd'),
  ],
});

export const nportClasses = table('nport_classes', {
  meaning: 'Share classes that the report is filed for',
  key: [position],
  columns: [text('class_id', '.', 'C000…')],
});

export const nportReturns = table('nport_returns', {
  meaning: 'Total return of each class in the three months, per cent',
  key: [position],
  columns: [
    text('class_id', '@classId', 'class', { item: 'Item B.5', empty: 'a fund without classes' }),
    decimal('return_month1', '@rtn1', 'first month of the quarter, per cent', { item: 'Item B.5', empty: 'N/A' }),
    decimal('return_month2', '@rtn2', 'second', { item: 'Item B.5', empty: 'N/A' }),
    decimal('return_month3', '@rtn3', 'third', { item: 'Item B.5', empty: 'N/A' }),
  ],
});

export const nportMonths = table('nport_months', {
  meaning: 'Flows, and gains that are not from derivatives, of the three months',
  key: [integer('month', '', '1, 2, 3')],
  columns: [
    decimal('sales', '', 'shares sold, dollars', { item: 'Items B.5 and B.6' }),
    decimal('reinvestment', '', 'shares sold for reinvested dividends', { item: 'Items B.5 and B.6' }),
    decimal('redemption', '', 'shares redeemed', { item: 'Items B.5 and B.6' }),
    decimal('net_realized_gain', '', 'other than derivatives', { item: 'Items B.5 and B.6' }),
    decimal('net_unrealized_appreciation', '', 'change, other than derivatives', { item: 'Items B.5 and B.6' }),
  ],
});

export const nportDerivativeGains = table('nport_derivative_gains', {
  meaning: 'Gains from derivatives by kind of contract and instrument',
  key: [
    text('contract', '', 'commodity, credit, equity, foreign_exchange, interest_rate or other'),
    text('instrument', '', 'all, forward, future, option, swaption, swap, warrant or other'),
    integer('month', '', '1, 2, 3'),
  ],
  columns: [
    decimal('net_realized_gain', '@netRealizedGain', 'dollars', { item: 'Item B.5', empty: 'N/A' }),
    decimal('net_unrealized_appreciation', '@netUnrealizedAppr', 'change, dollars', { item: 'Item B.5', empty: 'N/A' }),
  ],
});

export const nportRateRisks = table('nport_rate_risks', {
  meaning: 'Sensitivity to interest rates and credit spreads',
  key: [
    text('metric', '', 'dv01, dv100, spread_investment_grade or spread_non_investment_grade'),
    integer('position', '', 'from 0 within the metric'),
  ],
  columns: [
    text('currency', '', 'currency', { item: 'Item B.3', empty: 'credit spread' }),
    decimal('months_3', '@period3Mon', 'change of value, dollars', { item: 'Item B.3' }),
    decimal('years_1', '@period1Yr', '1 year', { item: 'Item B.3' }),
    decimal('years_5', '@period5Yr', '5 years', { item: 'Item B.3' }),
    decimal('years_10', '@period10Yr', '10 years', { item: 'Item B.3' }),
    decimal('years_30', '@period30Yr', '30 years', { item: 'Item B.3' }),
  ],
});

export const nportBorrowers = table('nport_borrowers', {
  meaning: "Borrowers of the fund's securities",
  key: [position],
  columns: [
    text('name', '@name', 'borrower', { item: 'Item B.4' }),
    text('lei', '@lei', 'LEI', { item: 'Item B.4', empty: 'N/A' }),
    decimal('value', '@aggrVal', 'securities on loan to it, dollars', { item: 'Item B.4' }),
  ],
});

export const nportHoldings = table('nport_holdings', {
  meaning: 'Portfolio; percentages are per cent of net assets; the classes of a series share it',
  key: [position],
  columns: [
    ...group('', 'Item C.1', [
      text('name', 'name', 'issuer', { empty: 'N/A' }),
      text('lei', 'lei', 'LEI of the issuer', { empty: 'N/A' }),
      text('title', 'title', 'title of the issue', { empty: 'N/A' }),
      text('cusip', 'cusip', 'CUSIP', { nothing: /^0+$/, empty: 'N/A, or 000000000, which means none' }),
    ]),
    ...group('', 'Item C.2', [
      decimal('balance', 'balance', 'number of units, or principal; see units'),
      text('units', 'units', 'NS shares, PA principal, NC contracts, OU other'),
      text('units_description', 'descOthUnits', 'the other units', { empty: 'not OU' }),
      text('currency', ['curCd', 'currencyConditional/@curCd'], 'currency of the security'),
      decimal('exchange_rate', 'currencyConditional/@exchangeRt', 'units of it for a dollar', { empty: 'dollars' }),
      decimal('value_usd', 'valUSD', 'dollars; negative for short positions'),
      decimal('percent', 'pctVal', 'per cent of net assets'),
    ]),
    text('payoff_profile', 'payoffProfile', 'Long or Short', { item: 'Item C.3', empty: 'N/A: derivatives' }),
    ...group('', 'Item C.4', [
      text('asset_category', ['assetCat', 'assetConditional/@assetCat'], 'EC, EP, DBT, STIV, DFE …; OTHER'),
      text('asset_description', 'assetConditional/@desc', 'the other in words', { empty: 'not OTHER' }),
      text('issuer_category', ['issuerCat', 'issuerConditional/@issuerCat'], 'CORP, UST, RF …; OTHER'),
      text('issuer_description', 'issuerConditional/@desc', 'the other in words', { empty: 'not OTHER' }),
    ]),
    ...group('', 'Item C.5', [
      text('country', 'invCountry', 'ISO country of the issuer'),
      text('other_country', 'invOthCountry', 'location of the risk, if elsewhere', { empty: 'the same' }),
    ]),
    boolean('is_restricted', 'isRestrictedSec', 'restricted security', { item: 'Item C.6' }),
    integer('fair_value_level', 'fairValLevel', '1, 2, 3', {
      item: 'Item C.8',
      empty: 'N/A: valued at net asset value',
    }),
    text('derivative_category', '', 'FWD, FUT, SWP, OPT, SWO, WAR or OTH of the outermost derivative', {
      empty: 'no derivative',
    }),
    ...group('securityLending', 'Item C.12', [
      boolean(
        'is_cash_collateral',
        ['isCashCollateral', 'cashCollateralCondition/@isCashCollateral'],
        'reinvested cash collateral',
        { empty: 'not said' },
      ),
      decimal('cash_collateral_value', 'cashCollateralCondition/@cashCollateralVal', 'dollars', { empty: 'none' }),
      boolean(
        'is_non_cash_collateral',
        ['isNonCashCollateral', 'nonCashCollateralCondition/@isNonCashCollateral'],
        'non-cash collateral treated as asset',
        { empty: 'not said' },
      ),
      decimal('non_cash_collateral_value', 'nonCashCollateralCondition/@nonCashCollateralVal', 'dollars', {
        empty: 'none',
      }),
      boolean('is_on_loan', ['isLoanByFund', 'loanByFundCondition/@isLoanByFund'], 'on loan', { empty: 'not said' }),
      decimal('loan_value', 'loanByFundCondition/@loanVal', 'dollars', { empty: 'not on loan' }),
    ]),
  ],
});

export const nportIdentifiers = table('nport_identifiers', {
  meaning: 'Identifiers of holdings besides CUSIP and LEI',
  key: [holding, integer('position', '', 'from 0 within the holding')],
  columns: [
    text('kind', '', 'isin, ticker, cusip or other', { item: 'Item C.1' }),
    text('value', '@value', 'the identifier', { item: 'Item C.1', empty: 'N/A' }),
    text('description', '@otherDesc', 'what an other one is', { item: 'Item C.1', empty: 'kind is not other' }),
  ],
});

export const nportDebt = table('nport_debt', {
  meaning: 'Debt securities',
  key: [holding],
  columns: [
    ...group('', 'Item C.9', [
      date('maturity_date', 'maturityDt', 'maturity', { empty: 'N/A' }),
      text('coupon_kind', 'couponKind', 'Fixed, Floating, Variable, None'),
      decimal('annual_rate', 'annualizedRt', 'per cent', { empty: 'N/A' }),
      boolean('is_default', 'isDefault', 'in default'),
      boolean('interest_in_arrears', 'areIntrstPmntsInArrs', 'interest in arrears'),
      boolean('paid_in_kind', 'isPaidKind', 'part of the interest is paid in kind'),
      boolean('is_mandatory_convertible', 'isMandatoryConvrtbl', 'mandatory convertible', { empty: 'not convertible' }),
      boolean('is_contingent_convertible', 'isContngtConvrtbl', 'contingent convertible', { empty: 'not convertible' }),
      decimal('delta', 'delta', 'delta', { nothing: /^XXXX$/, empty: 'not convertible, XXXX' }),
      text('delta_text', 'delta', "delta as filed, so that XXXX isn't lost", { empty: 'not convertible' }),
    ]),
  ],
});

export const nportDebtInstruments = table('nport_debt_instruments', {
  meaning: 'What a convertible converts into',
  key: [holding, position],
  columns: [
    text('name', 'name', 'issuer', { item: 'Item C.9' }),
    text('title', 'title', 'title', { item: 'Item C.9' }),
    text('currency', 'curCd', 'currency', { item: 'Item C.9' }),
    text('id_kind', '', 'kind of the first identifier', { item: 'Item C.9', empty: 'none' }),
    text('id_value', '', 'the first identifier', { item: 'Item C.9', empty: 'none' }),
  ],
});

export const nportConversions = table('nport_conversions', {
  meaning: 'Conversion ratios of convertibles',
  key: [holding, position],
  columns: [
    decimal('ratio', '@convRatio', 'conversion ratio', { item: 'Item C.9', empty: 'N/A' }),
    text('currency', '@curCd', 'currency', { item: 'Item C.9' }),
  ],
});

export const nportRepos = table('nport_repos', {
  meaning: 'Repurchase agreements',
  key: [holding],
  columns: [
    ...group('', 'Item C.10', [
      text('category', 'transCat', 'Repurchase or Reverse repurchase'),
      boolean(
        'is_cleared',
        ['clearedCentCparty/@isCleared', 'notClearedCentCparty/@isCleared'],
        'cleared by a central counterparty',
      ),
      text('central_counterparty', 'clearedCentCparty/@centralCounterparty', 'which', { empty: 'not cleared' }),
      boolean('is_tri_party', 'isTriParty', 'tri-party'),
      decimal('rate', 'repurchaseRt', 'per cent'),
      date('maturity_date', 'maturityDt', 'maturity'),
    ]),
  ],
});

export const nportRepoCollateral = table('nport_repo_collateral', {
  meaning: 'Collateral of repurchase agreements',
  key: [holding, position],
  columns: [
    ...group('', 'Item C.10', [
      decimal('principal', ['principalAmt', '@principalAmt'], 'principal'),
      text('principal_currency', ['principalCd', '@principalCd'], 'its currency'),
      decimal('value', ['collateralVal', '@collateralVal'], 'value'),
      text('value_currency', ['collateralCd', '@collateralCd'], 'its currency'),
      text('category', ['invstCat', 'invstCatConditional/@invstCat'], 'category of the instrument'),
      text(
        'category_description',
        ['invstCatConditional/@desc', 'invstCatConditional/@otherDesc'],
        'the other in words',
      ),
    ]),
  ],
});

export const nportDerivatives = table('nport_derivatives', {
  meaning: 'Derivatives. A derivative on a derivative is nested: path tells',
  key: [holding, text('path', '', '0 for the derivative itself, 0.0 for the one that it refers to, 0.0.0 …')],
  columns: [
    ...group('', 'Item C.11', [
      text('category', '@derivCat', 'FWD, FUT, SWP, OPT, SWO, WAR, OTH'),
      text('description', '@othDesc', 'what an OTH is'),
      text('payoff_profile', 'payOffProf', 'Long or Short', { empty: 'stated only for futures and some forwards' }),
      date('expiration_date', ['expDate', 'expDt'], 'expiration', { empty: 'N/A, other kinds' }),
      date('settlement_date', 'settlementDt', 'settlement of a currency forward'),
      date('termination_date', 'terminationDt', 'termination of a swap or other'),
      decimal('notional', 'notionalAmt', 'notional amount'),
      text('currency', 'curCd', 'its currency'),
      decimal('unrealized_appreciation', 'unrealizedAppr', 'dollars', { empty: 'nested' }),
      decimal('amount_sold', 'amtCurSold', 'currency forward'),
      text('currency_sold', 'curSold', 'its currency'),
      decimal('amount_purchased', 'amtCurPur', 'currency forward'),
      text('currency_purchased', 'curPur', 'its currency'),
      boolean('swap_flag', 'swapFlag', 'custom basket swap'),
      decimal('upfront_payment', 'upfrontPmnt', 'swap'),
      text('payment_currency', 'pmntCurCd', 'its currency'),
      decimal('upfront_receipt', 'upfrontRcpt', 'swap'),
      text('receipt_currency', 'rcptCurCd', 'its currency'),
      text('put_or_call', 'putOrCall', 'Put or Call', { empty: 'no option' }),
      text('written_or_purchased', 'writtenOrPur', 'Written or Purchased', { empty: 'no option' }),
      decimal('shares', 'shareNo', 'shares underlying', { empty: 'principal instead' }),
      decimal('principal', 'principalAmt', 'principal underlying', { empty: 'shares instead' }),
      decimal('exercise_price', 'exercisePrice', 'price or rate'),
      text('exercise_currency', 'exercisePriceCurCd', 'its currency'),
      decimal('delta', 'delta', 'delta', { nothing: /^XXXX$/, empty: 'XXXX, N/A, no option' }),
      text('delta_text', 'delta', 'delta as filed: XXXX means not disclosed', { empty: 'no option' }),
      text('reference_kind', '', 'nested, index or other: the content of descRefInstrmnt', { empty: 'absent' }),
      text('reference_issuer', 'descRefInstrmnt/otherRefInst/issuerName', 'issuer of the reference instrument'),
      text('reference_title', 'descRefInstrmnt/otherRefInst/issueTitle', 'its title'),
      text('index_name', 'descRefInstrmnt/indexBasketInfo/indexName', 'index or basket'),
      text('index_identifier', 'descRefInstrmnt/indexBasketInfo/indexIdentifier', 'its identifier'),
      text('index_narrative', 'descRefInstrmnt/indexBasketInfo/narrativeDesc', 'description'),
    ]),
    ...group('derivAddlInfo', 'Item C.11', [
      text('nested_name', 'name', 'a nested derivative: its own issuer', { empty: 'not nested' }),
      text('nested_title', 'title', 'its title', { empty: 'not nested' }),
      decimal('nested_value_usd', 'valUSD', 'its value', { empty: 'not nested' }),
      text('nested_lei', 'lei', 'LEI of its issuer', { empty: 'not nested' }),
      text('nested_cusip', 'cusip', 'CUSIP', { nothing: /^0+$/, empty: 'not nested' }),
      decimal('nested_balance', 'balance', 'balance', { empty: 'not nested' }),
      text('nested_units', 'units', 'NS, PA, NC, OU', { empty: 'not nested' }),
      text('nested_currency', ['curCd', 'currencyConditional/@curCd'], 'currency', { empty: 'not nested' }),
      decimal('nested_percent', 'pctVal', 'per cent of net assets', { empty: 'not nested' }),
      text('nested_asset_category', ['assetCat', 'assetConditional/@assetCat'], 'category', { empty: 'not nested' }),
      text('nested_country', 'invCountry', 'ISO country', { empty: 'not nested' }),
    ]),
  ],
});

export const nportCounterparties = table('nport_counterparties', {
  meaning: 'Counterparties of derivatives and repurchase agreements',
  key: [holding, text('path', '', 'path of the derivative; repo for a repurchase agreement'), position],
  columns: [
    text('name', ['counterpartyName', '@name'], 'name', { item: 'Items C.10 and C.11' }),
    text('lei', ['counterpartyLei', '@lei'], 'LEI', { item: 'Items C.10 and C.11', empty: 'N/A' }),
  ],
});

export const nportReferenceIds = table('nport_reference_ids', {
  meaning: 'Identifiers of the instrument that a derivative refers to',
  key: [holding, text('path', '', 'the derivative'), position],
  columns: [
    text('kind', '', 'cusip, isin, ticker or other', { item: 'Item C.11' }),
    text('value', '@value', 'the identifier', { item: 'Item C.11' }),
    text('description', '@otherDesc', 'what an other one is', { item: 'Item C.11' }),
  ],
});

export const nportSwapLegs = table('nport_swap_legs', {
  meaning: 'Payments and receipts of swaps',
  key: [holding, text('path', '', 'the swap'), text('leg', '', 'receipt or payment')],
  columns: [
    text('kind', '@fixedOrFloating', 'Fixed, Floating or Other', { item: 'Item C.11' }),
    decimal('rate', '@fixedRt', 'fixed rate, per cent', { item: 'Item C.11', empty: 'not fixed' }),
    decimal('amount', ['@amount', '@pmntAmt'], 'amount', { item: 'Item C.11' }),
    text('currency', '@curCd', 'currency', { item: 'Item C.11' }),
    text('index', '@floatingRtIndex', 'floating rate index', { item: 'Item C.11', empty: 'not floating' }),
    decimal('spread', '@floatingRtSpread', 'spread', { item: 'Item C.11', empty: 'not floating' }),
    text('description', '.', 'words of an Other leg', { item: 'Item C.11', empty: 'not Other' }),
  ],
});

export const nportRateResets = table('nport_rate_resets', {
  meaning: 'Reset dates and tenors of floating legs',
  key: [holding, text('path', '', 'the swap'), text('leg', '', 'receipt or payment'), position],
  columns: [
    text('tenor', '@rateTenor', 'Day, Week, Month, Year', { item: 'Item C.11' }),
    integer('tenor_unit', '@rateTenorUnit', 'how many', { item: 'Item C.11' }),
    text('reset', '@resetDt', 'Day, Week, Month, Year', { item: 'Item C.11' }),
    integer('reset_unit', '@resetDtUnit', 'how many', { item: 'Item C.11' }),
  ],
});

export const nportNotionalAmounts = table('nport_notional_amounts', {
  meaning: 'Notional amounts of other derivatives',
  key: [holding, text('path', '', 'the derivative'), position],
  columns: [
    decimal('amount', '@amt', 'amount', { item: 'Item C.11' }),
    text('currency', '@curCd', 'currency', { item: 'Item C.11' }),
  ],
});

export const nportIndexComponents = table('nport_index_components', {
  meaning: 'Components of an index or custom basket',
  key: [holding, text('path', '', 'the derivative'), position],
  columns: [
    text('name', 'othIndName', 'component', { item: 'Item C.11' }),
    decimal('notional', 'othIndNotAmt', 'notional or units', { item: 'Item C.11' }),
    text('notional_currency', 'othIndCurCd', 'currency', { item: 'Item C.11' }),
    decimal('value', 'othIndValue', 'value', { item: 'Item C.11' }),
    text('value_currency', 'othIndIssCurCd', 'currency', { item: 'Item C.11' }),
    text('id_kind', '', 'kind of the first identifier', { item: 'Item C.11', empty: 'none' }),
    text('id_value', '', 'the first identifier', { item: 'Item C.11', empty: 'none' }),
  ],
});

export const nportNotes = table('nport_notes', {
  meaning: 'Explanatory notes',
  key: [position],
  columns: [text('item', '@noteItem', 'item', { item: 'Part E' }), text('note', '@note', 'text', { item: 'Part E' })],
});
