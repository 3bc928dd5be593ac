/** config/statements.yaml: read, and made ready for use. */
import { parse } from 'yaml';
import type { StatementName } from './faces.ts';

export type Unit = 'money' | 'per_share' | 'shares';
export type Section = 'operating' | 'investing' | 'financing' | 'current' | 'noncurrent';

/** A place in the calculation of the filing. */
export interface TreePlace {
  readonly parent?: readonly string[];
  readonly weight?: number;
  readonly sibling?: readonly string[];
  readonly child?: readonly string[];
  readonly below?: readonly string[];
  readonly sum?: boolean;
}

/** One way to find an item: the head of config/statements.yaml says what each member means, of the first ones exactly one is there. */
export interface Way {
  readonly first?: readonly string[];
  readonly largest?: readonly string[];
  readonly family?: readonly string[];
  readonly plus?: readonly (readonly string[] | '?')[];
  readonly members?: readonly string[];
  readonly solve?: readonly Term[];
  readonly same?: string;
  readonly before?: string;
  readonly after?: string;
  readonly tree?: TreePlace;
  readonly between?: readonly [string, string];
  readonly words?: RegExp;
  readonly heading?: RegExp;

  readonly last?: readonly string[];
  readonly also?: RegExp;
  readonly except?: RegExp;
  readonly like?: RegExp;
  readonly alone?: RegExp;
  readonly above?: string;
  readonly below?: string;
  readonly apart?: string;
  readonly joined?: boolean;
  readonly total?: boolean;
  readonly next?: string;
  readonly covering?: readonly string[];
  readonly section?: Section;
  readonly industry?: string;
  readonly unless?: readonly string[];
  readonly derive?: boolean;
  readonly stated?: string;
  readonly agrees?: Equation;
  readonly shown?: boolean;
  readonly not?: Equation;
  readonly when?: string;
  readonly label?: RegExp;
  readonly sign?: number;
  readonly why: string;
  /** `revenue/2`: the item and the place of the way, from 1. */
  readonly name: string;
}

export interface Equation {
  readonly left: string;
  readonly right: readonly Term[];
}

export interface Term {
  readonly item: string;
  readonly weight: 1 | -1;
  readonly isOptional: boolean;
}

export interface ItemRules {
  readonly name: string;
  /** What it is, in one line. */
  readonly means: string;
  /** Others have no row of it; null: all have. */
  readonly industry: string | null;
  readonly statement: StatementName | 'cover';
  readonly unit: Unit;
  /** For other items only. */
  readonly hidden: boolean;
  /** Amounts that go out are printed, and given, as positive. */
  readonly outflow: boolean;
  readonly signs: string | null;
  readonly perShare: string | null;
  readonly ways: readonly Way[];
  /** Ways for statements under IFRS; none: they have no counterpart. */
  readonly ifrs: readonly Way[];
}

/** How a tag of financial data schedules says an item; config/statements.yaml has its words. */
export interface ScheduleRule {
  readonly tags: readonly string[];
  readonly minus: string | null;
  readonly equals: string | null;
  readonly without: string | null;
  /** Articles of the schedule; null: all. */
  readonly articles: readonly string[] | null;
  readonly zero: boolean;
}

export interface Check {
  readonly name: string;
  readonly left: string;
  readonly right: readonly Term[];
  readonly either: readonly Term[];
  readonly isProduct: boolean;
  readonly within: number;
}

/** What a line is called that is printed without a tag. */
export interface Wording {
  /** Of a concept of us-gaap, without prefix; `printed:` …: none of them. '': a line of no use, though it has such words. */
  readonly name: string;
  readonly words: RegExp;
  readonly unless: RegExp | null;
  /** Of the heading above. */
  readonly heading: RegExp | null;
}

export interface Rules {
  readonly printed: Readonly<Record<StatementName, readonly Wording[]>>;
  readonly checks: readonly Check[];
  readonly items: ReadonlyMap<string, ItemRules>;
  readonly industries: ReadonlyMap<string, readonly string[]>;
  /** By item. */
  readonly schedules: ReadonlyMap<string, ScheduleRule>;
  /** Articles of Regulation S-X whose schedules are of companies. */
  readonly articles: ReadonlySet<string>;
  /** Concepts that some item is looked for under. */
  readonly mapped: ReadonlySet<string>;
}

interface Written {
  printed: Record<StatementName, { name: string; words: string; unless?: string; heading?: string }[]>;
  checks: Record<string, { left: string; right: string; either?: string; within?: number }>;
  industries: Record<string, string[]>;
  articles: string[];
  schedules: Record<string, Partial<ScheduleRule> & { tags: string[] }>;
  items: Record<string, WrittenItem>;
  ifrs: Record<string, WrittenWay[]>;
}
interface WrittenItem extends Partial<Pick<ItemRules, 'industry' | 'unit' | 'hidden' | 'signs'>> {
  means: string;
  statement: StatementName;
  sign?: 'outflow';
  per_share?: string;
  ways: WrittenWay[];
}
const PATTERNS = ['words', 'heading', 'also', 'except', 'like', 'alone', 'label'] as const;
type WrittenWay = Omit<Way, 'solve' | 'agrees' | 'not' | 'name' | (typeof PATTERNS)[number]> & {
  [member in 'solve' | 'agrees' | 'not' | (typeof PATTERNS)[number]]?: string;
};

let loaded: Rules | null = null;

/** The rules that come with filinglake, read once. */
export function statementRules(): Rules {
  loaded ??= rulesOf(writtenRules());
  return loaded;
}

