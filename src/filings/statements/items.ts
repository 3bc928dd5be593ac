/** Finds the items of a filing's statements by the rules: which line of a face an item is, or of which lines it is the sum. */
import type { Row } from '../forms/index.ts';
import { type Amount, type Found, givenIn, magnitude, nearest, roundingOf, roundingOfAll, sumOf } from './amounts.ts';
import { type Faces, type Line, membersOf, STATEMENTS, type StatementName } from './faces.ts';
import { amountOf, type Fact, halfDigit, REGISTRANTS } from './facts.ts';
import { withScale, withSigns } from './forgotten.ts';
import type { Equation, ItemRules, Rules, Section, TreePlace, Unit, Way } from './rules.ts';

type LinesOf = Record<Unit, { [section in Section | 'all']?: Lines }>;
const noLines = (): LinesOf => ({ money: {}, per_share: {}, shares: {} });

const UNITS: Readonly<Record<Unit, RegExp>> = {
  money: /^[A-Z]{3}$/,
  per_share: /^[A-Z]{3}\/\w*(share|unit)s?\w*$/i,
  shares: /^\w*(share|unit)s?\w*$/i,
};

export class Items {
  readonly #faces: Faces;
  readonly #rules: Rules;
  readonly #arcs: readonly Row[];
  readonly #outstanding: bigint | null;
  readonly #found = new Map<string, Found | null>();
  /** Items whose ways are being tried. */
  readonly #open = new Set<string>();
  #isCircular = false;
  /** Lines of the company as a whole. */
  readonly #wholes = { income: noLines(), balance: noLines(), cash_flow: noLines() };
  readonly #sections = new Map<StatementName, ReadonlyMap<Line, Section>>();
  /** Found ones with the signs and scales that their filer forgot. */
  readonly #mended = new Map<string, Found | null>();
  /** Concepts with an amount on any face. */
  readonly #present: ReadonlySet<string>;
  readonly #industries: ReadonlySet<string>;
  /** Most lines have concepts of IFRS. */
  readonly isIfrs: boolean;
  /** Periods of the columns of each statement. */
  readonly #columns: ReadonlyMap<StatementName, readonly string[]>;

  /** @param arcs rows of xbrl_calculation, for rules by the tree @param outstanding shares by the cover, if said */
  constructor(faces: Faces, rules: Rules, arcs: readonly Row[], outstanding: bigint | null) {
    this.#outstanding = outstanding;
    this.#faces = faces;
    this.#rules = rules;
    this.#arcs = arcs;
    const lines = STATEMENTS.flatMap((name) => faces[name]);
    this.#present = new Set(lines.flatMap(({ concept, facts }) => (facts.some(isNotZero) ? [concept] : [])));
    const share = (taxonomy: string) => lines.filter(({ concept }) => concept.startsWith(taxonomy)).length;
    this.isIfrs = share('ifrs-full:') > share('us-gaap:');
    this.#columns = new Map(STATEMENTS.map((name) => [name, columnsOf(faces[name])]));
    this.#industries = new Set(
      [...rules.industries].flatMap(([name, concepts]) =>
        concepts.some((concept) => this.#present.has(concept)) ? [name] : [],
      ),
    );
  }

  /** Whether a company with these statements has the item: some are those of banks or insurers. */
  isOfCompany({ industry }: ItemRules): boolean {
    return industry === null || this.#industries.has(industry);
  }

