/**
 * The primary statements of a filing: which facts stand on their faces, in which lines. Notes repeat amounts of other scope under the same
 * concepts, so an item is looked for on the face of its statement only.
 */
import type { Row } from '../forms/index.ts';
import { amountOf, type Fact, factOf, type NumberRow, periodKey } from './facts.ts';

export type StatementName = 'income' | 'balance' | 'cash_flow';
export const STATEMENTS: readonly StatementName[] = ['income', 'balance', 'cash_flow'];

/** Facts of one concept and one set of members in one line. */
export interface Line {
  readonly statement: StatementName;
  /** From 0 in the order of the page. */
  readonly order: number;
  readonly concept: string;
  readonly dimensions: string;
  readonly facts: Fact[];
  /** Words before the first number of the line; without a page those of its label, or of the name of the company's own concept; '' if it has none. */
  readonly label: () => string;
  /** Words between the line above and this one; without a page ''. */
  readonly heading: () => string;
}

export type Faces = Readonly<Record<StatementName, readonly Line[]>>;

/** Concepts that few tables but the statement have together. */
const SIGNS: Readonly<Record<StatementName, ReadonlySet<string>>> = {
  income: signs(
    'Revenues RevenueFromContractWithCustomerExcludingAssessedTax RevenueFromContractWithCustomerIncludingAssessedTax SalesRevenueNet InterestAndDividendIncomeOperating NoninterestExpense PremiumsEarnedNet CostOfRevenue CostOfGoodsAndServicesSold GrossProfit OperatingExpenses CostsAndExpenses OperatingIncomeLoss IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments IncomeTaxExpenseBenefit NetIncomeLoss ProfitLoss EarningsPerShareBasic EarningsPerShareDiluted EarningsPerShareBasicAndDiluted WeightedAverageNumberOfSharesOutstandingBasic WeightedAverageNumberOfDilutedSharesOutstanding ResearchAndDevelopmentExpense SellingGeneralAndAdministrativeExpense GeneralAndAdministrativeExpense InterestExpense',
    'Revenue RevenueFromContractsWithCustomers CostOfSales GrossProfit ProfitLossFromOperatingActivities ProfitLossBeforeTax IncomeTaxExpenseContinuingOperations ProfitLoss ProfitLossAttributableToOwnersOfParent BasicEarningsLossPerShare DilutedEarningsLossPerShare FinanceCosts FinanceIncome',
  ),
  balance: signs(
    'Assets Liabilities LiabilitiesAndStockholdersEquity StockholdersEquity StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest AssetsCurrent LiabilitiesCurrent RetainedEarningsAccumulatedDeficit AdditionalPaidInCapital AdditionalPaidInCapitalCommonStock CommonStockValue AccumulatedOtherComprehensiveIncomeLossNetOfTax CashAndCashEquivalentsAtCarryingValue AccountsPayableCurrent',
    'Assets Liabilities EquityAndLiabilities Equity EquityAttributableToOwnersOfParent CurrentAssets NoncurrentAssets CurrentLiabilities NoncurrentLiabilities RetainedEarnings IssuedCapital PropertyPlantAndEquipment Inventories',
  ),
  cash_flow: signs(
    'NetCashProvidedByUsedInOperatingActivities NetCashProvidedByUsedInInvestingActivities NetCashProvidedByUsedInFinancingActivities NetCashProvidedByUsedInOperatingActivitiesContinuingOperations NetCashProvidedByUsedInInvestingActivitiesContinuingOperations NetCashProvidedByUsedInFinancingActivitiesContinuingOperations CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect CashAndCashEquivalentsPeriodIncreaseDecrease',
    'CashFlowsFromUsedInOperatingActivities CashFlowsFromUsedInInvestingActivities CashFlowsFromUsedInFinancingActivities IncreaseDecreaseInCashAndCashEquivalents',
  ),
};

const ALL_SIGNS: ReadonlyMap<string, StatementName> = new Map(
  STATEMENTS.flatMap((statement) => [...SIGNS[statement]].map((name) => [name, statement] as const)),
);

