/** Kinds of faults that statements of banks, REITs, utilities, partnerships and companies without business showed: each with its likeness. */
import { describe, expect, it } from 'vitest';
import { mapFiling } from '../../../../src/filings/statements/index.ts';
import { itemsOf, type Report, report, type StatementLine, statementsOf } from '../../../support/statements.ts';

const TAX: StatementLine = ['Income taxes', 'IncomeTaxExpenseBenefit', '8'];
const SALES: StatementLine = ['Revenues', 'Revenues', '100'];
const EPS: StatementLine = ['Basic', 'EarningsPerShareBasic', '1.60'];
const NET: StatementLine = ['Net income', 'NetIncomeLoss', '32'];
const PRETAX: StatementLine = [
  'Income before taxes',
  'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest',
  '40',
];
const OPERATING: StatementLine = ['Operating income', 'OperatingIncomeLoss', '30'];
/** Items of an income statement with these lines between its revenues and its tax. */
const incomeOf = (...lines: StatementLine[]) => itemsOf(report({ income: [SALES, ...lines, TAX, NET, EPS] }));
const perShare = (diluted: string): StatementLine[] => [
  ['Diluted', 'EarningsPerShareDiluted', '1.60'],
  ['Diluted shares', 'WeightedAverageNumberOfDilutedSharesOutstanding', diluted],
];
/** Of each check: true, or the term that is the likeliest wrong. */
const checksOf = (made: Partial<Report>) =>
  statementsOf(report(made)).fundamental_checks!.map(({ holds, likeliest_wrong }) => holds || likeliest_wrong);
const END: StatementLine[] = [
  ['Total assets', 'Assets', '500'],
  ['Total liabilities', 'Liabilities', '300'],
];
const CLAIMS: StatementLine[] = [
  ['Total equity', 'StockholdersEquity', '200'],
  ['Total liabilities and equity', 'LiabilitiesAndStockholdersEquity', '500'],
];
const flows = (...financing: StatementLine[]): StatementLine[] => [
  NET,
  ['Net cash from operations', 'NetCashProvidedByUsedInOperatingActivities', '50'],
  ['Net cash used in investing', 'NetCashProvidedByUsedInInvestingActivities', '-5'],
  ...financing,
  ['Net cash from financing', 'NetCashProvidedByUsedInFinancingActivities', '7'],
];

describe('income to common', () => {
  const both: StatementLine[] = [
    SALES,
    TAX,
    ['Net income', 'ProfitLoss', '32'],
    ['Less: noncontrolling interests', 'NetIncomeLossAttributableToNoncontrollingInterest', '2'],
  ];
  const common: StatementLine = ['To common shareholders', 'NetIncomeLossAvailableToCommonStockholdersBasic', '25'];
  it.each([['PreferredStockDividends'], ['DividendsPreferredStockCash']])(
    'is not net income, if %s are taken off',
    (concept) => {
      const income = [...both, ['Preferred stock dividends', concept, '5'] as StatementLine, common, EPS];
      expect(itemsOf(report({ income }))).toMatchObject({
        net_income: '30000000 FY solved',
        preferred_dividends: '5000000 FY reported',
        net_income_to_common: '25000000 FY reported',
      });
    },
  );
});

describe('companies that report together', () => {
  it('are not parts of the first one', () => {
    const of = (member: string, value: string): StatementLine => [
      member,
      `Revenues[dei:LegalEntityAxis=x:${member}Member]`,
      value,
    ];
    const income: StatementLine[] = [of('Gas', '60'), of('Power', '40'), TAX, NET, EPS];
    expect(itemsOf(report({ income })).revenue).toBe('no_line');
  });
});

