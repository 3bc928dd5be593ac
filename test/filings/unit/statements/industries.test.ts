/** Statements of banks, insurers, real estate companies and utilities, as such companies tag them. */
import { describe, expect, it } from 'vitest';
import { DAY, itemsOf, report, type StatementLine, YEAR } from '../../../support/statements.ts';

/** Lines with the concept as their words. */
const lines = (values: Record<string, string>): StatementLine[] =>
  Object.entries(values).map(([concept, value]) => [concept, concept, value]);

const TAX_AND_INCOME = {
  IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest: '40',
  IncomeTaxExpenseBenefit: '8',
  NetIncomeLoss: '32',
  EarningsPerShareBasic: '1.60',
};

describe('a bank', () => {
  const income = lines({
    InterestAndFeeIncomeLoansAndLeases: '90',
    InterestAndDividendIncomeOperating: '100',
    InterestExpenseDeposits: '30',
    InterestExpense: '35',
    InterestIncomeExpenseNet: '65',
    ProvisionForLoanLeaseAndOtherLosses: '5',
    InterestIncomeExpenseAfterProvisionForLoanLoss: '60',
    NoninterestIncome: '20',
    NoninterestExpense: '40',
    ...TAX_AND_INCOME,
  });
  const sheet = (more: Record<string, string>) =>
    lines({
      ...more,
      AvailableForSaleSecuritiesDebtSecurities: '50',
      LoansAndLeasesReceivableNetOfDeferredIncome: '300',
      LoansAndLeasesReceivableAllowance: '-6',
      LoansAndLeasesReceivableNetReportedAmount: '294',
      Assets: '500',
      NoninterestBearingDepositLiabilities: '100',
      InterestBearingDepositLiabilities: '300',
      Deposits: '400',
      Liabilities: '440',
      StockholdersEquity: '60',
      LiabilitiesAndStockholdersEquity: '500',
    });
  const flows = lines({
    NetCashProvidedByUsedInOperatingActivities: '50',
    NetCashProvidedByUsedInInvestingActivities: '-60',
    NetCashProvidedByUsedInFinancingActivities: '10',
  });

  it('earns net interest and what is not interest, if no total is printed', () => {
    const found = itemsOf(report({ income, balance: sheet({ CashAndDueFromBanks: '10' }), cashFlow: flows }));
    expect(found).toMatchObject({
      revenue: '85000000 FY summed',
      total_interest_income: '100000000 FY reported',
      interest_expense: '35000000 FY reported',
      net_interest_income: '65000000 FY reported',
      provision_for_credit_losses: '5000000 FY reported',
      noninterest_income: '20000000 FY reported',
      noninterest_expense: '40000000 FY reported',
      cost_of_revenue: 'no_line',
      gross_profit: 'no_line',
      operating_income: 'no_line',
      current_assets: 'no_line',
      pretax_income: '40000000 FY reported',
      net_income: '32000000 FY reported',
      total_liabilities: '440000000 FY reported',
      deposits: '400000000 FY reported',
      loans: '294000000 FY reported',
      allowance_for_credit_losses: '6000000 FY reported',
      cash: '10000000 FY reported',
    });
  });

  it('has the total that it prints', () => {
    const total = [...income, ['Total revenue', 'Revenues', '86'] as StatementLine];
    expect(itemsOf(report({ income: total })).revenue).toBe('86000000 FY reported');
    const net = [...total, ['Total net revenue', 'RevenuesNetOfInterestExpense', '85'] as StatementLine];
    expect(itemsOf(report({ income: net })).revenue).toBe('85000000 FY reported');
  });

  it('has cash in parts if the cash flow statement counts them, else that in its vaults, else what its cash flows end with', () => {
    const parts = { CashAndDueFromBanks: '10', InterestBearingDepositsInBanks: '30' };
    const cash = (counted: string) =>
      itemsOf(
        report({
          balance: sheet(parts),
          durations: [YEAR, DAY],
          cashFlow: [...flows, ['End', 'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents', null, counted]],
        }),
      ).cash;
    expect(cash('40')).toBe('40000000 FY summed');
    expect(cash('10')).toBe('10000000 FY reported');
    expect(cash('25')).toBe('25000000 FY reported');
  });
});