  /** @returns null if no way finds it */
  find(name: string): Found | null {
    const { signs, perShare } = this.#rules.items.get(name)!;
    if (signs === null && perShare === null) return this.#asFiled(name);
    let mended = this.#mended.get(name);
    if (mended === undefined) {
      mended = this.#mend(this.#asFiled(name), name);
      if (this.#open.size === 0) this.#mended.set(name, mended);
    }
    return mended;
  }

  #mend(found: Found | null, name: string): Found | null {
    const { signs, perShare } = this.#rules.items.get(name)!;
    if (found === null) return null;
    if (perShare !== null) {
      const incomes = ['net_income_to_common', 'net_income'].map((item) => this.find(item));
      return withScale(found, this.find(perShare), incomes, this.#outstanding);
    }
    const check = this.#rules.checks.find((each) => each.name === signs);
    return check === undefined ? found : withSigns(name, found, check, (item) => this.#asFiled(item));
  }

  #asFiled(name: string): Found | null {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    if (this.#open.has(name)) {
      this.#isCircular = true;
      return null;
    }
    const wasCircular = this.#isCircular;
    this.#isCircular = false;
    this.#open.add(name);
    const item = this.#rules.items.get(name)!;
    let found: Found | null = null;
    for (const way of this.isOfCompany(item) ? (this.isIfrs ? item.ifrs : item.ways) : []) {
      const one = this.#try(item, way);
      if (one === null || one.amounts.size === 0 || !this.#isSound(item, way, one)) continue;
      found ??= one;
      // A line of one column may be a part of another line. If nothing better is found, it is the item.
      if (!this.#covers(item, one)) continue;
      found = one;
      break;
    }
    this.#open.delete(name);
    // Nothing found within a circle of equations may be found from outside of it.
    if (found !== null || !this.#isCircular || this.#open.size === 0) this.#found.set(name, found);
    this.#isCircular = this.#open.size > 0 && (wasCircular || (this.#isCircular && found === null));
    return found;
  }

  /** Whether a value has at least half of the columns of its statement. */
  #covers({ statement }: ItemRules, { amounts }: Found): boolean {
    const columns = this.#columns.get(statement as StatementName)!;
    let count = 0;
    for (const key of columns) if (amounts.has(key)) count++;
    return count * 2 >= columns.length;
  }

  /** Whether the equations of a way hold, in the periods for which their items are printed. */
  #isSound({ name }: ItemRules, { agrees, shown = false, not }: Way, found: Found): boolean {
    if (agrees !== undefined && !(this.#holds(name, agrees, found) ?? !shown)) return false;
    return not === undefined || this.#holds(name, not, found) !== true;
  }

  /** @returns null if no period has all its items */
  #holds(name: string, { left, right }: Equation, found: Found): boolean | null {
    const of = (item: string) => (item === name ? found : this.find(item));
    const side = of(left);
    if (left !== name && side?.method !== 'reported') return null;
    const terms = right.map((term) => ({ ...term, found: of(term.item) }));
    let isShown = false;
    for (const [key, amount] of side!.amounts) {
      const given = givenIn(key, terms);
      if (given === null) continue;
      const more = given.flatMap((one) => (one.isOptional ? [sumOf([one])] : []));
      const value = nearest(amount.amount, sumOf(given.filter(({ isOptional }) => !isOptional)), more);
      if (magnitude(amount.amount - value) > roundingOf(amount) + roundingOfAll(given)) return false;
      isShown = true;
    }
    return isShown ? true : null;
  }

  #try(item: ItemRules, way: Way): Found | null {
    const { industry, unless, stated, when } = way;
    if (industry !== undefined && !this.#industries.has(industry)) return null;
    if (unless?.some((concept) => this.#present.has(concept))) return null;
    if (stated !== undefined && this.find(stated)?.method !== 'reported') return null;
    if (when === 'equity_is_total' && !this.#equityIsTotal()) return null;
    if (way.same !== undefined) return this.#same(way);
    if (way.solve !== undefined) return this.#isPart(item, way) ? null : this.#solve(item, way);
    const lines = this.#linesFor(item, way);
    if (lines === null || (lines.length === 1 && !hasWords(lines[0]!, way))) return null;
    if (way.next !== undefined && !this.#isNext(lines[0]!, way.next, item)) return null;
    if (way.total !== undefined && isSumOf(lines[0]!, this.#whole(item).list, -1) !== way.total) return null;
    const amounts = sum(lines, way.sign ?? 1, item.outflow);
    return { method: lines.length === 1 ? 'reported' : 'summed', rule: way.name, amounts };
  }

  /** Lines whose sum the item is. */
  #linesFor(item: ItemRules, way: Way): readonly Line[] | null {
    const whole = this.#whole(item, way.section);
    if (way.first !== undefined) {
      const beside = way.above ?? way.below;
      const place = beside === undefined ? null : this.#orderOf(beside, item);
      if (beside !== undefined && place === null) return null;
      const line =
        place === null
          ? way.joined === true
            ? joined(whole.among(way.first))
            : whole.first(way.first)
          : way.above !== undefined
            ? whole.list.findLast(({ concept, order }) => order < place && way.first!.includes(concept))
            : whole.list.find(({ concept, order }) => order > place && way.first!.includes(concept));
      return one(line ?? this.#equalMembers(item, way.first));
    }
    if (way.largest !== undefined) return one(largestOf(whole.among(way.largest)));
    if (way.also !== undefined) return this.#kinds(item, way);
    if (way.family !== undefined) return this.#family(item, way, whole);
    if (way.plus !== undefined) {
      const parts = plusOf(whole, way.plus);
      return parts !== null && way.label?.test(parts[0]!.label()) === false ? null : parts;
    }
    if (way.members !== undefined) return this.#members(item, way.members, way.covering);
    if (way.before !== undefined) return one(this.#besides(item, way.before)?.above);
    if (way.after !== undefined) return one(this.#besides(item, way.after)?.below);
    if (way.tree !== undefined) return one(this.#inTree(whole.own, way.tree));
    if (way.between !== undefined) {
      const [first, last] = way.between.map((name) => this.#orderOf(name, item));
      return one(only(whole.own.filter(({ order }) => order > (first ?? Infinity) && order < (last ?? -1))));
    }
    if (way.heading !== undefined) {
      const first = whole.list.findIndex((line) => way.heading!.test(line.heading()));
      const last = whole.list.findIndex(({ concept }, k) => k >= first && way.last!.includes(concept));
      return first < 0 || last < 0 ? null : whole.list.slice(first, last + 1);
    }
    if (way.words !== undefined) return one(only(whole.own.filter((line) => way.words!.test(line.label()))));
    return null;
  }

  /** A gross profit is what the costs of revenue leave: with it, their place does not matter. */
  #isNext(line: Line, name: string, item: ItemRules): boolean {
    if (this.find('gross_profit')?.method === 'reported') return true;
    const order = this.#orderOf(name, item);
    return order !== null && this.#whole(item).list.find((each) => each.order > order) === line;
  }

  /** Lines of the company as a whole, in the unit of the item. */
  #whole({ statement, unit }: ItemRules, section?: Section): Lines {
    const ofStatement = this.#wholes[statement as StatementName][unit];
    const key = section ?? 'all';
    let lines = ofStatement[key];
    if (lines === undefined) {
      const sections = section && this.#sectionsOf(statement as StatementName);
      lines = new Lines(
        this.#faces[statement as StatementName].filter(
          (line) =>
            line.dimensions === '{}' &&
            UNITS[unit].test(line.facts[0]!.unit) &&
            (sections === undefined || sections.get(line) === section),
        ),
        this.#rules.mapped,
      );
      ofStatement[key] = lines;
    }
    return lines;
  }

  /** Parts of a statement, by the totals that end them. */
  #sectionsOf(statement: StatementName): ReadonlyMap<Line, Section> {
    let sections = this.#sections.get(statement);
    if (sections === undefined) {
      sections = statement === 'cash_flow' ? flowSections(this.#faces.cash_flow) : sheetSections(this.#faces.balance);
      this.#sections.set(statement, sections);
    }
    return sections;
  }

  #orderOf(name: string, { statement }: ItemRules): number | null {
    const found = this.find(name);
    if (found === null) return null;
    const facts = new Set([...found.amounts.values()].flatMap(({ sources }) => sources.map(({ fact }) => fact)));
    return (
      this.#faces[statement as StatementName].find((line) => line.facts.some((fact) => facts.has(fact)))?.order ?? null
    );
  }

  /** One line for each class of shares, all with the same amounts. */
  #equalMembers(item: ItemRules, concepts: readonly string[]): Line | undefined {
    if (item.unit !== 'per_share') return undefined;
    const classes = this.#faces[item.statement as StatementName].filter(
      ({ concept, dimensions }) =>
        concepts.includes(concept) && /^\{"us-gaap:StatementClassOfStockAxis":"[^"]*"\}$/.test(dimensions),
    );
    const [first] = classes;
    return first !== undefined && classes.every((line) => equalAmounts(line, first)) ? first : undefined;
  }

  /** One line, the total of several, or all of them: none, if a kind that no rule knows may be among them. */
  #family({ statement }: ItemRules, { family, except, like, alone }: Way, whole: Lines): readonly Line[] | null {
    const among = whole.among(family!);
    const own = except === undefined ? among : among.filter((line) => !except.test(line.label()));
    const [first] = own;
    if (first === undefined) return null;
    const total = totalOf(own);
    if (total !== undefined) return [total];
    if (like !== undefined && whole.list.some(({ concept }) => like.test(concept) && !family!.includes(concept)))
      return null;
    const last = own.at(-1)!;
    const lines = this.#faces[statement as StatementName];
    if (own.length > 1 && isSumOf(last, lines, first.order)) return [last];
    const margin = own.length === 1 && alone !== undefined ? 1 : 0;
    const beside = lines.filter(
      ({ order }) => order >= first.order - margin && order <= last.order + (own.length === 1 ? margin : 1),
    );
    if (beside.every(({ concept }) => STANDARD.test(concept)) || alone?.test(first.label())) return own;
    return own.length === 1 && alone === undefined ? own : null;
  }

  /**
   * Lines of a family, and those with its words under a concept that no rule knows. Lines of single loans or securities count if none of the
   * company as a whole has their concept.
   */
  #kinds({ statement, unit, outflow }: ItemRules, { family, also, like, section }: Way): readonly Line[] | null {
    const lines = this.#faces[statement as StatementName];
    const sections = this.#sectionsOf(statement as StatementName);
    const whole = new Set(lines.flatMap(({ concept, dimensions }) => (dimensions === '{}' ? [concept] : [])));
    const own = lines.filter(
      (line) =>
        (section === undefined || sections.get(line) === section) &&
        UNITS[unit].test(line.facts[0]!.unit) &&
        (line.dimensions === '{}' || !(whole.has(line.concept) || line.dimensions.includes(REGISTRANTS))) &&
        (family!.includes(line.concept) || (!this.#rules.mapped.has(line.concept) && also!.test(line.label()))),
    );
    const isOther = (line: Line) => sections.get(line) === section && line.dimensions === '{}' && !own.includes(line);
    if (like !== undefined && lines.some((line) => isOther(line) && like.test(line.concept))) return null;
    // Nobody knows which sign such a concept has: that of the others, or of what is received.
    const isNegative = (line: Line) => line.facts.some(({ value }) => value.startsWith('-'));
    const isUnknown = own.some(({ concept }) => !this.#rules.mapped.has(concept));
    if (
      isUnknown &&
      own.some(isNegative) &&
      !(outflow && own.every((line) => isNegative(line) || !line.facts.some(isNotZero)))
    )
      return null;
    const total = own.length > 2 ? totalOf(own) : undefined;
    return own.length === 0 ? null : total === undefined ? own : [total];
  }

  #members(item: ItemRules, concepts: readonly string[], covering?: readonly string[]): readonly Line[] | null {
    const lines = this.#faces[item.statement as StatementName].filter(({ facts }) =>
      UNITS[item.unit].test(facts[0]!.unit),
    );
    for (const concept of concepts) {
      const parts = lines.filter((line) => line.concept === concept && line.dimensions !== '{}');
      // Companies that report together are not parts of the first one.
      if (parts.some(({ dimensions }) => dimensions.includes(REGISTRANTS))) continue;
      if (parts.length < 2 || new Set(parts.map(axesOf)).size !== 1) continue;
      const others = lines.filter(
        (line) => covering?.includes(line.concept) && line.dimensions !== '{}' && axesOf(line) === axesOf(parts[0]!),
      );
      const members = new Set(parts.map(({ dimensions }) => dimensions));
      if (members.size === parts.length && others.every(({ dimensions }) => members.has(dimensions))) return parts;
    }
    return null;
  }

  /** The one line of the company's own concept at a place of the calculation. */
  #inTree(own: readonly Line[], place: TreePlace): Line | null {
    const of = (list: readonly string[] | undefined, concept: unknown) =>
      list === undefined || list.includes(concept as string);
    const arcs = this.#arcs;
    if (arcs.length === 0) return null;
    return only(
      own.filter(({ concept }) => {
        if (place.child !== undefined) {
          const children = arcs.filter((arc) => arc.parent === concept).map((arc) => arc.concept);
          const below =
            place.below === undefined || arcs.some((arc) => arc.concept === concept && of(place.below, arc.parent));
          return (
            below &&
            children.some((child) => of(place.child, child)) &&
            (place.sibling === undefined || children.some((child) => of(place.sibling, child)))
          );
        }
        if (place.sum && arcs.some(({ parent, weight }) => parent === concept && Number(weight) < 0)) return false;
        return arcs.some((arc) => {
          if (arc.concept !== concept || !of(place.parent, arc.parent)) return false;
          const siblings = arcs.filter(
            ({ role, parent, concept: other }) => role === arc.role && parent === arc.parent && other !== concept,
          );
          if (Math.sign(Number(arc.weight)) !== place.weight) return false;
          if (place.sibling !== undefined) return siblings.some((other) => of(place.sibling, other.concept));
          return !siblings.some((other) => Math.sign(Number(other.weight)) === place.weight);
        });
      }),
    );
  }

  /** The lines around an item's: the one above less the item is the one below, in each of their periods. */
  #besides(item: ItemRules, name: string): { above: Line; below: Line } | null {
    const order = this.#orderOf(name, item);
    const lines = this.#whole(item).list;
    const line = lines.find((each) => each.order === order);
    const above = lines.findLast((each) => line !== undefined && each.order < line.order);
    if (line === undefined || above === undefined) return null;
    const amounts = this.find(name)!.amounts;
    const below = lines
      .filter((each) => each.order > line.order && each.order <= line.order + 5)
      .find(({ facts }) =>
        facts.every((fact) => {
          const first = amountIn(above, fact.period);
          return first !== undefined && first - (amounts.get(fact.period)?.amount ?? 0n) === amountOf(fact);
        }),
      );
    return below === undefined ? null : { above, below };
  }

  #same(way: Way): Found | null {
    const found = this.find(way.same!);
    if (found === null) return null;
    if (way.label !== undefined) {
      const facts = new Set([...found.amounts.values()].flatMap(({ sources }) => sources.map(({ fact }) => fact)));
      const lines = STATEMENTS.flatMap((name) => this.#faces[name]).filter((line) =>
        line.facts.some((fact) => facts.has(fact)),
      );
      if (!lines.some((line) => way.label!.test(line.label()))) return null;
    }
    return { ...found, rule: way.name };
  }

  #solve(item: ItemRules, way: Way): Found | null {
    const terms = way.solve!.map((term) => ({ ...term, found: this.find(term.item) }));
    const amounts = new Map<string, Amount>();
    for (const [key, { start, end }] of terms[0]!.found?.amounts ?? []) {
      const given = givenIn(key, terms);
      if (given === null) continue;
      const sources = given.flatMap(({ weight, part }) =>
        part.sources.map((source) => ({ ...source, weight: source.weight * weight })),
      );
      // What is taken from itself: one line stands for both items.
      if (new Set(sources.map(({ fact }) => fact)).size === sources.length)
        amounts.set(key, { start, end, amount: sumOf(given), sources });
    }
    const printed = this.#whole(item).own.filter(
      (line) =>
        line.facts.length > 0 &&
        line.facts.every((fact) => amounts.get(fact.period)?.amount === amountOf(fact) && isNotZero(fact)),
    );
    if (printed.length > 0) return { method: 'reported', rule: way.name, amounts: sum([printed[0]!], 1, item.outflow) };
    return way.derive === true ? { method: 'solved', rule: way.name, amounts } : null;
  }