describe('the check of cash flows', () => {
  it('counts a line of its own between the flows and the change, with either sign', () => {
    const of = (held: string, change: string) => ({
      cashFlow: [
        ...flows(),
        ['Less: cash of businesses held for sale', 'x:HeldForSale', held] as StatementLine,
        ['Change in cash', 'CashAndCashEquivalentsPeriodIncreaseDecrease', change] as StatementLine,
      ],
    });
    const check = (held: string, change: string) => checksOf(of(held, change));
    const financing = (held: string, change: string) => itemsOf(report(of(held, change))).cash_from_financing;
    expect([check('4', '48'), check('-4', '48'), check('4', '23')]).toEqual([[true], [true], ['change_in_cash']]);
    // Financing with the other sign would make it, too.
    expect(check('14', '38')).toEqual([true]);
    expect(financing('14', '38')).toBe('7000000 FY reported');
  });
});

describe('the check of earnings per share', () => {
  it('is of income to common: preferred dividends are not a fault', () => {
    const lines = (dividends: string): StatementLine[] => [
      ...[SALES, TAX, NET, ['Preferred', 'PreferredStockDividends', dividends] as StatementLine],
      ...perShare('15'),
    ];
    const holds = (dividends: string) => checksOf({ income: lines(dividends) });
    expect([holds('8'), holds('2')]).toEqual([[true], ['net_income_to_common']]);
  });
});

describe('a check that fails', () => {
  it('names the term that nothing, or another printed number, in its place would make right', () => {
    const change = (value: string): StatementLine => ['Change', 'CashAndCashEquivalentsPeriodIncreaseDecrease', value];
    const flow = (value: string, all: string) =>
      checksOf({ cashFlow: [...flows(['All financing', 'x:All', all]), change(value)] });
    expect(flow('52', '1')).toEqual([true]);
    expect([...flow('80', '35'), ...flow('66', '1')]).toEqual(['cash_from_financing', 'change_in_cash']);
    const basic: StatementLine = ['Basic shares', 'WeightedAverageNumberOfSharesOutstandingBasic', '19.8'];
    const shares = (diluted: string, net: string) =>
      checksOf({ income: [SALES, TAX, ['Net income', 'NetIncomeLoss', net], basic, ...perShare(diluted)] });
    expect(shares('20', '32')).toEqual([true]);
    expect([...shares('25', '32'), ...shares('20', '27')]).toEqual(['shares_diluted', 'net_income_to_common']);
  });
});

