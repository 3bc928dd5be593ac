/** Values of standard items that a filing states, with their sources: rows of facts in, rows of values out. */
import { MAPPING_VERSION, type MappedRow, type Row } from '../forms/index.ts';
import { type Amount, type Found, type Source, scaleOfDigits } from './amounts.ts';
import { type Checked, calculationSums, checked, holds, likeliestWrong } from './checks.ts';
import { type Faces, findFaces, STATEMENTS } from './faces.ts';
import {
  amountOf,
  amountText,
  dayNumber,
  type Fact,
  type FilingFacts,
  inMainCurrency,
  type NumberRow,
  type Period,
  periodKey,
} from './facts.ts';
import { FiscalCalendar } from './fiscal-calendar.ts';
import { isUnscaled } from './forgotten.ts';
import { Items } from './items.ts';
import type { ItemRules, Rules } from './rules.ts';
import { Schedule } from './schedules.ts';
import { fiscalPeriods, fundamentalChecks, fundamentalSources, fundamentals } from './tables.ts';

/** What the documents of one filing say of one company. */
export interface StatementInput {
  readonly accessionNumber: string | null;
  readonly facts: FilingFacts;
  /** Rows of xbrl_presentation and xbrl_calculation; none: not at hand. */
  readonly presentation: readonly Row[];
  readonly calculation: readonly Row[];
  /** Rows of xbrl_labels: words for lines of an instance. */
  readonly labels: readonly Row[];
  /** Rows of ex27_facts: schedules of the years before XBRL. */
  readonly schedules: readonly Row[];
  /** Documents by their names in the rows. */
  readonly texts: ReadonlyMap<string, string>;
  readonly rules: Rules;
}

/** Rows of all tables of statements. A filing whose cover states no period, or that has no numbers, gives none. */
export function statementRows(input: StatementInput): MappedRow[] {
  const rows: MappedRow[] = [];
  for (const schedule of input.schedules.length === 0 ? [] : Schedule.in(input.schedules, input.rules))
    addSchedule(rows, input, schedule);
  const read = input.facts;
  const calendar = FiscalCalendar.of(read.cover, read.periods);
  if (calendar === null || read.numbers.length === 0) return rows;
  const statements = new FilingStatements(rows, input, calendar);
  // Covers of current reports state a day, and nothing of it. Guarantors of a debt file with others, without statements of their own.
  if (statements.hasFaces || (calendar.isReport && read.registrant === '')) statements.addRows();
  return rows;
}

/** Rows of the values and checks of one document. */
class ItemRows {
  readonly #rows: MappedRow[];
  readonly #head: Row;

  constructor(rows: MappedRow[], accession_number: string | null, file: string, cik: string | null, registrant = '') {
    this.#rows = rows;
    this.#head = { accession_number, mapping_version: MAPPING_VERSION, file, cik, registrant };
  }

  period({ start, end }: Pick<Period, 'start' | 'end'>, place: Place, source: string): void {
    const weeks = Math.round((dayNumber(end) - dayNumber(start!) + 1) / 7);
    this.#add(fiscalPeriods.name, { ...this.#head, ...place, period_start: start, weeks, source });
  }

  value(item: ItemRules, { method, rule }: Found, amount: Amount, place: Place): void {
    const { sources } = amount;
    const { fact, weight } = sources[0]!;
    const isOne = method === 'reported' && sources.length === 1;
    this.#add(fundamentals.name, {
      ...this.#head,
      ...place,
      file: fact.file,
      period_start: amount.start,
      statement: item.statement,
      item: item.name,
      value: amountText(amount.amount),
      unit: fact.unit,
      decimals: isOne && weight === 1 ? fact.decimals : leastExact(sources),
      method,
      concept: isOne ? fact.concept : null,
      rule,
      reason: null,
      start_index: isOne ? indexOf(fact.startIndex) : null,
      end_index: isOne ? indexOf(fact.endIndex) : null,
    });
    if (isOne && weight === 1) return;
    for (const [position, { fact: part, weight }] of sources.entries())
      this.#add(fundamentalSources.name, {
        ...this.#head,
        ...place,
        file: fact.file,
        item: item.name,
        position,
        weight,
        concept: part.concept,
        dimensions: part.filedDimensions,
        value: amountText(amountOf(part)),
        fact_file: part.file,
        fact_position: part.position,
        start_index: indexOf(part.startIndex),
        end_index: indexOf(part.endIndex),
      });
  }

  none(item: ItemRules, place: Place, reason: Reason): void {
    this.#add(fundamentals.name, {
      ...this.#head,
      ...place,
      period_start: null,
      statement: item.statement,
      item: item.name,
      value: null,
      unit: null,
      decimals: null,
      method: null,
      concept: null,
      rule: null,
      reason,
      start_index: null,
      end_index: null,
    });
  }

  /** @param wrong the term that is the likeliest wrong, if it fails */
  check(one: Checked, place: Place, wrong: () => string): void {
    const { identity, left, right, tolerance } = one;
    this.#add(fundamentalChecks.name, {
      ...this.#head,
      ...place,
      identity,
      left_value: amountText(left),
      right_value: amountText(right),
      difference: amountText(left - right),
      tolerance: amountText(tolerance),
      holds: holds(one),
      likeliest_wrong: holds(one) ? null : wrong(),
    });
  }

  #add(table: string, row: Row): void {
    this.#rows.push({ table, row });
  }
}