/** A table with fewer of them is a note. */
const ENOUGH: Readonly<Record<StatementName, number>> = { income: 3, balance: 3, cash_flow: 1 };
/** Without these, a statement continues in the next table. */
const ENDS: Readonly<Record<StatementName, readonly ReadonlySet<string>[]>> = {
  income: [
    signs('NetIncomeLoss ProfitLoss', 'ProfitLoss'),
    signs(
      'EarningsPerShareBasic EarningsPerShareDiluted EarningsPerShareBasicAndDiluted',
      'BasicEarningsLossPerShare DilutedEarningsLossPerShare',
    ),
  ],
  balance: [signs('Assets', 'Assets'), signs('LiabilitiesAndStockholdersEquity', 'EquityAndLiabilities')],
  cash_flow: [
    signs(
      'NetCashProvidedByUsedInOperatingActivities NetCashProvidedByUsedInOperatingActivitiesContinuingOperations',
      'CashFlowsFromUsedInOperatingActivities',
    ),
    signs(
      'NetCashProvidedByUsedInInvestingActivities NetCashProvidedByUsedInInvestingActivitiesContinuingOperations',
      'CashFlowsFromUsedInInvestingActivities',
    ),
    signs(
      'NetCashProvidedByUsedInFinancingActivities NetCashProvidedByUsedInFinancingActivitiesContinuingOperations',
      'CashFlowsFromUsedInFinancingActivities',
    ),
  ],
};

function signs(names: string, ifrs: string): ReadonlySet<string> {
  const of = (taxonomy: string, list: string) => list.split(' ').map((name) => `${taxonomy}:${name}`);
  return new Set([...of('us-gaap', names), ...of('ifrs-full', ifrs)]);
}

/** Facts that stand together: a table of a page, or a role of the presentation. */
interface Block {
  readonly lines: () => OpenLine[];
  /** Signs that it has of the company as a whole, and how many of each statement. */
  readonly signs: ReadonlySet<string>;
  readonly counts: Readonly<Record<StatementName, number>>;
  /** Of facts of the company as a whole. */
  readonly periods: ReadonlySet<string>;
}

/** Lines of a table, before their statement is known. */
type OpenLine = Omit<Line, 'statement'>;

/**
 * @param texts documents by file name, if they are at hand
 * @param presentation rows of xbrl_presentation: for facts without a page
 * @param labels rows of xbrl_labels, for them too
 */
export function findFaces(
  facts: readonly NumberRow[],
  texts: ReadonlyMap<string, string>,
  presentation: readonly Row[],
  labels: readonly Row[],
): Faces {
  const blocks: Block[] = [];
  for (let from = 0; from < facts.length; ) {
    const { file } = facts[from]!;
    const to = facts.findIndex((fact, k) => k > from && fact.file !== file);
    const text = texts.get(file);
    if (text !== undefined) blocks.push(...tablesOf(facts.slice(from, to < 0 ? undefined : to), text));
    from = to < 0 ? facts.length : to;
  }
  const found = blocks.length > 0 ? blocks : rolesOf(facts, presentation, wordsByConcept(labels));
  const flows = face('cash_flow', found);
  const income = face('income', found);
  return {
    income: income.length > 0 ? income : shortIncome(found, flows),
    balance: face('balance', found),
    cash_flow: flows,
  };
}

/**
 * An income statement of few lines, as a company without business has it: it ends with the net income that the cash flow statement
 * begins with, in all periods of that one. A note has not all of them, or no other line of the statement.
 */
function shortIncome(blocks: readonly Block[], flows: readonly Line[]): Line[] {
  const [net] = flows;
  if (net === undefined || !ENDS.income[0]!.has(net.concept)) return [];
  for (const block of blocks) {
    if (block.counts.income < ENOUGH.income - 1 || block.counts.cash_flow > 0 || block.counts.balance > 0) continue;
    const lines = block.lines();
    const same = lines.findLast(({ concept, dimensions }) => dimensions === '{}' && ENDS.income[0]!.has(concept));
    const isSame = (fact: Fact) =>
      same?.facts.some((other) => other.period === fact.period && amountOf(other) === amountOf(fact));
    if (net.facts.every(isSame)) return lines.map((line, order) => ({ ...line, order, statement: 'income' as const }));
  }
  return [];
}

