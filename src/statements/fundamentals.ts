/** Values of standard items that a filing states, with their sources: rows of facts in, rows of values out. */
import { MAPPING_VERSION, type MappedRow, type Row } from '../forms/index.ts';
import { type Checked, calculationSums, checked } from './checks.ts';
import { type Faces, findFaces, STATEMENTS } from './faces.ts';
import { amountOf, amountText, dayNumber, type Fact, type FilingFacts, filingFacts } from './facts.ts';
import { FiscalCalendar } from './fiscal-calendar.ts';
import { type Amount, type Found, Items, type Source } from './items.ts';
import type { ItemRules, Rules } from './rules.ts';
import { Schedule } from './schedules.ts';
import { fiscalPeriods, fundamentalChecks, fundamentalSources, fundamentals } from './tables.ts';

/** What the documents of one filing say. */
export interface StatementInput {
  readonly accessionNumber: string | null;
  /** Rows of xbrl_facts, in their order. */
  readonly facts: Iterable<Row>;
  /** Rows of xbrl_presentation and xbrl_calculation; none: not at hand. */
  readonly presentation: readonly Row[];
  readonly calculation: readonly Row[];
  /** Rows of ex27_facts: schedules of the years before XBRL. */
  readonly schedules: readonly Row[];
  /** Documents by their names in the rows. */
  readonly texts: ReadonlyMap<string, string>;
  readonly rules: Rules;
}

/** Rows of all tables of statements. A filing whose cover states no period, or that has no numbers, gives none. */
export function* statementRows(input: StatementInput): Generator<MappedRow> {
  if (input.schedules.length > 0)
    for (const schedule of Schedule.in(input.schedules, input.rules)) yield* rowsOfSchedule(input, schedule);
  const read = filingFacts(input.facts);
  const calendar = FiscalCalendar.of(read.cover, read.numbers);
  if (calendar === null || read.numbers.length === 0) return;
  const statements = new FilingStatements(input, read, calendar);
  // Covers of current reports state a day, and nothing of it.
  if (statements.hasFaces || calendar.isReport) yield* statements.rows();
}

/** Rows of the values and checks of one document. */
class ItemRows {
  readonly #head: Row;

  constructor(accessionNumber: string | null, file: string, cik: string | null) {
    this.#head = { accession_number: accessionNumber, file, cik };
  }

  *value(item: ItemRules, { method, rule }: Found, amount: Amount, place: Place): Generator<MappedRow> {
    const { sources } = amount;
    const fact = sources[0]!.fact;
    const head = { ...this.head(place), file: fact.file };
    const isOne = method === 'reported' && sources.length === 1;
    const row = {
      ...head,
      ...{ period_start: amount.start, statement: item.statement, item: item.name, value: amountText(amount.amount) },
      ...{ unit: fact.unit, decimals: leastExact(sources), method, concept: isOne ? fact.concept : null, rule },
      ...{ reason: null, ...(isOne ? indicesOf(fact) : NOWHERE) },
    };
    yield rowOf(fundamentals.name, row);
    if (isOne && sources[0]!.weight === 1) return;
    for (const [position, { fact, weight }] of sources.entries()) {
      const source = {
        ...head,
        ...{ item: item.name, position, weight, concept: fact.concept, dimensions: fact.dimensions },
        ...{
          value: amountText(amountOf(fact)),
          fact_file: fact.file,
          fact_position: fact.position,
          ...indicesOf(fact),
        },
      };
      yield rowOf(fundamentalSources.name, source);
    }
  }

  *none(item: ItemRules, place: Place, reason: Reason): Generator<MappedRow> {
    const row = {
      ...this.head(place),
      ...{ period_start: null, statement: item.statement, item: item.name },
      ...{ value: null, unit: null, decimals: null, method: null, concept: null, rule: null },
      ...{ reason, ...NOWHERE },
    };
    yield rowOf(fundamentals.name, row);
  }

  *check({ identity, left, right, tolerance }: Checked, place: Place): Generator<MappedRow> {
    const difference = left - right;
    const row = {
      ...this.head(place),
      identity,
      left_value: amountText(left),
      right_value: amountText(right),
      difference: amountText(difference),
      tolerance: amountText(tolerance),
      holds: difference <= tolerance && -difference <= tolerance,
    };
    yield rowOf(fundamentalChecks.name, row);
  }

  head(place: Place): Row {
    return { ...this.#head, ...place };
  }
}

type Reason = 'no_statement' | 'no_line' | 'no_period';

function* rowsOfSchedule({ accessionNumber, rules }: StatementInput, schedule: Schedule): Generator<MappedRow> {
  const rows = new ItemRows(accessionNumber, schedule.file, null);
  const { quarter, flows, fiscalYear, start, end } = schedule;
  const placeOf = (name: string | null): Place | null =>
    name === null ? null : { fiscal_year: fiscalYear, fiscal_period: name, period_end: end };
  const day = placeOf(quarter === null ? null : quarter === 4 ? 'FY' : `Q${quarter}`);
  const months = placeOf(flows);
  if (start !== null && months !== null) {
    const weeks = Math.round((dayNumber(end) - dayNumber(start) + 1) / 7);
    yield rowOf(fiscalPeriods.name, { ...rows.head(months), period_start: start, weeks, source: 'cover' });
  }
  for (const item of rules.items.values()) {
    if (!schedule.isOfCompany(item)) continue;
    const place = item.statement === 'balance' ? day : months;
    const found = schedule.find(item.name);
    const amount = found?.amounts.values().next().value;
    const other: Place = {
      fiscal_year: fiscalYear,
      fiscal_period: quarter === 4 ? 'FY' : `Q${quarter ?? 4}`,
      period_end: end,
    };
    if (place === null) yield* rows.none(item, other, 'no_period');
    else if (found === null || amount === undefined) yield* rows.none(item, place, 'no_line');
    else yield* rows.value(item, found, amount, place);
  }
  for (const one of checked(schedule, rules.checks)) if (day !== null) yield* rows.check(one, months ?? day);
}

class FilingStatements {
  readonly #input: StatementInput;
  readonly #read: FilingFacts;
  readonly #calendar: FiscalCalendar;
  readonly #faces: Faces;
  readonly #items: Items;
  readonly #rows: ItemRows;