type Reason = 'ifrs' | 'no_statement' | 'no_line' | 'no_period' | 'no_scale';

function addSchedule(all: MappedRow[], { accessionNumber, rules }: StatementInput, schedule: Schedule): void {
  const rows = new ItemRows(all, accessionNumber, schedule.file, null);
  const { quarter, flows, fiscalYear, start, end } = schedule;
  const other = placeOf({ fiscalYear, fiscalPeriod: quarter === 4 ? 'FY' : `Q${quarter ?? 4}` }, end);
  const day = quarter === null ? null : other;
  const months = flows === null ? null : placeOf({ fiscalYear, fiscalPeriod: flows }, end);
  if (start !== null && months !== null) rows.period({ start, end }, months, 'cover');
  for (const item of rules.items.values()) {
    if (!schedule.isOfCompany(item)) continue;
    const place = item.statement === 'balance' ? day : months;
    const found = schedule.find(item.name);
    const amount = found?.amounts.values().next().value;
    if (place === null) rows.none(item, other, 'no_period');
    else if (found === null || amount === undefined) rows.none(item, place, 'no_line');
    else rows.value(item, found, amount, place);
  }
  const checks = [...checked(schedule, rules.checks)];
  for (const one of checks)
    if (day !== null) rows.check(one, months ?? day, () => likeliestWrong(one, soundIn(checks), []));
}

class FilingStatements {
  readonly #input: StatementInput;
  readonly #numbers: readonly NumberRow[];
  readonly #calendar: FiscalCalendar;
  readonly #faces: Faces;
  readonly #items: Items;
  /** On the cover. */
  readonly #outstanding: Found | null;
  readonly #rows: ItemRows;
  /** By periodKey. */
  readonly #places = new Map<string, Place | null>();

  constructor(rows: MappedRow[], input: StatementInput, calendar: FiscalCalendar) {
    const read = input.facts;
    this.#input = input;
    this.#calendar = calendar;
    this.#numbers = inMainCurrency(read.numbers);
    this.#faces = findFaces(this.#numbers, input.texts, input.presentation, input.labels);
    const cover = input.rules.items.values().find(({ statement }) => statement === 'cover')!;
    this.#outstanding = coverShares(read.coverNumbers, cover);
    const shares = this.#outstanding?.amounts.values().next().value?.amount ?? null;
    this.#items = new Items(this.#faces, input.rules, input.calculation, shares);
    this.#rows = new ItemRows(rows, input.accessionNumber, read.numbers[0]!.file, read.cik, read.registrant);
  }