  /** Whether the first item of an equation has the line of another one in it. */
  #isPart(item: ItemRules, { apart, solve }: Way): boolean {
    const [order, whole] = [apart, solve![0]!.item].map((name) =>
      name === undefined ? null : this.#orderOf(name, item),
    );
    return order != null && whole != null && order < whole;
  }

  /** Some tag total equity as the parent's: both sides of the sheet show it. */
  #equityIsTotal(): boolean {
    const whole = this.#whole(this.#rules.items.get('total_assets')!);
    const concepts = 'StockholdersEquity MinorityInterest LiabilitiesAndStockholdersEquity Liabilities'.split(' ');
    const [equity, minority, all, owed] = concepts.map((name) => whole.first([`us-gaap:${name}`]));
    const total = whole.first(['us-gaap:StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest']);
    if (equity === undefined || total !== undefined) return false;
    return equity.facts.every((own) => {
      const [share, both, debts] = [minority, all, owed].map((line) => line && amountIn(line, own.period));
      return share && both !== undefined && debts !== undefined && both - debts === amountOf(own);
    });
  }
}

const NET_CASH = /:(?:NetCashProvidedBy|CashFlowsFrom)UsedIn(Operating|Investing|Financing)Activities/;
/** Concepts of a standard taxonomy. */
const STANDARD = /^(?:us-gaap|ifrs-full):/;