describe('a part', () => {
  const gas: StatementLine = ['Natural gas', 'EnergyRelatedInventoryNaturalGasInStorage', '20'];
  const supplies: StatementLine = ['Materials and supplies', 'InventoryRawMaterialsAndSupplies', '4'];
  const stock = (...lines: StatementLine[]) =>
    itemsOf(report({ balance: [...lines, ['Current assets', 'AssetsCurrent', '90'], ...END, ...CLAIMS] })).inventory;

  it('of inventory is not all of it beside a kind that no rule knows', () => {
    expect(stock(gas, supplies)).toBe('24000000 FY summed');
    expect(stock(['Ore', 'x:Ore', '20'], supplies)).toBe('no_line');
    expect(stock(['Ore', 'InventoryOre', '20'], supplies)).toBe('no_line');
    expect(stock(['Prepaid', 'PrepaidExpenseCurrent', '20'], supplies)).toBe('4000000 FY reported');
    expect(stock(['Ore', 'x:Ore', '20'], ['Inventories', 'InventoryFinishedGoods', '4'])).toBe('4000000 FY reported');
  });

  it('of the plant of a utility, or of real estate, is not all of it', () => {
    const office: StatementLine = ['Non-utility property', 'PropertyPlantAndEquipmentNet', '6'];
    const plant = (concept: string) =>
      itemsOf(report({ balance: [['Net', concept, '60'], office, ...END, ...CLAIMS] }));
    expect(plant('PublicUtilitiesPropertyPlantAndEquipmentNet').ppe_net).toBe('60000000 FY reported');
    expect(plant('RealEstateInvestmentPropertyNet').ppe_net).toBe('60000000 FY reported');
  });

  it('of what was borrowed or repaid is not all of it', () => {
    const notes: StatementLine = ['Long-term debt issued', 'ProceedsFromIssuanceOfLongTermDebt', '10'];
    const junior: StatementLine = ['Junior debt issued', 'ProceedsFromIssuanceOfSubordinatedLongTermDebt', '3'];
    const issued = (...lines: StatementLine[]) => itemsOf(report({ cashFlow: flows(...lines) })).debt_issued;
    expect(issued(notes)).toBe('10000000 FY reported');
    expect(issued(notes, junior)).toBe('no_line');
  });

  it("of a subsidiary's shares is not the company's own issue", () => {
    const plans: StatementLine = ['Employee plans', 'ProceedsFromStockPlans', '10'];
    const sale = (words: string): StatementLine => [words, 'ProceedsFromIssuanceInitialPublicOffering', '30'];
    const issued = (...lines: StatementLine[]) => itemsOf(report({ cashFlow: flows(...lines) })).shares_issued;
    expect(issued(plans, sale('Sale of shares'))).toBe('40000000 FY summed');
    expect(issued(plans, sale('Sale of subsidiary shares'))).toBe('10000000 FY reported');
    expect(issued(sale('Sale of subsidiary shares'))).toBe('no_line');
  });

  it('below a heading without a number is one of its expenses, which are all lines down to the last', () => {
    const found = (heading: string) =>
      incomeOf(
        [heading, ''],
        ['Depreciation and amortization', 'DepreciationAndAmortization', '9'],
        ['Rent', 'x:Rent', '2'],
        ['Other', 'OtherSellingGeneralAndAdministrativeExpense', '20'],
        ['Restructuring', 'RestructuringCharges', '3'],
      );
    expect(found('Selling, general &amp; administrative expenses')).toMatchObject({
      selling_general_admin: '31000000 FY summed',
      depreciation_expense: 'no_line',
    });
    expect(found('Expenses').selling_general_admin).toBe('no_line');
  });

  it('of current investments, or of intangible assets, is not all of them', () => {
    const sheet = (...lines: StatementLine[]) => {
      const found = itemsOf(report({ balance: [...lines, ...END, ...CLAIMS] }));
      return [found.short_term_investments, found.intangible_assets];
    };
    const investments: StatementLine[] = [
      ['Short-term investments', 'ShortTermInvestments', '20'],
      ['Investment securities', 'EquitySecuritiesFvNi', '7'],
    ];
    const current: StatementLine = ['Current assets', 'AssetsCurrent', '90'];
    expect(sheet(...investments, current)[0]).toBe('27000000 FY summed');
    expect(sheet(current, investments[1]!)[0]).toBe('no_line');
    const other: StatementLine = ['Other intangible assets', 'FiniteLivedIntangibleAssetsNet', '4'];
    const licenses = (concept: string) => sheet([concept, concept, '60'], ['Goodwill', 'Goodwill', '5'], other)[1];
    expect(licenses('IndefiniteLivedLicenseAgreements')).toBe('64000000 FY summed');
    expect(licenses('IndefiniteLivedRights')).toBe('no_line');
    expect(sheet(other)[1]).toBe('4000000 FY reported');
  });

  it('is what the words of its line say, if its concept says less', () => {
    const assets = (words: string) => {
      const bought: StatementLine = [words, 'PaymentsToAcquireOtherProductiveAssets', '6'];
      const { acquisitions, capex } = itemsOf(report({ cashFlow: [flows()[1]!, bought, flows()[2]!, flows()[3]!] }));
      return [acquisitions, capex];
    };
    expect(assets('Purchases of restaurant businesses')).toEqual(['6000000 FY reported', 'no_line']);
    expect(assets('Capital expenditures')).toEqual(['no_line', '6000000 FY reported']);
    const costs = (words: string) => incomeOf([words, 'RestructuringAndRelatedCostIncurredCost', '3']).restructuring;
    expect([costs('Restructuring costs'), costs('Separation costs')]).toEqual(['3000000 FY reported', 'no_line']);
  });

  it('is not added to its total: what is taken off stands between them', () => {
    const found = incomeOf(
      ['Interest on debt', 'InterestExpenseDebt', '60'],
      ['Allowance for borrowed funds', 'x:Allowance', '3'],
      ['Interest expense', 'InterestExpense', '57'],
    );
    expect(found.interest_expense).toBe('57000000 FY reported');
  });

  it('of a note payable is short debt, unless its words say that it was longer', () => {
    const sheet = (words: string): Report =>
      report({
        balance: [...END, [words, 'NotesPayableCurrent', '9'], ['Current', 'LiabilitiesCurrent', '20'], ...CLAIMS],
      });
    expect(itemsOf(sheet('Notes payable'))).toMatchObject({
      short_term_debt: '9000000 FY reported',
      long_term_debt_current: 'no_line',
    });
    expect(itemsOf(sheet('Current portion of notes payable'))).toMatchObject({
      short_term_debt: 'no_line',
      long_term_debt_current: '9000000 FY reported',
    });
  });

  it("of a bank's cash is not added to others, unless the cash flow statement counts them together", () => {
    const sheet: StatementLine[] = [
      ['Cash and due from banks', 'CashAndDueFromBanks', '4'],
      ['Deposits with banks', 'InterestBearingDepositsInBanks', '5'],
      ...END,
      ...CLAIMS,
    ];
    const cash = (end: string) =>
      itemsOf(report({ balance: sheet, cashFlow: [...flows(), ['Cash at end', end, null]] as StatementLine[] })).cash;
    expect(cash('x:Cash')).toBe('4000000 FY reported');
  });
});