  get hasFaces(): boolean {
    return STATEMENTS.some((name) => this.#faces[name].length > 0);
  }

  addRows(): void {
    for (const period of this.#input.facts.periods) {
      const { start, end } = period;
      const label = start === null ? null : this.#calendar.label(start, end);
      if (label !== null) this.#rows.period(period, placeOf(label, end), label.source);
    }
    for (const item of this.#input.rules.items.values())
      if (!item.hidden && this.#items.isOfCompany(item)) this.#addValues(item);
    const seen = new Set<string>();
    const { rules, calculation } = this.#input;
    const checks = [...checked(this.#items, rules.checks), ...calculationSums(this.#numbers, calculation)];
    for (const one of checks) {
      const place = this.#place(one.start, one.end);
      const key = `${one.identity} ${place?.fiscal_period} ${one.end}`;
      if (place === null || seen.has(key)) continue;
      seen.add(key);
      this.#rows.check(one, place, () => likeliestWrong(one, soundIn(checks), this.#factsIn(one)));
    }
  }

  #factsIn({ start, end }: Checked): Fact[] {
    const facts = STATEMENTS.flatMap((name) => this.#faces[name].flatMap((line) => line.facts));
    return facts.filter(({ period }) => period === periodKey(start, end));
  }

  #addValues(item: ItemRules): void {
    const found = item.statement === 'cover' ? this.#coverShares() : this.#items.find(item.name);
    const seen: Place[] = [];
    for (const [period, amount] of found?.amounts ?? []) {
      const place =
        item.statement === 'cover'
          ? { ...this.#place(null, this.#calendar.end)!, period_end: amount.end }
          : this.#placeOf(period, amount);
      // Two periods of one name: a short one, beside the usual one. The first column counts.
      if (place === null || seen.some((other) => isSame(other, place))) continue;
      seen.push(place);
      this.#rows.value(item, found!, amount, place);
    }
    if (seen.length > 0) return;
    const isMissing = item.statement !== 'cover' && this.#faces[item.statement].length === 0;
    const isUnknown = this.#items.isIfrs && item.ifrs.length === 0 && item.statement !== 'cover';
    const reason = isUnknown ? 'ifrs' : isMissing ? 'no_statement' : 'no_line';
    this.#rows.none(item, currentPlace(this.#calendar, item), found?.reason ?? reason);
  }

  /** Shares outstanding, unless their scale was forgotten. */
  #coverShares(): Found | null {
    const weighted = this.#items.find('shares_diluted') ?? this.#items.find('shares_basic');
    const count = weighted?.amounts.values().next().value?.amount;
    const stated = this.#outstanding?.amounts.values().next().value?.amount;
    if (count === undefined || stated === undefined || !isUnscaled(stated, count)) return this.#outstanding;
    return { ...this.#outstanding!, amounts: new Map(), reason: 'no_scale' };
  }

  #placeOf(period: string, { start, end }: Amount): Place | null {
    let place = this.#places.get(period);
    if (place === undefined) {
      place = this.#place(start, end);
      this.#places.set(period, place);
    }
    return place;
  }

  #place(start: string | null, end: string): Place | null {
    const label = this.#calendar.label(start, end);
    return label && placeOf(label, end);
  }
}

/** The report's own period: the quarter of an income statement, the months so far of cash flows. */
export function currentPlace({ year, quarter, isAnnual, end }: FiscalCalendar, { statement }: ItemRules): Place {
  const name = statement === 'cash_flow' ? ['Q1', 'H1', '9M', 'FY'][quarter - 1]! : isAnnual ? 'FY' : `Q${quarter}`;
  return { fiscal_year: year, fiscal_period: name, period_end: end };
}

/** Facts that a check that holds vouches for. */
const soundIn = (checks: readonly Checked[]): ReadonlySet<Fact> =>
  new Set(checks.flatMap((one) => (holds(one) ? one.suspects().flatMap(({ facts }) => facts) : [])));

/** Schedules have no indices. */
const indexOf = (index: number): number | null => (index < 0 ? null : index);
export const isSame = (a: Place, b: Place): boolean =>
  a.fiscal_period === b.fiscal_period && a.period_end === b.period_end;
export const placeOf = (
  { fiscalYear, fiscalPeriod }: { fiscalYear: number; fiscalPeriod: string },
  end: string,
): Place => ({
  fiscal_year: fiscalYear,
  fiscal_period: fiscalPeriod,
  period_end: end,
});

export interface Place {
  readonly [column: string]: string | number;
  readonly fiscal_year: number;
  readonly fiscal_period: string;
  readonly period_end: string;
}

/** As written; of several facts that of the roughest. */
export function leastExact(sources: readonly Source[]): string | null {
  const places = sources.map(({ fact }) => fact.decimals);
  if (places.includes(null)) return null;
  const numbers = sources.flatMap(({ fact, weight }, k) =>
    places[k] === 'INF' ? [] : Number(places[k]) - Math.log10(scaleOfDigits(fact, weight)),
  );
  return numbers.length === 0 ? 'INF' : String(Math.min(...numbers));
}

const CLASS = /^\{"us-gaap:StatementClassOfStockAxis":"[^"]*"\}$/;

/** Shares of all classes on the cover, on their newest day. */
function coverShares(numbers: readonly Fact[], { name, ways }: ItemRules): Found | null {
  const stated = numbers.filter(({ concept }) => ways[0]!.first!.includes(concept));
  const end = stated
    .map((fact) => fact.end)
    .sort()
    .at(-1);
  const newest = stated.filter((fact) => fact.end === end);
  const whole = newest.find(({ dimensions }) => dimensions === '{}');
  const classes = new Map(
    newest.filter(({ dimensions }) => CLASS.test(dimensions)).map((fact) => [fact.dimensions, fact]),
  );
  const parts = whole === undefined ? [...classes.values()] : [whole];
  if (end === undefined || parts.length === 0) return null;
  const amount = parts.reduce((sum, fact) => sum + amountOf(fact), 0n);
  const sources = parts.map((fact) => ({ fact, weight: 1 }));
  const method = parts.length === 1 ? 'reported' : 'summed';
  return { method, rule: `${name}/1`, amounts: new Map([[end, { start: null, end, amount, sources }]]) };
}
