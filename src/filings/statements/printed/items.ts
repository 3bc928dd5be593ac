/** Items of printed statements: what the words say, if no identity contradicts it. */
import { type Amount, type Found, magnitude, roundingOf } from '../amounts.ts';
import type { Faces, Line, StatementName } from '../faces.ts';
import { amountOf, type Fact, halfDigit } from '../facts.ts';
import { Items } from '../items.ts';
import type { Rules } from '../rules.ts';
import { isSumOfSome, namedFaces } from './lines.ts';

/** Items that lines without tags are read for. */
export const PRINTED_ITEMS: readonly string[] =
  'revenue cost_of_revenue gross_profit research_and_development selling_general_admin operating_income interest_expense pretax_income income_tax net_income eps_basic eps_diluted shares_basic shares_diluted total_assets current_assets cash receivables inventory ppe_net total_liabilities current_liabilities long_term_debt stockholders_equity retained_earnings cash_from_operations cash_from_investing cash_from_financing depreciation_amortization capex dividends_paid'.split(
    ' ',
  );

const COST = /^us-gaap:(CostOf|Costs|OperatingExpenses|ResearchAnd|Selling|GeneralAnd|InterestExpense|Depreciation)/;
const COST_WORDS = /\bcosts?\b|\bexpenses?\b|\bpurchase[sd]\b|\boperations\b|\bsalaries\b|\bwages\b|\bprovision\b/i;
const REVENUE_WORDS = /^(?:total |net |other |operating )*(?:sales|revenues?)(?: from .*)?$/i;
const SALES = ['revenue', 'cost_of_revenue', 'gross_profit', 'operating_income', 'selling_general_admin'];
const PARTS = [
  'current_assets',
  'current_liabilities',
  'receivables',
  'inventory',
  'ppe_net',
  'long_term_debt',
  'cash',
];

const amountAt = ({ facts }: Line, period: string): bigint | undefined => {
  const fact = facts.find((each) => each.period === period);
  return fact && amountOf(fact);
};

const MORE = /\bcumulative effect|\bextraordinary|\bdiscontinued/i;

export type PrintedReason = 'no_statement' | 'no_line' | 'ambiguous' | 'several_companies';

export class PrintedItems {
  readonly #faces: Faces;
  readonly #rules: Rules;
  readonly #items: Items;
  /** Amounts that an identity speaks against, by item. */
  readonly #contradicted = new Map<string, Map<string, Amount>>();

  readonly #reason: PrintedReason | null;

  /** @param reason why nothing has a value, if that is known */
  constructor(faces: Faces, rules: Rules, reason: PrintedReason | null = null) {
    this.#reason = reason;
    this.#faces = namedFaces(faces, rules);
    this.#rules = rules;
    this.#items = new Items(this.#faces, rules, [], null);
    this.#compareSheets();
    this.#compareIncome();
    this.#compareRevenue();
    this.#compareParts();
    this.#compareFlows();
  }

  get faces(): Faces {
    return this.#faces;
  }

  /** Values that nothing speaks against. */
  find(item: string): Found | null {
    const found = this.#items.find(item);
    // Without tags nobody can tell that one line has all costs of what was sold, or all sales.
    if (found === null || (item === 'gross_profit' && found.method !== 'reported')) return null;
    if (item === 'cost_of_revenue' && found.method === 'solved') return null;
    const amounts = new Map(
      [...found.amounts].filter(([period]) => this.#contradicted.get(item)?.has(period) !== true),
    );
    return amounts.size === 0 ? null : { ...found, amounts };
  }

  contradicted(item: string): Iterable<Amount> {
    return this.#contradicted.get(item)?.values() ?? [];
  }

  /** Why an item has no value. */
  reason(item: string): PrintedReason {
    if (this.#reason !== null) return this.#reason;
    const { statement, ways } = this.#rules.items.get(item)!;
    const lines = this.#faces[statement as StatementName];
    if (lines.length === 0) return 'no_statement';
    const concepts = ways.flatMap(({ first, largest, family }) => [first ?? [], largest ?? [], family ?? []].flat());
    const own = lines.flatMap(({ concept }) => (concepts.includes(concept) ? [concept] : []));
    return new Set(own).size < own.length ? 'ambiguous' : 'no_line';
  }

  #amount(item: string, period: string): Amount | undefined {
    return this.#items.find(item)?.amounts.get(period);
  }

  #doubt(period: string, ...items: string[]): void {
    for (const item of items) {
      const amount = this.#amount(item, period);
      const others = this.#contradicted.get(item) ?? new Map<string, Amount>();
      if (amount !== undefined) this.#contradicted.set(item, others.set(period, amount));
    }
  }