/** Names of the items that have values, in their order. */
export function statementItems(): string[] {
  return [...statementRules().items.values()].filter(({ hidden }) => !hidden).map(({ name }) => name);
}

/**
 * `config/statements.yaml`, wherever filinglake is installed. The published package has it as JSON too: YAML takes 0.2 s of CPU.
 * Workflows are bundled with this room's list of tables, but without modules of Node: so they are taken when the rules are first read,
 * which no workflow does.
 */
function writtenRules(): Written {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { dirname, join } = process.getBuiltinModule('node:path');
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const json = join(folder, 'config', 'statements.json');
    if (existsSync(json)) return JSON.parse(readFileSync(json, 'utf8')) as Written;
    const yaml = join(folder, 'config', 'statements.yaml');
    if (existsSync(yaml) || dirname(folder) === folder) return parse(readFileSync(yaml, 'utf8')) as Written;
  }
}

/** The ways of an item, from 1. @param taxonomy prefix of concepts that have none */
function waysOf(item: string, written: readonly WrittenWay[], taxonomy: string): Way[] {
  const concepts = (names?: readonly string[]) => qualified(names, taxonomy);
  return written.map((way, place): Way => {
    const { tree } = way;
    const read = {
      ...way,
      first: concepts(way.first),
      largest: concepts(way.largest),
      family: concepts(way.family),
      members: concepts(way.members),
      last: concepts(way.last),
      plus: way.plus?.map((part) => (part === '?' ? part : concepts(part)!)),
      covering: concepts(way.covering),
      unless: concepts(way.unless),
      tree: tree && {
        ...tree,
        parent: concepts(tree.parent),
        sibling: concepts(tree.sibling),
        child: concepts(tree.child),
        below: concepts(tree.below),
      },
      solve: way.solve === undefined ? undefined : termsOf(way.solve),
      agrees: way.agrees === undefined ? undefined : equationOf(way.agrees),
      not: way.not === undefined ? undefined : equationOf(way.not),
      ...Object.fromEntries(PATTERNS.map((key) => [key, way[key] && new RegExp(way[key], 'i')])),
      name: `${item}/${taxonomy === US_GAAP ? '' : 'ifrs-'}${place + 1}`,
    };
    return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as unknown as Way;
  });
}

const US_GAAP = 'us-gaap';
const qualified = (names: readonly string[] | undefined, taxonomy: string) =>
  names?.map((name) => (name.includes(':') ? name : `${taxonomy}:${name}`));

/** Concepts that some way looks for. */
const mappedBy = (ways: readonly Way[]): string[] =>
  ways.flatMap(({ first, largest, family, members, last, plus = [] }) =>
    [first, largest, family, members, last, ...plus].flatMap((list) => (list === '?' ? [] : (list ?? []))),
  );

function rulesOf({ industries, articles, schedules, items, ifrs, checks, printed }: Written): Rules {
  const ofItems = Object.entries(items).map(([name, { sign, per_share: perShare = null, ways, ...item }]) => ({
    name,
    ...{ industry: null, unit: 'money' as const, hidden: false, signs: null },
    ...item,
    outflow: sign === 'outflow',
    perShare,
    ways: waysOf(name, ways, US_GAAP),
    ifrs: waysOf(name, ifrs[name] ?? [], 'ifrs-full'),
  }));
  return {
    items: new Map(ofItems.map((item) => [item.name, item])),
    industries: new Map(Object.entries(industries).map(([name, list]) => [name, qualified(list, US_GAAP)!])),
    mapped: new Set(ofItems.flatMap(({ ways, ifrs }) => mappedBy([...ways, ...ifrs]))),
    articles: new Set(articles),
    printed: {
      income: wordingsOf(printed.income),
      balance: wordingsOf(printed.balance),
      cash_flow: wordingsOf(printed.cash_flow),
    },
    schedules: new Map(
      Object.entries(schedules).map(([item, rule]) => [
        item,
        { minus: null, equals: null, without: null, zero: false, articles: null, ...rule },
      ]),
    ),
    checks: Object.entries(checks).map(([name, { left, right, either = '', within = 0 }]) => ({
      name,
      left,
      within,
      right: termsOf(right),
      either: termsOf(either),
      isProduct: right.includes('*'),
    })),
  };
}

/** Short for words that many lines share: parentheses are taken out of `income (loss)` before. */
const SHORT = { '<I>': '(?:income|earnings|profits?|loss|losses|deficit)', '<NCI>': '(?:non-?controlling|minority)' };

const wordingsOf = (written: Written['printed'][StatementName]): Wording[] => {
  const pattern = (source: string | undefined) =>
    source === undefined ? null : new RegExp(source.replace(/<I>|<NCI>/g, (name) => SHORT[name as keyof typeof SHORT]));
  return written.map(({ name, words, unless, heading }) => ({
    name,
    words: pattern(words)!,
    unless: pattern(unless),
    heading: pattern(heading),
  }));
};

function equationOf(equation: string): Equation {
  const [left = '', right = ''] = equation.split('=');
  return { left: left.trim(), right: termsOf(right) };
}

/** `a + b - c`; terms after a `?` may be missing. */
function termsOf(equation: string): Term[] {
  const [needed = '', optional = ''] = equation.split('?');
  return [needed, optional].flatMap((part, place) =>
    [...part.matchAll(/([+-]?)\s*([a-z_]+)/g)].map(
      ([, sign, item]): Term => ({ item: item!, weight: sign === '-' ? -1 : 1, isOptional: place === 1 }),
    ),
  );
}