function face(statement: StatementName, blocks: readonly Block[]): Line[] {
  const scores = blocks.map(({ counts }) => counts[statement]);
  const best = Math.max(0, ...scores);
  if (best < ENOUGH[statement]) return [];
  const enough = Math.max(ENOUGH[statement], best * 0.7);
  // Later tables repeat a statement: quarters of a year, a parent alone.
  const first = scores.findIndex((score) => score >= enough);
  let [from, to] = spanOf(statement, blocks, first);
  let lines = linesIn(statement, blocks.slice(from, to + 1));
  // A quarterly report may have a table for the quarter and another for the months so far.
  for (let next = to + 1; next < blocks.length; next++) {
    if (scores[next]! < enough) continue;
    const known = new Set(lines.flatMap(({ facts }) => facts.map(({ period }) => period)));
    if (blocks[next]!.periods.isSubsetOf(known)) continue;
    [from, to] = spanOf(statement, blocks, next, next);
    const more = linesIn(statement, blocks.slice(from, to + 1));
    if (!isSameStatement(lines, more)) continue;
    lines = withPeriods(lines, more, known);
    next = to;
  }
  return ofOthers(lines).map((line, order) => ({ ...line, order, statement }));
}

const PARTIES = 'us-gaap:RelatedPartyTransactionsByRelatedPartyAxis';
const OTHERS = JSON.stringify({ [PARTIES]: 'us-gaap:NonrelatedPartyMember' });

/** Since the taxonomy of 2023 what is due to others has a member, beside what is due to related parties, which had a concept of its own before. */
function ofOthers(lines: readonly OpenLine[]): readonly OpenLine[] {
  const isWhole = (concept: string) => lines.some((line) => line.concept === concept && line.dimensions === '{}');
  return lines.map((line) =>
    line.dimensions === OTHERS && !isWhole(line.concept) ? { ...line, dimensions: '{}' } : line,
  );
}

/** First and last block of a statement that one of its blocks begins, or ends. @param least no block before it */
function spanOf(statement: StatementName, blocks: readonly Block[], first: number, least = 0): [number, number] {
  let from = first;
  let to = first;
  const lacking = () =>
    ENDS[statement].filter((end) => !blocks.slice(from, to + 1).some(({ signs }) => !signs.isDisjointFrom(end)));
  for (let step = 1; step <= 2 && lacking().length > 0; step++) {
    const more = (at: number) => {
      const block = at < least ? undefined : blocks[at];
      return block !== undefined && lacking().some((end) => !block.signs.isDisjointFrom(end)) && fits(statement, block);
    };
    if (more(to + 1)) to++;
    else if (more(to + 2)) to += 2;
    else if (more(from - 1)) from--;
    else if (more(from - 2)) from -= 2;
  }
  return [from, to];
}

const linesIn = (statement: StatementName, blocks: readonly Block[]): OpenLine[] =>
  blocks.flatMap((block) => (fits(statement, block) ? block.lines() : []));

/** Share of the lines of the longer of two tables that the other has too: a summary in a note has few of them. */
const SAME_LINES = 0.7;

function isSameStatement(lines: readonly OpenLine[], others: readonly OpenLine[]): boolean {
  const [a, b] = [lines, others].map(
    (each) => new Set(each.flatMap(({ concept, dimensions }) => (dimensions === '{}' ? [concept] : []))),
  ) as [Set<string>, Set<string>];
  return a.intersection(b).size >= SAME_LINES * Math.max(a.size, b.size);
}

/** Lines with their facts of other periods in a second table. A line that the first one lacks follows the one before it. */
function withPeriods(lines: readonly OpenLine[], others: readonly OpenLine[], known: ReadonlySet<string>): OpenLine[] {
  const joined = lines.map((line) => ({ ...line, facts: [...line.facts] }));
  const met = new Set<OpenLine>();
  let place = -1;
  for (const other of others) {
    const facts = other.facts.filter(({ period }) => !known.has(period));
    if (facts.length === 0) continue;
    const same = joined.find(
      (line) => !met.has(line) && line.concept === other.concept && line.dimensions === other.dimensions,
    );
    if (same === undefined) joined.splice(++place, 0, { ...other, facts });
    else {
      same.facts.push(...facts);
      place = joined.indexOf(same);
    }
    met.add(joined[place]!);
  }
  return joined;
}

/** A block between two halves of a statement may be another statement. */
function fits(statement: StatementName, { counts }: Block): boolean {
  const others = STATEMENTS.filter((each) => each !== statement).map((each) => counts[each] - ENOUGH[each]);
  return counts[statement] - ENOUGH[statement] >= Math.max(...others) || Math.max(...others) < 0;
}

/** Facts between two signs of one statement, at most: a sign farther from all others stands in a note. */
const NEAR = 100;