describe('a total', () => {
  it('of all other income is not one line of it, though its concept says so', () => {
    const found = incomeOf(
      OPERATING,
      ['Other income, net', 'OtherIncome', '2'],
      ['Interest income', 'InvestmentIncomeInterest', '8'],
      ['Total other income', 'OtherNonoperatingIncomeExpense', '10'],
    );
    expect(found).toMatchObject({
      other_nonoperating_income: '2000000 FY reported',
      nonoperating_income: '10000000 FY reported',
    });
    expect(incomeOf(OPERATING, ['Other income', 'OtherNonoperatingIncomeExpense', '10'])).toMatchObject({
      other_nonoperating_income: '10000000 FY reported',
      nonoperating_income: 'no_line',
    });
  });

  it('of all other income makes pretax income of operating income; a line that does not is one of several', () => {
    const other = (value: string): StatementLine => ['Other income, net', 'NonoperatingIncomeExpense', value];
    const interest: StatementLine = ['Interest expense', 'InterestExpense', '4'];
    const of = (...lines: StatementLine[]) => {
      const { nonoperating_income: all, other_nonoperating_income: one } = incomeOf(...lines);
      return [all, one];
    };
    const [all, part, none] = ['10000000 FY reported', '14000000 FY reported', 'no_line'];
    expect(of(OPERATING, other('10'), PRETAX)).toEqual([all, none]);
    expect(of(OPERATING, interest, other('14'), PRETAX)).toEqual(['10000000 FY solved', part]);
    expect(of(interest, other('14'), PRETAX)).toEqual([none, part]);
    // Pretax income that is called operating income, too: nothing stands between.
    expect(of(['Operating income', ...PRETAX.slice(1)] as unknown as StatementLine)).toEqual([none, none]);
  });

  it('after interest alone is not a gross profit', () => {
    const found = incomeOf(['Interest', 'InterestExpense', '4'], ['Net revenues', 'GrossProfit', '96']);
    expect(found).toMatchObject({ gross_profit: 'no_line', cost_of_revenue: 'no_line' });
  });

  it('of revenues with income of affiliates gives no gross profit', () => {
    const sales: StatementLine = ['Sales', 'RevenueFromContractWithCustomerExcludingAssessedTax', '90'];
    const share: StatementLine = ['Income (loss) from equity affiliates', 'x:Affiliates', '10'];
    const costs: StatementLine = ['Purchases', 'CostOfGoodsAndServicesSold', '60'];
    const found = itemsOf(report({ income: [sales, share, SALES, costs, TAX, NET, EPS] }));
    expect(found).toMatchObject({ equity_method_income: '10000000 FY reported', gross_profit: 'no_line' });
  });
});

