/** Names the lines of printed statements: by their words, the headings above them, and what they are sums of. */
import { type Faces, type Line, STATEMENTS, type StatementName } from '../faces.ts';
import { amountOf, type Fact, halfDigit } from '../facts.ts';
import type { Rules, Unit } from '../rules.ts';

/** Lines with the concepts that their words and places say; others have names of their own. */
export function namedFaces(faces: Faces, rules: Rules): Faces {
  const named = Object.fromEntries(STATEMENTS.map((name) => [name, namedLines(name, faces[name], rules)]));
  return named as unknown as Faces;
}

interface Named {
  readonly line: Line;
  readonly unit: Unit;
  /** Plain words of the line, with those of the row above if it began there. */
  readonly words: string;
  /** The last heading. */
  readonly heading: string;
  /** Name of a concept, without prefix; '': none. */
  concept: string;
  dimensions: string;
  /** Place of the first line of those that it is the sum of; null: it is not a sum. */
  sums: number | null;
  /** Its amounts are printed with the other sign. */
  isTurned: boolean;
}

const unitOf = ({ facts }: Line): Unit =>
  facts[0]!.unit.includes('/') ? 'per_share' : /share|unit/i.test(facts[0]!.unit) ? 'shares' : 'money';

/** Words of a label as lines share them: no parentheses, apostrophes, leaders and notes. */
export function plainWords(label: string): string {
  const lower = label
    .toLowerCase()
    .replace(/[’‘`´']/g, '')
    .replace(/&/g, ' and ')
    .replace(/[–—−]/g, '-')
    .replace(/\.{2,}|(?:\s\.){2,}/g, ' ');
  // `Net (loss)`: without another word for a result these are the words.
  const own = RESULT.test(lower.replace(/\([^()]*\)/g, ' '))
    ? lower
    : lower.replace(/\((loss(?:es)?|deficit)\)/g, '$1');
  const bare = own.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ').replace(/\([^()]*$/, ' ');
  return (/[a-z]/.test(bare) ? bare : lower)
    .replace(/[^a-z0-9,;:/.\- ]/g, ' ')
    .replace(/,? ?\b(see )?notes? \d+.*$/, '')
    .replace(/\//g, ' ')
    .replace(/\s*-\s*-\s*/g, ' - ')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .replace(/^[-,:;. ]+|[-,:;. ]+$/g, '')
    .replace(/\bstock holders\b/g, 'stockholders')
    .replace(/\bshare holders\b/g, 'shareholders')
    .replace(/\b(income|earnings|profit)s?( or)? loss(es)?\b/g, '$1')
    .replace(/^loss income\b/, 'income');
}

const RESULT = /\b(income|earnings|profit|loss|losses|deficit|provision|expense|equity)\b/;

/** A label continues in the next row after such words. */
const GOES_ON =
  /\b(before|for|of|and|in|to|from|by|the|on|per|or|at|with|used|provided|attributable|applicable|available|stockholders|shareholders|less)$/;

/** Lines of what would have been, and of others than the company and its shareholders */
const NOT_OWN =
  /\bpro ?-?forma\b|\bdividends? (received|from)\b|\bdividends?\b.*\b(minority|noncontrolling|non-controlling)\b/;

function namedLines(statement: StatementName, lines: readonly Line[], { printed }: Rules): Line[] {
  let heading = '';
  const list = lines.map((line): Named => {
    const label = line.label();
    const above = line.heading();
    if (above !== '') {
      heading = plainWords(above);
    }
    const tail = heading.split(':').at(-1)!.trim();
    const isContinued = above !== '' && !/:\s*$/.test(above) && (GOES_ON.test(tail) || /^\s*[a-z(]/.test(label));
    const words = plainWords(isContinued ? `${tail} ${label}` : label);
    return { line, unit: unitOf(line), words, heading, concept: '', dimensions: '{}', sums: null, isTurned: false };
  });
  findSums(list.filter(({ unit }) => unit === 'money'));
  for (const one of list) {
    const isDiluted = ({ unit, words, heading }: Named) =>
      unit === one.unit && KINDS.diluted.test(`${heading} ${words}`);
    if (NOT_OWN.test(one.words)) one.dimensions = '{"printed:Part":"printed:OfOthers"}';
    else one.concept = one.unit === 'money' ? byWords(printed[statement], one) : perShare(one, list.some(isDiluted));
  }
  if (statement === 'income') settleIncome(list);
  else if (statement === 'balance') settleBalance(list);
  totalsOnly(list);
  return list.map(({ line, concept, dimensions, words, isTurned }) => {
    const facts = isTurned ? line.facts.map(otherSign) : turned(statement, concept, line, words);
    const isOwn = concept === '' || concept.startsWith('printed:');
    const name = isOwn ? concept || `printed:${statement}${line.order}` : `us-gaap:${concept}`;
    return { ...line, concept: name, dimensions, facts: facts.map((fact) => ({ ...fact, concept: name })) };
  });
}

function byWords(wordings: Rules['printed'][StatementName], { words, heading }: Named): string {
  const fits = (pattern: RegExp | null, text: string) => pattern === null || pattern.test(text);
  const found = wordings.find(
    (each) =>
      each.words.test(words) && fits(each.heading, heading) && (each.unless === null || !each.unless.test(words)),
  );
  return found?.name ?? '';
}

const NOT_EARNINGS = /pro ?forma|dividend|distribution|book value|market|price|par value/;
const KINDS = {
  both: /\bbasic (earnings |income |loss )?(and|or) (fully |assuming )?dilut|\bprimary and fully|\bdiluted and basic|basic diluted/,
  diluted: /\bdilut|\bassuming (full |no )?dilution/,
  basic: /\bbasic\b|\bprimary\b|\bundiluted\b/,
} as const;
/** Parts of net income that earnings per share may be of. */
const SCOPES = {
  continuing: /continuing operations|before (extraordinary|cumulative|discontinued|accounting|change)/,
  other:
    /discontinued|extraordinary|cumulative effect|accounting (change|principle)|change in accounting|\bgain\b|disposal/,
  net: /\bnet (income|earnings|loss|profit)|total/,
} as const;

/** Before SFAS 128 statements could leave out a dilution of less than 3 %: one line says nothing of it. */
const DILUTED_SINCE = '1997-12-15';

/** Earnings per share and counts of shares: what their words leave out, the heading above says. */
function perShare(one: Named, isBesideDiluted: boolean): string {
  const { words, heading, unit } = one;
  const both = `${heading} ${words}`;
  if (NOT_EARNINGS.test(words) || (NOT_EARNINGS.test(heading) && !/net|income|earnings|loss/.test(words))) return '';
  const kindIn = (text: string) => Object.entries(KINDS).find(([, pattern]) => pattern.test(text))?.[0];
  const kind =
    kindIn(words) ?? kindIn(heading) ?? (isBesideDiluted || one.line.facts[0]!.end < DILUTED_SINCE ? 'basic' : 'both');
  if (unit === 'shares') {
    if (
      !/weight|average|shares|units|basic|dilut|outstanding/.test(both) ||
      /issued|authorized|end of|effect of|dilutive effect|add/.test(words)
    )
      return '';
    return {
      basic: 'WeightedAverageNumberOfSharesOutstandingBasic',
      diluted: 'WeightedAverageNumberOfDilutedSharesOutstanding',
      both: 'WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
    }[kind]!;
  }
  const scopeIn = (text: string) => Object.entries(SCOPES).find(([, pattern]) => pattern.test(text))?.[0];
  const scope = /^(\S+ from )?discontinued/.test(words) ? 'other' : (scopeIn(words) ?? scopeIn(heading) ?? 'net');
  if (scope === 'other') return '';
  const ofClass = /\bclass ([a-z])\b/.exec(words) ?? /\bclass ([a-z])\b/.exec(heading);
  if (ofClass !== null)
    one.dimensions = `{"us-gaap:StatementClassOfStockAxis":"printed:Class${ofClass[1]!.toUpperCase()}"}`;
  const prefix = scope === 'net' ? 'EarningsPer' : 'IncomeLossFromContinuingOperationsPer';
  const name = { basic: 'BasicShare', diluted: 'DilutedShare', both: 'BasicAndDilutedShare' }[kind]!;
  return scope === 'net' ? `EarningsPerShare${name.replace('Share', '')}` : `${prefix}${name}`;
}

/** Lines that are sums of two or more right above them; what is summed once counts as its total. */
function findSums(list: readonly Named[]): void {
  let open: number[] = [];
  for (const [place, one] of list.entries()) {
    const { facts } = one.line;
    let sums = facts.map(() => 0n);
    if (facts.some((fact) => amountOf(fact) !== 0n))
      for (let k = open.length - 1; k >= 0; k--) {
        const part = list[open[k]!]!.line;
        sums = sums.map((sum, n) => sum + (amountIn(part, facts[n]!.period) ?? 0n));
        if (open.length - k < 2 || !facts.every((fact, n) => amountOf(fact) === sums[n])) continue;
        const first = list[open[k]!]!;
        one.sums = first.sums ?? open[k]!;
        open = open.slice(0, k);
        break;
      }
    open.push(place);
  }
}

const amountIn = ({ facts }: Line, period: string): bigint | undefined => {
  const fact = facts.find((each) => each.period === period);
  return fact && amountOf(fact);
};

const has = (list: readonly Named[], concept: string) => list.some((one) => one.concept === concept);
const isBare = ({ words }: Named) => words === '' || /^totals?$/.test(words);

function settleIncome(list: readonly Named[]): void {
  const money = list.filter(({ unit }) => unit === 'money');
  const isBank =
    has(list, 'InterestIncomeExpenseNet') ||
    has(list, 'InterestAndDividendIncomeOperating') ||
    has(list, 'InterestIncomeExpenseAfterProvisionForLoanLoss');
  const last = money.findIndex(({ concept }) =>
    /^(NetIncomeLoss|IncomeTax|IncomeLossFrom.*BeforeIncomeTaxes)/.test(concept),
  );
  for (const [place, one] of money.entries()) {
    if (isBare(one) && one.sums !== null) {
      const title = one.heading;
      const isOfSales =
        /^(net |operating )*(revenues?|sales)/.test(title) || money[one.sums]!.concept.startsWith('Revenues/');
      if (isOfSales && !has(money, 'Revenues')) one.concept = 'Revenues';
      else if (/\btax/.test(title) && has(money.slice(one.sums, place), 'DeferredIncomeTaxExpenseBenefit'))
        one.concept = 'IncomeTaxExpenseBenefit';
      else if (/^interest expense/.test(title)) one.concept = 'InterestExpense';
      else if (/^costs? and expenses/.test(title)) one.concept = 'CostsAndExpenses';
    }
    if (!isBank && one.concept === 'NoninterestIncome') one.concept = 'NonoperatingIncomeExpense';
    if (!isBank && one.concept === 'NoninterestExpense') one.concept = '';
    if (isBank && one.concept === 'InterestIncomeExpenseNonoperatingNet') one.concept = '';
  }
  // A broker's revenues after interest
  const net = money.findIndex(({ words }) => /^(total )?net revenues?$/.test(words));
  const [all, interest] = [money[net - 2], money[net - 1]];
  const isLeft = (fact: Fact) => {
    const paid = amountIn(interest!.line, fact.period) ?? 0n;
    return amountIn(all!.line, fact.period) === amountOf(fact) + (paid < 0n ? -paid : paid);
  };
  if (all?.concept === 'Revenues' && interest!.concept === 'InterestExpense' && money[net]!.line.facts.every(isLeft))
    money[net]!.concept = 'RevenuesNetOfInterestExpense';
  const ranks = ['Revenues', 'Revenues/net', 'Revenues/plain'];
  const rank = ranks.find((name) => has(money.slice(0, last < 0 ? undefined : last), name));
  for (const [place, one] of money.entries())
    if (ranks.includes(one.concept))
      one.concept =
        one.concept === rank && (last < 0 || place < last) && !(isBank && rank !== 'Revenues') ? 'Revenues' : '';
  // A cost that no words name is a part of the whole.
  const isCost = ({ concept, words }: Named) => /^CostOf/.test(concept) && !words.startsWith('total');
  if (money.some(({ concept, words }) => concept === '' && /^costs? of (?!borrow|removal|capital)/.test(words)))
    for (const one of money) if (isCost(one)) one.concept = '';
  // Below earnings per share costs and sales are parts of other tables: what was paid in shares, what comprehensive income adds.
  const shares = list.findIndex(({ unit }) => unit !== 'money');
  for (const [place, one] of list.entries())
    if (shares >= 0 && place > shares && has(list.slice(0, shares), one.concept)) one.concept = '';
  if (isTaxTurned(money)) for (const one of money) if (TAXES.test(one.concept)) one.isTurned = true;
  // With a line for the parent the plain net income is that of all.
  const isOfParent = ({ words, concept }: Named) => concept === 'NetIncomeLoss' && /\bto\b/.test(words);
  const share = money.findLastIndex(({ concept }) => concept === 'NetIncomeLossAttributableToNoncontrollingInterest');
  const isSplit = money.some(isOfParent);
  for (const [place, one] of money.entries())
    if (one.concept === 'NetIncomeLoss' && !isOfParent(one) && (isSplit || place < share)) one.concept = 'ProfitLoss';
}

const TAXES = /^(Current|Deferred)?IncomeTaxExpenseBenefit$/;

/** Lines below a tax in which what it leaves may stand. */
const BELOW_TAX = 6;

/** Whether a tax is printed as what it adds: income and tax make the income after it, income less tax does not. */
function isTaxTurned(money: readonly Named[]): boolean {
  const place = money.findLastIndex(({ concept }) => concept === 'IncomeTaxExpenseBenefit');
  const before = money.slice(0, Math.max(0, place)).findLast(({ concept }) => /BeforeIncomeTaxes/.test(concept));
  if (before === undefined) return false;
  const below = money.slice(place + 1, place + 1 + BELOW_TAX);
  const leaves = (sign: bigint) =>
    below.some(({ line }, k) =>
      line.facts.every((fact) => {
        const [income, tax] = [before, money[place]!].map((one) => amountIn(one.line, fact.period));
        if (income === undefined || tax === undefined) return false;
        const between = below.slice(0, k).flatMap((one) => amountIn(one.line, fact.period) ?? []);
        return isSumOfSome(amountOf(fact) - income - sign * tax, between, 4n * halfDigit(fact));
      }),
    );
  return !leaves(-1n) && leaves(1n);
}

/** Whether some of the amounts, each with either sign, are what is left. */
export function isSumOfSome(left: bigint, amounts: readonly bigint[], slack: bigint): boolean {
  let sums = new Set([0n]);
  for (const amount of amounts.slice(0, 7))
    sums = new Set([...sums].flatMap((sum) => [sum, sum + amount, sum - amount]));
  return [...sums].some((sum) => (left > sum ? left - sum : sum - left) <= slack);
}

function settleBalance(list: readonly Named[]): void {
  const money = list.filter(({ unit }) => unit === 'money');
  const totals = ['AssetsCurrent', 'Assets', 'LiabilitiesCurrent', 'Liabilities', 'LiabilitiesAndStockholdersEquity'];
  const same = (a: Named, b: Named) =>
    a.line.facts.length === b.line.facts.length &&
    a.line.facts.every((fact) => amountOf(fact) !== 0n && amountIn(b.line, fact.period) === amountOf(fact));
  const seen = (pattern: RegExp, place: number) => money.findIndex((one, k) => k <= place && pattern.test(one.heading));
  for (const [place, one] of money.entries()) {
    if (!isBare(one) || one.sums === null) continue;
    const current = seen(/\bcurrent assets/, place);
    const debts = seen(/\bcurrent liabilities/, place);
    const equity = seen(
      /^(?!.*liabilit).*\b(\w+holders|members|partners|owners) (equity|investment|deficit|capital)/,
      place,
    );
    if (/^inventor(y|ies)/.test(one.heading)) one.concept = 'InventoryNet';
    else if (equity >= 0 && one.sums >= equity) one.concept = 'StockholdersEquity';
    else if (debts >= 0 && one.sums === debts && !has(money, 'LiabilitiesCurrent')) one.concept = 'LiabilitiesCurrent';
    else if (current >= 0 && debts < 0 && one.sums === current && !has(money, 'AssetsCurrent'))
      one.concept = 'AssetsCurrent';
  }
  // Both sides of the sheet: the last line, and the first with its amounts.
  const end = money.findLast((one) => one.sums !== null || totals.includes(one.concept));
  if (end !== undefined && isBare(end) && !has(money, 'LiabilitiesAndStockholdersEquity')) {
    const first = money.find((one) => one !== end && same(one, end));
    if (first !== undefined && (isBare(first) || first.concept === 'Assets' || /^assets$/.test(first.words))) {
      first.concept = 'Assets';
      end.concept = 'LiabilitiesAndStockholdersEquity';
    }
  }
  const other = money.find(({ concept }) => concept === 'LiabilitiesAndStockholdersEquity');
  if (other !== undefined && !has(money, 'Assets')) {
    const first = money.find((one) => one !== other && same(one, other));
    if (first !== undefined && isBare(first)) first.concept = 'Assets';
  }
  // Members' capital is a part of their equity, unless it stands alone.
  for (const [place, one] of money.entries())
    if (one.concept === 'StockholdersEquity' && one.sums === null && !/^(total|net)/.test(one.words) && !isBare(one))
      if (!/^(Liabilities|Minority|Assets)/.test(money[place + 1]?.concept ?? 'Liabilities')) one.concept = '';
  // A total with noncontrolling interests in it is that of all.
  const share = money.findLastIndex(({ concept }) => concept === 'MinorityInterest');
  const capital = money.findIndex(({ words }) =>
    /^(common|preferred|capital) (stock|shares)|paid-in|^retained/.test(words),
  );
  const isWithin = share >= 0 && capital >= 0 && share > capital;
  const parents = money.flatMap((one, place) => (one.concept === 'StockholdersEquity' ? [place] : []));
  const whole = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
  if (isWithin && parents.at(-1)! > share) money[parents.at(-1)!]!.concept = whole;
  // The last sum of equity is that of the company as a whole, if both it and the parent's are printed.
  const isParent = has(money, 'StockholdersEquity');
  for (const one of money)
    if (one.concept === 'StockholdersEquity/total') one.concept = isParent || isWithin ? whole : 'StockholdersEquity';
  // Property before depreciation, then what is taken off it, then the rest.
  for (const [place, one] of money.entries()) {
    if (one.concept !== 'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment') continue;
    const [before, after] = [money[place - 1], money[place + 1]];
    if (before?.concept === 'PropertyPlantAndEquipmentNet') before.concept = 'PropertyPlantAndEquipmentGross';
    if (after === undefined || before === undefined || !(isBare(after) || after.concept === '')) continue;
    const isLess = after.line.facts.every((fact) => {
      const [gross, less] = [before, one].map(({ line }) => amountIn(line, fact.period));
      return gross !== undefined && less !== undefined && gross - (less < 0n ? -less : less) === amountOf(fact);
    });
    if (!isLess) continue;
    const whole = money
      .slice(place + 2, place + 5)
      .find((other) => isBare(other) && other.sums !== null && other.sums <= place + 1);
    (whole ?? after).concept = 'PropertyPlantAndEquipmentNet';
  }
}

/** Of lines with one name the one that is called a total. */
function totalsOnly(list: readonly Named[]): void {
  for (const [concept, same] of Map.groupBy(list, (one) => one.concept)) {
    const totals = same.filter(({ words }) => words.startsWith('total'));
    if (concept === '' || totals.length === 0 || totals.length === same.length) continue;
    for (const one of same) if (!totals.includes(one)) one.concept = '';
  }
}

/** Costs, which statements print as positive or in brackets. */
const COSTS =
  /^(CostOf|ResearchAnd|Selling|GeneralAnd|InterestExpense$|InterestExpenseRelated|DepreciationAnd|OperatingExpenses|CostsAnd|NoninterestExpense|Provision)/;
const RESULTS =
  /^(OperatingIncomeLoss|IncomeLossFrom|NetIncomeLoss|ProfitLoss|EarningsPer|RetainedEarnings|StockholdersEquity)/;

/** Facts with the sign that they mean: costs are positive; what words call a loss, a deficit or a use of cash is negative. */
function turned(statement: StatementName, concept: string, { facts, label }: Line, words: string): readonly Fact[] {
  const isNegative = facts.every(({ value }) => value.startsWith('-') || !/[1-9]/.test(value));
  const isPositive = facts.every(({ value }) => !value.startsWith('-'));
  const raw = label().toLowerCase();
  const isLoss =
    RESULTS.test(concept) &&
    /\b(loss(es)?|deficit|deficiency)\b/.test(words) &&
    !/income\b(?! tax)|earnings|profit|equity/.test(raw);
  const isUse = /^NetCashProvided/.test(concept) && /\bused\b/.test(raw) && !/provided|from|generated|\(used/.test(raw);
  if (statement === 'income' && COSTS.test(concept) ? !isNegative : !(isPositive && (isLoss || isUse))) return facts;
  return facts.map(otherSign);
}

const otherSign = (fact: Fact): Fact => ({ ...fact, value: negated(fact.value), amount: null });

const negated = (value: string) => (value.startsWith('-') ? value.slice(1) : /[1-9]/.test(value) ? `-${value}` : value);