/** Facts whose tables are looked at: signs beside others of their statement, and those that may stand alone in a part of it. */
function signsOf(facts: readonly NumberRow[]): number[] {
  const last: Partial<Record<StatementName, number>> = {};
  const found: number[] = [];
  const near = new Set<number>();
  for (let k = 0; k < facts.length; k++) {
    const { concept, dimensions } = facts[k]!;
    const statement = dimensions === '{}' ? ALL_SIGNS.get(concept) : undefined;
    if (statement === undefined) continue;
    found.push(k);
    const before = last[statement];
    if (before !== undefined && facts[before]!.concept !== concept && k - before <= NEAR) near.add(before).add(k);
    if (ENDS[statement].some((end) => end.has(concept))) near.add(k);
    last[statement] = k;
  }
  return found.filter((k) => near.has(k));
}

/** Tables around signs: the others need not be found. Facts come in the order of the page. */
function tablesOf(facts: readonly NumberRow[], text: string): Block[] {
  const blocks: Block[] = [];
  // The last table that begins before a fact, and its end. Between two facts the text is searched once.
  let start = -1;
  let end = -1;
  let searched = 0;
  let done = -1;
  for (const k of signsOf(facts)) {
    if (k <= done) continue;
    const startIndex = facts[k]!.start_index;
    const at = text.slice(searched, startIndex).lastIndexOf('<table');
    if (at >= 0) {
      start = searched + at;
      end = endTag('table', text, start);
    }
    searched = startIndex;
    if (start < 0 || end < startIndex) continue;
    let first = k;
    while (first > 0 && facts[first - 1]!.start_index > start) first--;
    done = k;
    while (done + 1 < facts.length && facts[done + 1]!.start_index < end) done++;
    const own = facts.slice(first, done + 1);
    const from = start;
    const periods = periodsOf(own);
    blocks.push(blockOf(own, periods, () => linesOf(own, text, from)));
  }
  return blocks;
}

/** Position of the next end tag; negative: there is none. A slash is rarer than a bracket: the text is searched ten times as fast. */
function endTag(name: string, text: string, from: number): number {
  const slash = text.indexOf(`/${name}`, from);
  if (slash < 0 || text[slash - 1] === '<') return slash - 1;
  return endTag(name, text, slash + 1);
}

const periodsOf = (facts: readonly NumberRow[]): ReadonlySet<string> =>
  new Set(
    facts.flatMap(({ dimensions, period_start, period_end }) =>
      dimensions === '{}' ? [periodKey(period_start as string | null, period_end as string)] : [],
    ),
  );

function blockOf(
  facts: readonly { concept: string; dimensions: string }[],
  periods: Block['periods'],
  lines: Block['lines'],
): Block {
  const signs = new Set<string>();
  const counts = { income: 0, balance: 0, cash_flow: 0 };
  for (const { concept, dimensions } of facts) {
    const statement = dimensions === '{}' ? ALL_SIGNS.get(concept) : undefined;
    if (statement === undefined || signs.has(concept)) continue;
    signs.add(concept);
    counts[statement]++;
  }
  return { lines, signs, counts, periods };
}

function linesOf(rows: readonly NumberRow[], text: string, start: number): Omit<Line, 'statement'>[] {
  const lines: Omit<Line, 'statement'>[] = [];
  let row = -1;
  let rowEnd = -1;
  let above = start;
  let ofRow: Omit<Line, 'statement'>[] = [];
  const doubtful = new Set<Fact>();
  for (const each of rows) {
    const { concept, dimensions, start_index: at } = each;
    if (at >= rowEnd) {
      above = Math.max(start, rowEnd);
      row = Math.max(start, text.lastIndexOf('<tr', at));
      const closed = endTag('tr', text, at);
      rowEnd = closed < 0 ? text.length : closed;
      ofRow = [];
    }
    const fact = factOf(each);
    const line = ofRow.find((other) => other.concept === concept && other.dimensions === dimensions);
    if (line !== undefined) {
      const same = line.facts.find(({ period }) => period === fact.period);
      if (same === undefined) line.facts.push(fact);
      // A number inside a number is the same fact twice. Two numbers for one period: nobody can tell which it is.
      else if (amountOf(same) !== amountOf(fact)) doubtful.add(same);
      continue;
    }
    const [from, end] = [row, above];
    let label: string | undefined;
    const opened = {
      order: 0,
      concept,
      dimensions,
      facts: [fact],
      label: () => (label ??= wordsOf(text, from, at).replace(SIGN_OF_NUMBER, '')),
      heading: () => wordsOf(text, end, from),
    };
    ofRow.push(opened);
    lines.push(opened);
  }
  return lines
    .filter(({ facts }) => !isInWords(facts[0]!.startIndex, text))
    .flatMap((line) => {
      if (doubtful.size === 0 || line.facts.every((fact) => !doubtful.has(fact))) return [line];
      const facts = line.facts.filter((fact) => !doubtful.has(fact));
      return facts.length === 0 ? [] : [{ ...line, facts }];
    });
}