describe('what stands between liabilities and equity', () => {
  it('is temporary equity, of whatever concept, and no liability', () => {
    const sheet = (...between: StatementLine[]) => [
      ['Total assets', 'Assets', '500'] as StatementLine,
      ['Total liabilities', 'Liabilities', '260'] as StatementLine,
      ...between,
      ...CLAIMS,
    ];
    const own: StatementLine = ['Preferred interests of partners', 'x:Interests', '25'];
    const listed: StatementLine = ['Preferred stock', 'TemporaryEquityCarryingAmount', '15'];
    expect(itemsOf(report({ balance: sheet(own, listed) })).temporary_equity).toBe('40000000 FY solved');
    expect(
      itemsOf(report({ balance: sheet(['Preferred stock', 'TemporaryEquityCarryingAmount', '40']) })).temporary_equity,
    ).toBe('40000000 FY reported');
  });
});

describe('the share of others under a concept that no rule knows', () => {
  it('is not given to the parent: income before tax less the tax is not net income', () => {
    const pretax = [...PRETAX.slice(0, 2), '42'] as unknown as StatementLine;
    const income = [SALES, pretax, TAX, ['Less: others', 'x:ShareOfOthers', '2'] as StatementLine, NET, EPS];
    expect(itemsOf(report({ income }))).toMatchObject({
      net_income: '32000000 FY reported',
      net_income_with_noncontrolling: 'no_line',
    });
  });
});

describe('an income statement of few lines', () => {
  const income: StatementLine[] = [
    ['Formation costs', 'OperatingCostsAndExpenses', '5'],
    ['Loss from operations', 'OperatingIncomeLoss', '-5'],
    ['Income of the trust', 'InvestmentIncomeInterest', '37'],
    NET,
  ];

  it('is the one whose net income the cash flows begin with', () => {
    expect(itemsOf(report({ income, cashFlow: flows() }))).toMatchObject({
      net_income: '32000000 FY reported',
      operating_income: '-5000000 FY reported',
    });
  });

  it('is not a table of a note with another net income', () => {
    const other = [...income.slice(0, 3), ['Net income of the segment', 'NetIncomeLoss', '31'] as StatementLine];
    expect(itemsOf(report({ cashFlow: flows(), notes: [other] })).net_income).toBe('no_statement');
  });
});

describe('statements under IFRS', () => {
  const line = (concept: string, value: string): StatementLine => [concept, `ifrs-full:${concept}`, value];
  const filer = (...debt: StatementLine[]) =>
    itemsOf(
      report({
        type: '20-F',
        income: [
          line('Revenue', '100€'),
          line('CostOfSales', '60€'),
          ['Operating profit', 'x:ResultOfOperations', '30€'],
          ['Net finance costs', 'ifrs-full:FinanceCosts', '4€'],
          line('ProfitLossBeforeTax', '40€'),
          line('IncomeTaxExpenseContinuingOperations', '8€'),
          line('ProfitLoss', '32€'),
          line('ProfitLossAttributableToOwnersOfParent', '30€'),
          line('ProfitLossAttributableToNoncontrollingInterests', '2€'),
        ],
        balance: [
          line('NoncurrentAssets', '300€'),
          line('CurrentAssets', '200€'),
          line('Assets', '500€'),
          ...debt,
          line('Liabilities', '300€'),
          line('EquityAttributableToOwnersOfParent', '190€'),
          line('NoncontrollingInterests', '10€'),
          line('Equity', '200€'),
          line('EquityAndLiabilities', '500€'),
        ],
        cashFlow: [
          line('ProfitLoss', '32€'),
          line('AdjustmentsForDecreaseIncreaseInInventories', '-7€'),
          line('CashFlowsFromUsedInOperatingActivities', '50€'),
          line('PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities', '20€'),
          line('CashFlowsFromUsedInInvestingActivities', '-20€'),
          line('CashFlowsFromUsedInFinancingActivities', '-5€'),
        ],
      }),
    );

  it('have their items with the signs of the others; what has no counterpart says so', () => {
    expect(filer()).toMatchObject({
      revenue: '100000000 FY reported',
      cost_of_revenue: '60000000 FY reported',
      operating_income: '30000000 FY reported',
      interest_expense: 'no_line',
      net_income: '30000000 FY reported',
      net_income_with_noncontrolling: '32000000 FY reported',
      stockholders_equity: '190000000 FY reported',
      total_equity: '200000000 FY reported',
      current_assets: '200000000 FY reported',
      change_in_inventory: '7000000 FY reported',
      capex: '20000000 FY reported',
      operating_lease_assets: 'ifrs',
      temporary_equity: 'ifrs',
    });
  });

  it('give no loans for the debt beside bonds', () => {
    const [loans, bonds] = [line('LongtermBorrowings', '4€'), line('NoncurrentPortionOfNoncurrentBondsIssued', '90€')];
    expect(filer(loans!).long_term_debt).toBe('4000000 FY reported');
    expect(filer(loans!, bonds!).long_term_debt).toBe('94000000 FY summed');
    expect(filer(loans!, line('NoncurrentPortionOfNoncurrentUnsecuredBankLoansReceived', '9€')).long_term_debt).toBe(
      'no_line',
    );
  });
});