  #periods(...items: string[]): Set<string> {
    return new Set(items.flatMap((item) => [...(this.#items.find(item)?.amounts.keys() ?? [])]));
  }

  #compareSheets(): void {
    for (const day of this.#periods('total_assets')) {
      const assets = this.#amount('total_assets', day)!;
      const others = this.#amount('liabilities_and_equity', day);
      if (others !== undefined && !isNear(assets, others.amount))
        this.#doubt(day, 'total_assets', 'total_liabilities', 'stockholders_equity');
      for (const part of ['current_assets', 'cash', 'inventory', 'receivables', 'ppe_net']) {
        const amount = this.#amount(part, day);
        if (amount !== undefined && amount.amount > assets.amount + roundingOf(assets)) this.#doubt(day, part);
      }
      const [owed, equity] = [this.#amount('total_liabilities', day), this.#amount('stockholders_equity', day)];
      if (owed === undefined || equity === undefined) continue;
      if (this.#items.find('total_liabilities')!.method !== 'reported') {
        if (!this.#isOwed(day, owed)) this.#doubt(day, 'total_liabilities');
        continue;
      }
      const all = this.#amount('total_equity', day) ?? equity;
      const left = assets.amount - owed.amount - all.amount;
      const between = this.#between('balance', 'total_liabilities', 'stockholders_equity', day, 3);
      if (!isSumOfSome(left, between, roundingOf(assets) * 3n))
        this.#doubt(day, 'total_liabilities', 'stockholders_equity');
    }
  }

  /** Whether lines from the first liability on make the amount. */
  #isOwed(day: string, { amount }: Amount): boolean {
    const { balance } = this.#faces;
    return ['Assets', 'StockholdersEquity', 'LiabilitiesCurrent'].some((name) => {
      const first = balance.findIndex(({ concept }) => concept === `us-gaap:${name}`);
      const current = balance[first]?.facts.find(({ period }) => period === day);
      let sum = name === 'LiabilitiesCurrent' && current !== undefined ? amountOf(current) : 0n;
      return balance.slice(first + 1).some((line) => {
        const fact = line.facts.find(({ period }) => period === day);
        if (
          first < 0 ||
          fact === undefined ||
          /^(total|$)|minority|controlling|temporary|redeemable/i.test(line.label())
        )
          return false;
        sum += amountOf(fact);
        return sum === amount;
      });
    });
  }

  #compareIncome(): void {
    for (const period of this.#periods('pretax_income', 'net_income')) {
      const [before, tax, net] = ['pretax_income', 'income_tax', 'net_income'].map((item) =>
        this.#amount(item, period),
      );
      if (before === undefined || tax === undefined || net === undefined) continue;
      const between = this.#between('income', 'income_tax', 'net_income', period, 2);
      if (!isSumOfSome(before.amount - tax.amount - net.amount, between, roundingOf(net) * 3n))
        this.#doubt(period, 'pretax_income', 'income_tax', 'net_income');
    }
    for (const kind of ['basic', 'diluted'])
      for (const period of this.#periods(`eps_${kind}`)) {
        const each = this.#amount(`eps_${kind}`, period)!;
        if (each.sources.some(({ fact }) => fact.concept.includes('ContinuingOperations')) && this.#hasMore(period))
          this.#doubt(period, `eps_${kind}`);
        const net = this.#amount('net_income_to_common', period) ?? this.#amount('net_income', period);
        const count = this.#amount(`shares_${kind}`, period);
        if (net === undefined || each.amount === 0n) continue;
        if (net.amount !== 0n && net.amount < 0n !== each.amount < 0n) this.#doubt(period, `eps_${kind}`);
        if (count === undefined || count.amount === 0n) continue;
        const told = Number(net.amount) / (Number(count.amount) / 1e12);
        if (Math.abs(told - Number(each.amount)) <= 0.1 * Math.abs(told) + HALF_CENT) continue;
        // The same digits at another scale: that of the shares is not known, nor that of amounts without any.
        const scale = [1e3, 1e6, 1e-3, 1e-6].find(
          (times) => Math.abs(told * times - Number(each.amount)) <= 0.1 * Math.abs(told * times) + HALF_CENT,
        );
        this.#doubt(period, `shares_${kind}`, ...(scale === undefined ? [`eps_${kind}`] : []));
        if (scale !== undefined && scale > 1 && net.sources.every(({ fact }) => Number(fact.decimals) >= 0))
          for (const [name, item] of this.#rules.items)
            if (item.unit === 'money') for (const other of this.#periods(name)) this.#doubt(other, name);
      }
  }

  /** Other lines of revenue beside the one that was taken: it is a part, as one is whose costs do not make the gross profit. */
  #compareRevenue(): void {
    const lines = this.#faces.income.filter(({ facts }) => /^[A-Z]{3}$/.test(facts[0]!.unit));
    for (const period of this.#periods('revenue')) {
      const order = this.#lineOf(lines, this.#amount('revenue', period)) ?? -1;
      const after = lines.filter((line) => line.order > order && amountAt(line, period) !== 0n);
      const cost = after.findIndex(
        (line) => COST.test(line.concept) || COST_WORDS.test(`${line.heading()} ${line.label()}`),
      );
      const result = after.findIndex(({ concept }) => /BeforeIncomeTaxes|:NetIncomeLoss$|:ProfitLoss$/.test(concept));
      if (cost > 0) this.#doubt(period, 'revenue');
      // Sales after costs are of another business of the company.
      const others = after.slice(Math.max(0, cost), Math.max(0, result));
      if (
        others.some((line) =>
          REVENUE_WORDS.test(
            line
              .label()
              .replace(/\([^()]*\)/g, '')
              .trim(),
          ),
        )
      )
        this.#doubt(period, ...SALES);
      const [sales, gross] = [this.#amount('revenue', period)!, this.#amount('gross_profit', period)];
      const costs = lines.filter(({ concept }) => concept.startsWith('us-gaap:CostOf'));
      if (gross === undefined || costs.length === 0 || this.#items.find('gross_profit')!.method !== 'reported')
        continue;
      const amounts = costs.flatMap((line) => amountAt(line, period) ?? []);
      if (!isSumOfSome(sales.amount - gross.amount, amounts, roundingOf(sales) * 3n)) this.#doubt(period, ...SALES);
    }
  }

  /** A sheet with totals for each of several businesses has the items of one of them. */
  #compareParts(): void {
    const businesses = (kind: string) =>
      this.#faces.balance.flatMap((line) => {
        const words = new RegExp(`^total (.+?) ${kind}$`, 'i').exec(line.label().trim())?.[1]?.toLowerCase();
        return words === undefined || /current|other|long|fixed|deferred|noncurrent/.test(words) ? [] : [words];
      });
    const debts = businesses('liabilities');
    if (!businesses('assets').some((words) => debts.includes(words))) return;
    for (const item of PARTS) for (const period of this.#periods(item)) this.#doubt(period, item);
  }

  /** Whether net income has more than what continues. */
  #hasMore(period: string): boolean {
    const isMore = (line: Line) => MORE.test(line.label()) && !/\bbefore\b/i.test(line.label());
    return this.#faces.income.some(
      (line) => isMore(line) && line.facts.some((fact) => fact.period === period && amountOf(fact) !== 0n),
    );
  }

  #compareFlows(): void {
    const first = this.#faces.cash_flow.find(({ concept }) => concept === 'us-gaap:NetIncomeLoss');
    for (const fact of first?.facts ?? []) {
      const results = this.#faces.income.filter(({ concept }) => /:(NetIncome|ProfitLoss|IncomeLoss)/.test(concept));
      const printed = results.flatMap(({ facts }) => facts.filter(({ period }) => period === fact.period));
      const isSame = (own: Fact) => magnitude(amountOf(own) - amountOf(fact)) <= halfDigit(fact) * 2n;
      // The columns of one of the two were misread.
      if (printed.length > 0 && !printed.some(isSame)) this.#doubt(fact.period, ...FLOWS);
    }
    // Cash at the end that the balance sheet has on another of its days.
    const sheet = this.#items.find('cash')?.amounts;
    const ends = this.#faces.cash_flow.filter(({ concept }) => concept === 'printed:CashEnd');
    for (const { end, amount } of ends.flatMap(({ facts }) =>
      facts.map((fact) => ({ end: fact.end, amount: amountOf(fact) })),
    ))
      if (
        sheet?.has(end) &&
        sheet.get(end)!.amount !== amount &&
        [...sheet.values()].some((day) => day.amount === amount)
      )
        for (const day of sheet.keys()) this.#doubt(day, ...SHEET);
    const flows = FLOWS.slice(0, 3);
    for (const period of this.#periods('change_in_cash')) {
      const change = this.#amount('change_in_cash', period)!;
      const parts = flows.map((item) => this.#amount(item, period));
      if (parts.some((part) => part === undefined)) continue;
      const left = parts.reduce((sum, part) => sum - part!.amount, change.amount);
      const others = this.#between('cash_flow', 'cash_from_financing', 'change_in_cash', period, 3);
      if (!isSumOfSome(left, others, roundingOf(change) * 4n)) this.#doubt(period, ...flows);
    }
  }

  /** Amounts of the lines between those of two items, and of some after them. */
  #between(statement: StatementName, first: string, last: string, period: string, more: number): bigint[] {
    const lines = this.#faces[statement];
    const [from, to] = [first, last].map((item) => this.#lineOf(lines, this.#amount(item, period)));
    if (from === undefined || to === undefined) return [];
    const own = lines.filter(
      ({ order, facts }) =>
        order > Math.min(from, to) && order < Math.max(from, to) + more && !facts[0]!.unit.includes('/'),
    );
    return own.flatMap(({ facts, order }) => {
      const fact = order === to || order === from ? undefined : facts.find((each) => each.period === period);
      return fact === undefined || amountOf(fact) === 0n ? [] : [amountOf(fact)];
    });
  }

  #lineOf(lines: readonly Line[], amount: Amount | undefined): number | undefined {
    const fact = amount?.sources[0]?.fact;
    return fact && lines.find(({ facts }) => facts.includes(fact))?.order;
  }
}

const HALF_CENT = Number(halfDigit({ decimals: '2' }));
const FLOWS = [
  ...['cash_from_operations', 'cash_from_investing', 'cash_from_financing'],
  ...['depreciation_amortization', 'capex', 'dividends_paid'],
];
const SHEET = [
  ...['total_assets', 'current_assets', 'cash', 'receivables', 'inventory', 'ppe_net', 'total_liabilities'],
  ...['current_liabilities', 'long_term_debt', 'stockholders_equity', 'retained_earnings'],
];
const isNear = (a: Amount, b: bigint) => magnitude(a.amount - b) <= roundingOf(a) * 2n;