it('an insurer has premiums, claims, investments and reserves, and no cost of revenue', () => {
  const income = lines({
    PremiumsEarnedNet: '80',
    NetInvestmentIncome: '15',
    Revenues: '100',
    PolicyholderBenefitsAndClaimsIncurredNet: '50',
    DeferredPolicyAcquisitionCostAmortizationExpense: '6',
    BenefitsLossesAndExpenses: '60',
    ...TAX_AND_INCOME,
  });
  const balance = lines({
    Investments: '400',
    DeferredPolicyAcquisitionCosts: '20',
    Assets: '500',
    LiabilityForClaimsAndClaimsAdjustmentExpense: '300',
    UnearnedPremiums: '40',
    Liabilities: '420',
    StockholdersEquity: '80',
    LiabilitiesAndStockholdersEquity: '500',
  });
  expect(itemsOf(report({ income, balance }))).toMatchObject({
    revenue: '100000000 FY reported',
    premiums_earned: '80000000 FY reported',
    net_investment_income: '15000000 FY reported',
    claims_incurred: '50000000 FY reported',
    acquisition_costs_amortized: '6000000 FY reported',
    costs_and_expenses: '60000000 FY reported',
    investments: '400000000 FY reported',
    claims_reserves: '300000000 FY reported',
    unearned_premiums: '40000000 FY reported',
    deferred_acquisition_costs: '20000000 FY reported',
    cost_of_revenue: 'no_line',
    gross_profit: 'no_line',
  });
});

it('a real estate company has rents as revenue, and its buildings as property', () => {
  const income = lines({
    OperatingLeaseLeaseIncome: '95',
    Revenues: '100',
    DirectCostsOfLeasedAndRentedPropertyOrEquipment: '30',
    ...TAX_AND_INCOME,
  });
  const balance = lines({
    RealEstateInvestmentPropertyAtCost: '600',
    RealEstateInvestmentPropertyAccumulatedDepreciation: '-120',
    RealEstateInvestmentPropertyNet: '480',
    Assets: '500',
    Liabilities: '200',
    StockholdersEquity: '280',
    MinorityInterest: '20',
    StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: '300',
    LiabilitiesAndStockholdersEquity: '500',
  });
  const found = itemsOf(report({ income, balance }));
  expect(found).toMatchObject({
    revenue: '100000000 FY reported',
    ppe_net: '480000000 FY reported',
    ppe_gross: '600000000 FY reported',
    accumulated_depreciation: '120000000 FY reported',
    real_estate_net: '480000000 FY reported',
    stockholders_equity: '280000000 FY reported',
    total_equity: '300000000 FY reported',
  });
  // Items of other industries have no row.
  expect(Object.keys(found).filter((item) => /premium|deposit|regulatory/.test(item))).toEqual([]);
});

it('a utility has its plant as property, and regulatory assets', () => {
  const income = lines({
    ElectricUtilityRevenue: '70',
    RegulatedAndUnregulatedOperatingRevenue: '100',
    OperatingIncomeLoss: '45',
    ...TAX_AND_INCOME,
  });
  const balance = lines({
    PublicUtilitiesPropertyPlantAndEquipmentNet: '400',
    RegulatoryAssetsNoncurrent: '30',
    Assets: '500',
    RegulatoryLiabilityNoncurrent: '40',
    Liabilities: '300',
    StockholdersEquity: '200',
    LiabilitiesAndStockholdersEquity: '500',
  });
  expect(itemsOf(report({ income, balance }))).toMatchObject({
    revenue: '100000000 FY reported',
    ppe_net: '400000000 FY reported',
    regulatory_assets: '30000000 FY reported',
    regulatory_liabilities: '40000000 FY reported',
    operating_income: '45000000 FY reported',
  });
});