describe('an instance without a page', () => {
  const rows = (labels: string | null) => {
    const context = (id: string) =>
      `<context id="${id}"><entity><identifier scheme="http://www.sec.gov/CIK">0000000042</identifier></entity><period><startDate>2024-01-01</startDate><endDate>2024-12-31</endDate></period></context>`;
    const fact = (concept: string, value: string) =>
      `<${concept} contextRef="y" unitRef="u" decimals="0">${value}</${concept}>`;
    const LINES = [
      'us-gaap_NetIncomeLoss',
      'x_AllOfIt',
      'x_DepreciationAndAmortizationOfPlant',
      'us-gaap_NetCashProvidedByUsedInOperatingActivities',
      'x_Building',
      'us-gaap_NetCashProvidedByUsedInInvestingActivities',
    ];
    const instance = `<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:us-gaap="http://fasb.org/us-gaap/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:x="http://acme.example/2024" xmlns:iso4217="http://www.xbrl.org/2003/iso4217">${context('y')}<unit id="u"><measure>iso4217:USD</measure></unit><dei:DocumentType contextRef="y">10-K</dei:DocumentType><dei:DocumentPeriodEndDate contextRef="y">2024-12-31</dei:DocumentPeriodEndDate>${LINES.map((name, k) => fact(name.replace('_', ':'), String(k + 1))).join('')}</xbrl>`;
    const linkbase = (body: string) =>
      `<linkbase xmlns="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">${body}</linkbase>`;
    const locator = (name: string) => `<loc xlink:type="locator" xlink:label="${name}" xlink:href="acme.xsd#${name}"/>`;
    const presentation = linkbase(
      `<presentationLink xlink:type="extended" xlink:role="http://acme.example/role/Flows">${['us-gaap_Root', ...LINES].map(locator).join('')}${LINES.map((name, k) => `<presentationArc xlink:type="arc" xlink:arcrole="http://www.xbrl.org/2003/arcrole/parent-child" xlink:from="us-gaap_Root" xlink:to="${name}" order="${k + 1}"/>`).join('')}</presentationLink>`,
    );
    const documents = [
      { name: 'acme-20241231.xml', type: 'EX-101.INS', text: () => instance },
      { name: 'acme-20241231_pre.xml', type: 'EX-101.PRE', text: () => presentation },
    ];
    if (labels !== null) {
      const words = linkbase(
        `<labelLink xlink:type="extended" xlink:role="http://www.xbrl.org/2003/role/link">${locator('x_Building')}<label xlink:type="resource" xlink:label="w" xlink:role="http://www.xbrl.org/2003/role/label" xml:lang="en-US">${labels}</label><labelArc xlink:type="arc" xlink:arcrole="http://www.xbrl.org/2003/arcrole/concept-label" xlink:from="x_Building" xlink:to="w"/></labelLink>`,
      );
      documents.push({ name: 'acme-20241231_lab.xml', type: 'EX-101.LAB', text: () => words });
    }
    const filing = { accessionNumber: '0000000042-25-000001', filingDate: '2025-02-01', formType: '10-K', documents };
    return Object.fromEntries(
      [...mapFiling(filing, new Set(['fundamentals']))].map(({ row }) => [row.item, row.value]),
    );
  };

  it('has the words of its label linkbase, and those of the names of own concepts', () => {
    expect(rows('Purchases of property')).toMatchObject({ depreciation_amortization: '3', capex: '5' });
    expect(rows('Loans made')).toMatchObject({ depreciation_amortization: '3', capex: null });
    expect(rows(null)).toMatchObject({ depreciation_amortization: '3', capex: null });
  });
});