const isNotZero = ({ value }: Fact): boolean => /[1-9]/.test(value);
const one = (line: Line | null | undefined): readonly Line[] | null => (line ? [line] : null);
/** Undefined: it has none there. */
const amountIn = ({ facts }: Line, period: string): bigint | undefined => {
  const fact = facts.find((each) => each.period === period);
  return fact && amountOf(fact);
};
const only = (lines: readonly Line[]): Line | null => (lines.length === 1 ? lines[0]! : null);
const axesOf = ({ dimensions }: Line): string =>
  membersOf(dimensions)
    .filter((_, k) => k % 2 === 0)
    .join(' ');

/** Without a page a line has no words: they can't speak against it, only for it. */
function hasWords(line: Line, { label, except, family }: Way): boolean {
  if (label === undefined) return except === undefined || !except.test(line.label());
  const words = line.label();
  return words === '' ? family !== undefined : label.test(words);
}

/** Periods with at least half as many numbers as the fullest one. */
function columnsOf(lines: readonly Line[]): string[] {
  const counts = new Map<string, number>();
  for (const { facts } of lines) for (const { period } of facts) counts.set(period, (counts.get(period) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].filter(([, count]) => count * 2 >= most).map(([key]) => key);
}

/** Part of a cash flow statement that a line stands in: that of the next total. */
function flowSections(lines: readonly Line[]): ReadonlyMap<Line, Section> {
  const sections = new Map<Line, Section>();
  let section: Section | null = null;
  for (const line of lines.toReversed()) {
    if (section !== null) sections.set(line, section);
    const total = NET_CASH.exec(line.concept);
    if (total !== null) section = total[1]!.toLowerCase() as Section;
  }
  return sections;
}

/** Current and other assets, current and other liabilities. Without totals of the current ones all assets are noncurrent. */
function sheetSections(lines: readonly Line[]): ReadonlyMap<Line, Section> {
  const lastOf = (name: string) => lines.findLast(({ concept }) => concept === `us-gaap:${name}`)?.order ?? -1;
  const firstOf = (name: string) => lines.find(({ concept }) => concept === `us-gaap:${name}`)?.order ?? Infinity;
  const [assets, current, owed] = ['Assets', 'AssetsCurrent', 'LiabilitiesCurrent'].map(lastOf) as [
    number,
    number,
    number,
  ];
  const liabilities = firstOf('LiabilitiesCurrent');
  const sectionOf = ({ order }: Line): Section | null => {
    if (order < assets) return order < current ? 'current' : 'noncurrent';
    return order < owed ? 'current' : order > liabilities ? 'noncurrent' : null;
  };
  return new Map(lines.flatMap((line) => [[line, sectionOf(line)] as const]).filter(hasSection));
}

const hasSection = (pair: readonly [Line, Section | null]): pair is readonly [Line, Section] => pair[1] !== null;

/** Lines, by concept. */
class Lines {
  readonly list: readonly Line[];
  readonly #mapped: ReadonlySet<string>;
  #own: readonly Line[] | null = null;
  readonly #byConcept = new Map<string, Line[]>();

  constructor(list: readonly Line[], mapped: ReadonlySet<string>) {
    this.list = list;
    this.#mapped = mapped;
    for (const line of list) {
      const same = this.#byConcept.get(line.concept);
      if (same === undefined) this.#byConcept.set(line.concept, [line]);
      else same.push(line);
    }
  }

  /** Lines of concepts that no rule knows: the company's own, or those that no list has. */
  get own(): readonly Line[] {
    this.#own ??= this.list.filter(({ concept }) => !this.#mapped.has(concept));
    return this.#own;
  }

  /** The first line of the first concept in the list that has one. */
  first(concepts: readonly string[]): Line | undefined {
    for (const concept of concepts) {
      const lines = this.#byConcept.get(concept);
      if (lines !== undefined) return lines.length === 1 ? lines[0] : agreed(lines);
    }
    return undefined;
  }

  /** Those of any of the concepts, in their order. */
  among(concepts: readonly string[]): Line[] {
    const found: Line[] = [];
    for (const concept of concepts) {
      const lines = this.#byConcept.get(concept);
      if (lines !== undefined) found.push(...lines);
    }
    return found.length < 2 ? found : found.sort((a, b) => a.order - b.order);
  }
}

/** The first of several lines of one concept. Nobody can tell what a period is for which another one has another number. */
function agreed([first, ...others]: readonly Line[]): Line | undefined {
  const isDoubtful = (fact: Fact) =>
    others.some(({ facts }) => {
      const other = facts.find(({ period }) => period === fact.period);
      return other && magnitude(amountOf(other) - amountOf(fact)) > halfDigit(fact) + halfDigit(other);
    });
  const facts = first!.facts.filter((fact) => !isDoubtful(fact));
  return facts.length === first!.facts.length ? first : facts.length === 0 ? undefined : { ...first!, facts };
}

/** Lines of the first one's concept as one line: the beginning and the end of cash flows. */
function joined([first, ...others]: readonly Line[]): Line | undefined {
  if (first === undefined) return undefined;
  const same = [first, ...others].filter(({ concept }) => concept === first.concept);
  const facts = new Map(same.flatMap((line) => line.facts.map((fact) => [fact.period, fact] as const)));
  return { ...first, facts: [...facts.values()] };
}

const largestOf = (lines: readonly Line[]): Line | undefined =>
  lines.reduce<Line | undefined>((best, line) => {
    const newest = (best ?? line).facts[0]!;
    return best === undefined || (amountIn(line, newest.period) ?? -Infinity) > amountOf(newest) ? line : best;
  }, undefined);

function plusOf(lines: Lines, parts: NonNullable<Way['plus']>): readonly Line[] | null {
  const found: Line[] = [];
  let isOptional = false;
  for (const part of parts) {
    if (part === '?') {
      isOptional = true;
      continue;
    }
    const line = lines.first(part);
    if (line !== undefined) found.push(line);
    else if (!isOptional) return null;
  }
  return found;
}

const equalAmounts = (a: Line, b: Line): boolean => a.facts.every((own) => amountIn(b, own.period) === amountOf(own));

/** The one of several lines that is the sum of the others. */
const totalOf = (lines: readonly Line[]): Line | undefined =>
  lines.find((line) => isTotal(line, lines.length === 1 ? [] : lines.filter((other) => other !== line)));

/** Lines above a total that are tried, with each of two signs. */
const LINES_OF_A_SUM = 8;

/**
 * Whether a line is the sum of two or more lines right above it, each with either sign, in each of its periods.
 * @param least order of the first line that must be among them; negative: none must
 */
function isSumOf(line: Line, lines: readonly Line[], least: number): boolean {
  const fact = line.facts.find(isNotZero);
  if (fact === undefined) return false;
  const above = lines
    .filter(({ order, dimensions }) => order < line.order && dimensions === '{}')
    .slice(-LINES_OF_A_SUM)
    .reverse();
  /** Whether signs that fit one period fit all: bit k of them is set if line k is taken off. */
  const isInAll = (signs: number, count: number) =>
    line.facts.every((each) => {
      let sum = 0n;
      for (let k = 0; k < count; k++) {
        const amount = amountIn(above[k]!, each.period) ?? 0n;
        sum += (signs >> k) & 1 ? -amount : amount;
      }
      return sum === amountOf(each);
    });
  let sums = [0n];
  for (const [k, each] of above.entries()) {
    const amount = amountIn(each, fact.period) ?? 0n;
    sums = [...sums.map((sum) => sum + amount), ...sums.map((sum) => sum - amount)];
    if (k === 0 || (least >= 0 && each.order > least)) continue;
    for (const [signs, sum] of sums.entries()) if (sum === amountOf(fact) && isInAll(signs, k + 1)) return true;
  }
  return false;
}

/** Whether a line is the sum of others, in each of its periods. */
function isTotal(line: Line, parts: readonly Line[]): boolean {
  return (
    parts.length > 0 &&
    line.facts.every(
      (own) => parts.reduce((sum, part) => sum + (amountIn(part, own.period) ?? 0n), 0n) === amountOf(own),
    )
  );
}

/** Words of a line that states what came in. */
const RECEIVED = /\b(received|receipts?|proceeds)\b/i;

/**
 * A period counts if one of the lines has it; a cell that another line leaves empty is nothing.
 * @param isOutflow payments are positive. Some filers tag them as negative; a line of receipts is negative in truth.
 */
function sum(lines: readonly Line[], sign: number, isOutflow: boolean): Map<string, Amount> {
  const amounts = new Map<string, Amount>();
  for (const { facts } of lines)
    for (const first of facts) {
      const { start, end, period } = first;
      if (amounts.has(period)) continue;
      const own =
        lines.length === 1 ? [first] : lines.flatMap((line) => line.facts.find((fact) => fact.period === period) ?? []);
      let total = 0n;
      for (const fact of own) total += sign < 0 ? -amountOf(fact) : amountOf(fact);
      const turned = isOutflow && total < 0n && !lines.some((line) => RECEIVED.test(line.label()));
      const weight = turned ? -sign : sign;
      amounts.set(period, {
        start,
        end,
        amount: turned ? -total : total,
        sources: own.map((fact) => ({ fact, weight })),
      });
    }
  return amounts;
}