  constructor(input: StatementInput, read: FilingFacts, calendar: FiscalCalendar) {
    this.#input = input;
    this.#read = read;
    this.#calendar = calendar;
    this.#faces = findFaces(read.numbers, input.texts, input.presentation);
    this.#items = new Items(this.#faces, input.rules, input.calculation);
    this.#rows = new ItemRows(input.accessionNumber, read.numbers[0]!.file, read.cik);
  }

  get hasFaces(): boolean {
    return STATEMENTS.some((name) => this.#faces[name].length > 0);
  }

  *rows(): Generator<MappedRow> {
    yield* this.#periods();
    for (const item of this.#input.rules.items.values())
      if (!item.hidden && this.#items.isOfCompany(item)) yield* this.#values(item);
    const seen = new Set<string>();
    const { rules, calculation } = this.#input;
    const sums = calculationSums(this.#read.numbers, calculation);
    for (const one of [...checked(this.#items, rules.checks), ...sums]) {
      const place = this.#place(one.start, one.end);
      const key = `${one.identity} ${place?.fiscal_period} ${one.end}`;
      if (place === null || seen.has(key)) continue;
      seen.add(key);
      yield* this.#rows.check(one, place);
    }
  }

  *#periods(): Generator<MappedRow> {
    const seen = new Set<string>();
    for (const { start, end, dimensions } of this.#read.numbers) {
      if (start === null || dimensions !== '{}' || seen.has(`${start}/${end}`)) continue;
      seen.add(`${start}/${end}`);
      const label = this.#calendar.label(start, end);
      if (label === null) continue;
      const row = {
        ...this.#rows.head({ fiscal_year: label.fiscalYear, fiscal_period: label.fiscalPeriod, period_end: end }),
        period_start: start,
        weeks: Math.round((dayNumber(end) - dayNumber(start) + 1) / 7),
        source: label.source,
      };
      yield rowOf(fiscalPeriods.name, row);
    }
  }

  *#values(item: ItemRules): Generator<MappedRow> {
    const found = item.statement === 'cover' ? coverShares(this.#read.numbers, item) : this.#items.find(item.name);
    const seen = new Set<string>();
    for (const amount of found?.amounts.values() ?? []) {
      const place =
        item.statement === 'cover'
          ? { ...this.#place(null, this.#calendar.end)!, period_end: amount.end }
          : this.#place(amount.start, amount.end);
      // Two periods of one name: a short one, beside the usual one. The first column counts.
      const key = `${place?.fiscal_period} ${place?.period_end}`;
      if (place === null || seen.has(key)) continue;
      seen.add(key);
      yield* this.#rows.value(item, found!, amount, place);
    }
    if (seen.size > 0) return;
    const isMissing = item.statement !== 'cover' && this.#faces[item.statement].length === 0;
    yield* this.#rows.none(item, this.#current(item), isMissing ? 'no_statement' : 'no_line');
  }

  #place(start: string | null, end: string): Place | null {
    const label = this.#calendar.label(start, end);
    return label && { fiscal_year: label.fiscalYear, fiscal_period: label.fiscalPeriod, period_end: end };
  }

  /** The report's own period: the quarter of an income statement, the months so far of cash flows. */
  #current({ statement }: ItemRules): Place {
    const { year, quarter, isAnnual, end } = this.#calendar;
    const name = statement === 'cash_flow' ? ['Q1', 'H1', '9M', 'FY'][quarter - 1]! : isAnnual ? 'FY' : `Q${quarter}`;
    return { fiscal_year: year, fiscal_period: name, period_end: end };
  }
}

const NOWHERE = { start_index: null, end_index: null };
/** Schedules have no indices. */
const indicesOf = ({ startIndex, endIndex }: Fact): Row =>
  startIndex < 0 ? NOWHERE : { start_index: startIndex, end_index: endIndex };

interface Place {
  readonly [column: string]: string | number;
  readonly fiscal_year: number;
  readonly fiscal_period: string;
  readonly period_end: string;
}

const rowOf = (table: string, row: Row): MappedRow => ({ table, row: { ...row, mapping_version: MAPPING_VERSION } });

/** As written; of several facts that of the roughest. */
function leastExact(sources: readonly Source[]): string | null {
  const places = sources.map(({ fact }) => fact.decimals);
  if (places.includes(null)) return null;
  const numbers = places.filter((place) => place !== 'INF').map(Number);
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
  const sources = parts.map((fact) => ({ fact, weight: 1 as const }));
  const method = parts.length === 1 ? 'reported' : 'summed';
  return { method, rule: `${name}/1`, amounts: new Map([[end, { start: null, end, amount, sources }]]) };
}