describe('companies that file together', () => {
  const ofMember = (lines: readonly StatementLine[], member: string, factor: number): StatementLine[] =>
    lines.map(([label, concept, value]) => [
      label,
      `${concept}[dei:LegalEntityAxis=x:${member}Member]`,
      String(Number(value) / factor),
    ]);
  const income = [SALES, OPERATING, PRETAX, TAX, NET];
  const rows = statementsOf(
    report({
      income,
      balance: [...END, ...CLAIMS],
      registrants: { 'x:OhioMember': '0000000077', 'x:ParentMember': '0000000042', 'x:GuarantorMember': '0000000078' },
      notes: [
        ofMember(income, 'Ohio', 4),
        ofMember(income, 'Parent', 2),
        ofMember([SALES], 'Guarantor', 2),
        ofMember(income, 'Unnamed', 5),
      ],
    }),
  );
  const ofItem = (registrant: string, item: string) =>
    rows.fundamentals!.filter((row) => row.registrant === registrant && row.item === item);

  it('have rows of their own, under their own CIK, none of which is the filer’s', () => {
    expect(ofItem('', 'revenue')).toMatchObject([{ cik: '42', value: '100000000', fiscal_period: 'FY' }]);
    expect(ofItem('x:OhioMember', 'revenue')).toMatchObject([{ cik: '77', value: '25000000', fiscal_period: 'FY' }]);
    expect(ofItem('x:OhioMember', 'total_assets')).toMatchObject([{ cik: '77', value: null, reason: 'no_statement' }]);
    const keys = rows.fundamentals!.map((row) =>
      [row.registrant, row.item, row.fiscal_period, row.period_end].join(' '),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are those with a CIK of their own and statements: no member of the filer, no guarantor', () => {
    expect(new Set(rows.fundamentals!.map((row) => row.registrant))).toEqual(new Set(['', 'x:OhioMember']));
    expect(new Set(rows.fiscal_periods!.map((row) => row.registrant))).toEqual(new Set(['', 'x:OhioMember']));
  });

  it('have no rows if two of them have one CIK', () => {
    const registrants = { 'x:OhioMember': '77', 'x:OtherMember': '0000000077' };
    const made = report({ income, registrants, notes: [ofMember(income, 'Ohio', 4), ofMember(income, 'Other', 2)] });
    expect(new Set(statementsOf(made).fundamentals!.map((row) => row.cik))).toEqual(new Set(['42']));
  });

  it('have their facts named as they were filed', () => {
    const sources = rows.fundamental_sources!.filter((row) => row.registrant !== '');
    expect(sources.length).toBeGreaterThan(0);
    expect(new Set(sources.map((row) => row.dimensions))).toEqual(new Set(['{"dei:LegalEntityAxis":"x:OhioMember"}']));
  });
});

describe('what is due to others, beside related parties', () => {
  const owed = (who: string, value: string): StatementLine => [
    `Accounts payable ${who}`,
    `AccountsPayableCurrent[us-gaap:RelatedPartyTransactionsByRelatedPartyAxis=us-gaap:${who}Member]`,
    value,
  ];
  const payable = (...lines: StatementLine[]) =>
    itemsOf(report({ balance: [...lines, ...END, ...CLAIMS] })).accounts_payable;

  it('is the line of the item, unless a total is printed', () => {
    const both = [owed('RelatedParty', '6'), owed('NonrelatedParty', '60')];
    expect(payable(...both)).toBe('60000000 FY reported');
    expect(payable(...both, ['Accounts payable', 'AccountsPayableCurrent', '66'])).toBe('66000000 FY reported');
    expect(payable(both[0]!)).toBe('no_line');
  });
});