/** Longest text of a cell with its markup that is looked at. */
const CELL_LENGTH = 3000;
const WORD = /[a-z]{3}/i;

/** A number in a cell of words is an aside: "net of allowance of 5". */
function isInWords(at: number, text: string): boolean {
  const before = text.slice(Math.max(0, at - CELL_LENGTH), at);
  let cell = before.lastIndexOf('<t');
  while (cell > 0 && before[cell + 2] !== 'd' && before[cell + 2] !== 'h') cell = before.lastIndexOf('<t', cell - 1);
  return WORD.test(wordsOf(before, Math.max(cell, 0), before.length));
}

/** What is printed before a number: `$ (`. */
const SIGN_OF_NUMBER = /[\s($€£¥]+$/;
const REFERENCE = /&(?:#(\d+)|amp|nbsp);/g;

/** Words of a part of a page, without markup. */
function wordsOf(text: string, from: number, to: number): string {
  let words = '';
  for (let at = from; at < to; ) {
    const tag = text.indexOf('<', at);
    const end = tag < 0 || tag > to ? to : tag;
    if (end > at) words += `${text.slice(at, end)} `;
    const closed = end === to ? to : text.indexOf('>', end);
    at = closed < 0 ? to : closed + 1;
  }
  if (words.includes('&'))
    words = words.replace(REFERENCE, (written, code: string | undefined) =>
      code !== undefined
        ? code === '8203'
          ? ' '
          : String.fromCodePoint(Number(code))
        : written === '&amp;'
          ? '&'
          : ' ',
    );
  return words.replace(/\s+/g, ' ').trim();
}

/** Roles in the order of the filing. Instances have no page: their lines are those of the presentation. */
function rolesOf(
  numbers: readonly NumberRow[],
  presentation: readonly Row[],
  wordsFor: (concept: string, role: unknown) => string,
): Block[] {
  if (presentation.length === 0) return [];
  const byConcept = Map.groupBy(numbers.map(factOf), ({ concept }) => concept);
  const roles = Map.groupBy(presentation, ({ role }) => role as string);
  const blocks: Block[] = [];
  for (const rows of roles.values()) {
    const shown = rows.filter(({ line }) => line !== null).sort((a, b) => Number(a.line) - Number(b.line));
    const members = new Set(rows.map(({ concept }) => concept as string));
    const lines = shown.flatMap(({ concept, preferred_label: preferred }) =>
      [...Map.groupBy(byConcept.get(concept as string) ?? [], ({ dimensions }) => dimensions)]
        .filter(([dimensions]) => membersOf(dimensions).every((name) => members.has(name)))
        .map(([dimensions, own]) => ({
          order: 0,
          concept: concept as string,
          dimensions,
          facts: own.filter((fact, k) => own.findIndex(({ period }) => period === fact.period) === k),
          label: () => wordsFor(concept as string, preferred),
          heading: () => '',
        })),
    );
    // Of one page with all periods: none is looked for elsewhere.
    blocks.push(blockOf(lines, new Set(), () => lines));
  }
  return blocks;
}

const USUAL_LABEL = 'http://www.xbrl.org/2003/role/label';

/** Words of a line of an instance: the label that it is shown with, else the usual one, else the name of the company's own concept. */
function wordsByConcept(labels: readonly Row[]): (concept: string, role: unknown) => string {
  const byConcept = Map.groupBy(labels, ({ concept }) => concept as string);
  return (concept, role) => {
    const own = byConcept.get(concept) ?? [];
    const shown = own.find((row) => row.role === role) ?? own.find((row) => row.role === USUAL_LABEL);
    if (typeof shown?.label === 'string') return shown.label;
    return /^(us-gaap|ifrs-full):/.test(concept)
      ? ''
      : concept.replace(/^[^:]*:/, '').replace(/\B(?=[A-Z][a-z])/g, ' ');
  };
}

/** Axes and members. */
export function membersOf(dimensions: string): string[] {
  return dimensions === '{}' ? [] : Object.entries(JSON.parse(dimensions) as Record<string, string>).flat();
}
