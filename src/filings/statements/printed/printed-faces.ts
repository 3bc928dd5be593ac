/** The statements that a document prints, without tags: from its rows to lines whose numbers have a period, an amount, a unit and a place. */
import { dayNumber as calendarDay, dayText } from '../../../core/index.ts';
import type { PageCell, PageRow } from '../../documents/index.ts';
import { decimalText, units } from '../../forms/index.ts';
import type { Faces, Line, StatementName } from '../faces.ts';
import { type Fact, periodKey } from '../facts.ts';
import { blocksOf, ENDS, ENOUGH, type PageBlock, titleOf } from './blocks.ts';
import { type Column, cellsOf, columnsOf, isData, isHeading, OF_OTHERS, putHeadings, splitLabel } from './columns.ts';
import { dateOf, isOfPeriod, lastDay, readDates, type Said, startOf } from './dates.ts';
import { type LineUnit, ownScale, type Scale, scaleIn, unitIn } from './scale.ts';

/** What the filing says of itself. */
export interface PrintedReport {
  readonly formType: string;
  /** YYYY-MM-DD */
  readonly periodEnd: string | null;
  /** MMDD */
  readonly fiscalYearEnd: string | null;
  /** Name of the document, for its facts */
  readonly file?: string;
}

export interface Printed {
  readonly faces: Faces;
  /** Last day of the report's period */
  readonly end: string;
}

const NAMES = ['income', 'balance', 'cash_flow'] as const;

/**
 * @param rows `pageRows` of the document's text
 * @returns faces whose lines have no concept; a reason if the document prints no statements that can be read
 */
export function printedFaces(rows: readonly PageRow[], report: PrintedReport): Printed | { reason: string } {
  const blocks = blocksOf(rows);
  const reader = new Reader(report);
  const found = { income: [] as Line[], balance: [] as Line[], cash_flow: [] as Line[] };
  // The balance sheet states days most exactly: years of 52 weeks end on other days in other statements' headings.
  for (const name of ['balance', 'cash_flow', 'income'] as const) found[name] = faceOf(name, blocks, reader);
  if (NAMES.every((name) => found[name].length === 0)) return { reason: 'no statements found' };
  return { faces: found, end: report.periodEnd ?? reader.newest ?? '' };
}

/** A part is of the statement that it has most lines of, or that its title names. */
function kindOf({ title, counts, ends }: PageBlock): StatementName | null {
  const over = (name: StatementName) => counts[name] / ENOUGH[name];
  const best = NAMES.toSorted((a, b) => over(b) - over(a))[0]!;
  if (title === 'income' || title === 'balance' || title === 'cash_flow') {
    if (counts[title] >= 2 && over(title) >= over(best) * 0.6) return title;
  } else if (title !== null && !Object.keys(ENDS[best]).every((end) => ends.has(end))) return null;
  return over(best) >= 1 && title !== 'other' ? best : null;
}

function faceOf(name: StatementName, blocks: readonly PageBlock[], reader: Reader): Line[] {
  const scores = blocks.map((block) =>
    kindOf(block) !== name
      ? 0
      : block.counts[name] +
        (block.title === name ? 4 : 0) +
        Object.keys(ENDS[name]).filter((end) => block.ends.has(end)).length,
  );
  const best = Math.max(0, ...scores);
  const isCandidate = (k: number) => scores[k]! >= Math.max(ENOUGH[name], best * 0.6);
  const order = [...blocks.keys()]
    .filter(isCandidate)
    .sort((a, b) => Number(blocks[b]!.title === name) - Number(blocks[a]!.title === name) || a - b);
  for (const first of order) {
    const [from, to] = spanOf(name, blocks, first);
    const lines = reader.linesOf(
      name,
      blocks.slice(from, to + 1).filter((block) => kindOf(block) === name || block === blocks[first]),
    );
    if (lines.length < 3) continue;
    // A quarterly report may have a table for the quarter, and another for the months so far.
    for (const next of order) {
      if (next <= to || blocks[next]!.title !== blocks[first]!.title) continue;
      const [start, end] = spanOf(name, blocks, next);
      if (start <= to) continue;
      withPeriods(lines, reader.linesOf(name, blocks.slice(start, end + 1)));
    }
    return reader.accepted(name, lines);
  }
  return [];
}

/** Share of the lines of the longer of two tables that the other has too. */
const SAME_LINES = 0.7;
const plain = (line: Line): string =>
  line
    .label()
    .toLowerCase()
    .replace(/[^a-z]/g, '');

/** Adds the facts of other periods that a second table of the same lines has. */
function withPeriods(lines: readonly Line[], others: readonly Line[]): void {
  const known = new Set(lines.flatMap(({ facts }) => facts.map(({ period }) => period)));
  let from = 0;
  const pairs: [Line, Line][] = [];
  for (const other of others) {
    const k = lines.findIndex((line, at) => at >= from && plain(line) === plain(other));
    if (k < 0) continue;
    pairs.push([lines[k]!, other]);
    from = k + 1;
  }
  if (pairs.length < SAME_LINES * Math.max(lines.length, others.length)) return;
  for (const [line, other] of pairs) line.facts.push(...other.facts.filter(({ period }) => !known.has(period)));
}

/** First and last block of a statement: without its ends it continues beside. */
function spanOf(name: StatementName, blocks: readonly PageBlock[], first: number): [number, number] {
  let [from, to] = [first, first];
  const lacking = () =>
    Object.keys(ENDS[name]).filter((end) => !blocks.slice(from, to + 1).some(({ ends }) => ends.has(end)));
  const more = (at: number) => {
    const block = blocks[at];
    return (
      block !== undefined &&
      block.title !== 'other' &&
      lacking().some((end) => block.ends.has(end)) &&
      (kindOf(block) === name || kindOf(block) === null)
    );
  };
  for (let step = 1; step <= 3 && lacking().length > 0; step++) {
    if (more(to + 1)) to++;
    else if (more(to + 2)) to += 2;
    else if (more(from - 1)) from--;
  }
  return [from, to];
}

/** Cash that a company has on a day, among cash that flows in a period. */
const AT_ENDS = /\b(?:beginning|ending|opening|closing)\b|\b(?:start|end|close|begin) of\b/i;
const FLOW =
  /\b(?:provided|used|from|flows?|increases?|decreases?|changes?|effects?|paid|payments?|received|acquired|proceeds|dividends?|activities|non-?cash|exchange|transfer\w*|deposits|purchases?|collateral|reclass\w*|gains?|loss(?:es)?|contributions?|charges?)\b/i;
const BEGINS = /\b(?:beginning|start|opening|begin)\b/i;
const dayBefore = (day: string): string => dayText(calendarDay(day) - 1);

const wordsOf = ({ cells }: PageRow): string => cells.map(({ text }) => text).join(' ');

/** Weeks of periods that end within a month */
const WEEKS: Readonly<Record<number, number>> = { 12: -52, 9: -39, 6: -26, 3: -13 };

interface Period {
  readonly start: string | null;
  readonly end: string;
}

class Reader {
  readonly #report: PrintedReport;
  /** Last days of periods that were printed in full */
  readonly #ends = new Set<string>();
  #scale: Scale | null = null;
  /** Months of the periods of the cash flow statement */
  #lengths: ReadonlySet<number> = new Set();

  constructor(report: PrintedReport) {
    this.#report = report;
  }

  /** Lines of a statement that is the report's: a balance sheet states days most exactly. */
  accepted(statement: StatementName, lines: Line[]): Line[] {
    if (statement === 'cash_flow')
      this.#lengths = new Set(
        lines.flatMap(({ facts }) =>
          facts.flatMap(({ start, end }) =>
            start === null ? [] : [Math.round((calendarDay(end) - calendarDay(start)) / 30.4)],
          ),
        ),
      );
    if (statement === 'balance') for (const { facts } of lines) for (const { end } of facts) this.#ends.add(end);
    return lines;
  }

  get newest(): string | null {
    return [...this.#ends].sort().at(-1) ?? null;
  }

  linesOf(statement: StatementName, blocks: readonly PageBlock[]): Line[] {
    const lines: Line[] = [];
    let context = '';
    let scale: Scale | null = null;
    for (const block of blocks) {
      const above = block.above.map(wordsOf).join(' ');
      const stated = scaleIn(
        `${above} ${block.rows
          .filter((row) => !isData(row))
          .slice(0, 6)
          .map(wordsOf)
          .join(' ')}`,
      );
      if (stated.money !== null || scale === null) scale = stated.money === null ? (this.#scale ?? stated) : stated;
      this.#scale ??= stated.money === null ? null : stated;
      context = above;
      this.#read(statement, block, context, scale, lines);
    }
    const isOwn = ({ facts }: Line) => facts.some(({ end }) => this.#isOwn(end));
    return lines.some(isOwn) ? lines : [];
  }

  #isOwn(end: string): boolean {
    const { periodEnd } = this.#report;
    return periodEnd === null || Math.abs(calendarDay(end) - calendarDay(periodEnd)) <= 10;
  }

  #read(statement: StatementName, block: PageBlock, context: string, scale: Scale, lines: Line[]): void {
    const { typed } = block;
    const data = block.rows.filter((row) => isData(row) && !isHeading(row));
    let columns = columnsOf(data, typed);
    const labelTo = typed ? 40 : labelColumn(data);
    let periods = this.#headed(statement, block.above, columns, labelTo, context);
    let pending = block.above.slice(
      block.above.findLastIndex((row) => isHeading(row) || row.cells.length > 1 || titleOf(wordsOf(row)) !== null) + 1,
    );
    let heads: PageRow[] = [];
    let mode: LineUnit | null = null;
    let modeWords = '';
    for (const each of block.rows) {
      if (isHeading(each) || (!isData(each) && each.cells.length === 1 && isOfPeriod(each.cells[0]!.text))) {
        heads.push(each);
        continue;
      }
      if (!isData(each)) {
        pending.push(each);
        const said = unitIn(wordsOf(each));
        if (said !== null || /:\s*$/.test(wordsOf(each))) [mode, modeWords] = [said, wordsOf(each)];
        continue;
      }
      if (heads.length > 0) {
        columns = columns.map((column) => ({ ...column, words: '' }));
        const again = this.#headed(statement, heads, columns, labelTo, context);
        if (again.some((period) => period !== null)) periods = again;
        heads = [];
      }
      const row = splitLabel(each, columns);
      const cells = cellsOf(row, columns);
      if (cells === null) continue;
      const firstCell = cells.find((cell) => cell !== undefined);
      let label = row.cells
        .slice(0, firstCell === undefined ? 0 : row.cells.indexOf(firstCell))
        .map(({ text }) => text)
        .join(' ');
      label = label.replace(/[\s$(]+$/, '');
      let below: PageRow = row;
      for (let last = pending.at(-1); last !== undefined && continues(last, below, label); last = pending.at(-1)) {
        pending.pop();
        label = `${wordsOf(last)} ${label}`;
        below = last;
      }
      const heading = pending.map(wordsOf).join(' ');
      pending = [];
      const said = statement === 'income' ? unitIn(label) : null;
      if (said !== null) [mode, modeWords] = [said, label];
      const own = statement === 'cash_flow' ? atEnds(periods, label) : periods;
      const facts = this.#facts(
        cells,
        own,
        scale,
        statement === 'income' ? (said ?? mode) : null,
        ownScale(label) ?? (said === null ? ownScale(modeWords) : null),
      );
      if (facts.length > 0)
        lines.push({
          statement,
          order: lines.length,
          concept: '',
          dimensions: '{}',
          facts,
          label: () => label,
          heading: () => heading,
        });
    }
  }

  #facts(
    cells: readonly (PageCell | undefined)[],
    periods: readonly (Period | null)[],
    scale: Scale,
    unit: LineUnit | null,
    shareScale: number | null,
  ): Fact[] {
    const facts: Fact[] = [];
    const numbers = cells.filter((cell) => cell?.number != null) as PageCell[];
    const hasDecimals = numbers.some(({ number }) => number!.includes('.'));
    // Words of a heading above may not hold any more.
    const kind: LineUnit = unit === 'per share' && !hasDecimals ? 'money' : (unit ?? 'money');
    const power = kind === 'per share' ? 0 : kind === 'shares' ? (shareScale ?? scale.shares ?? 0) : (scale.money ?? 0);
    const doubtful = new Set<string>();
    for (const [k, cell] of cells.entries()) {
      const period = periods[k];
      if (cell?.number == null || cell.unit === '%' || period == null) continue;
      const key = periodKey(period.start, period.end);
      const value = decimalText(units(cell.number) * 10n ** BigInt(power));
      const same = facts.find((fact) => fact.period === key);
      if (same !== undefined) {
        if (same.value !== value) doubtful.add(key);
        continue;
      }
      facts.push({
        file: this.#report.file ?? '',
        position: 0,
        concept: '',
        start: period.start,
        end: period.end,
        period: key,
        unit: kind === 'shares' ? 'shares' : kind === 'per share' ? `${scale.currency}/shares` : scale.currency,
        value,
        decimals: String((cell.number.split('.')[1]?.length ?? 0) - power),
        dimensions: '{}',
        filedDimensions: '{}',
        startIndex: cell.start,
        endIndex: cell.end,
        amount: null,
      });
    }
    return facts.filter(({ period }) => !doubtful.has(period));
  }

  #headed(
    statement: StatementName,
    rows: readonly PageRow[],
    columns: Column[],
    labelTo: number,
    context: string,
  ): (Period | null)[] {
    let beside = context;
    for (const row of rows)
      if (isHeading(row) || (!isData(row) && row.cells.length > 1)) beside += ` ${putHeadings(row, columns, labelTo)}`;
    const said = columns.map(({ words }) => readDates(words));
    const around = readDates(beside);
    const ends = columns.map(({ words }, k) =>
      OF_OTHERS.test(words) && !said[k]!.fromTo ? null : this.#end(said, k, around),
    );
    return ofCompany(
      columns.map((_, k) => this.#period(statement, said[k]!, ends, k, around)),
      columns,
    );
  }

  #period(
    statement: StatementName,
    said: Said,
    ends: readonly (string | null)[],
    k: number,
    around: Said,
  ): Period | null {
    const end = ends[k]!;
    if (end === null) return null;
    if (statement === 'balance') return said.fromTo ? null : { start: null, end };
    if (said.fromTo) return said.dates.length === 2 ? { start: said.dates[0]!, end: said.dates[1]! } : null;
    const length = lengthOf(said) ?? lengthOf(around) ?? this.#usual();
    return length === null ? null : { start: this.#start(end, length, ends), end };
  }

  /** The length if no words say it: a year, or the first quarter, of which the cash flow statement is too. */
  #usual(): number | null {
    if (/^10-?K/i.test(this.#report.formType)) return 12;
    return this.#lengths.size === 1 && this.#lengths.has(3) ? 3 : null;
  }

  /** The day after the end of the year before, if that is printed: years of 52 weeks end on any day. */
  #start(end: string, length: number, ends: readonly (string | null)[]): string {
    const start = startOf(end, length);
    const [year, month, day] = end.split('-').map(Number) as [number, number, number];
    const near = (other: string | null) =>
      other !== null && Math.abs(calendarDay(other) + 1 - calendarDay(start)) <= (length < 0 ? 0 : 8);
    const before = length === 12 ? [...ends, ...this.#ends].find(near) : [...this.#ends].find(near);
    if (before != null) return dayText(calendarDay(before) + 1);
    return day === lastDay(year, month) ? start : startOf(end, WEEKS[length] ?? length);
  }

  #end(columns: readonly Said[], k: number, around: Said): string | null {
    const said = columns[k]!;
    const dates = new Set(said.dates);
    if (said.fromTo && said.dates.length === 2) return said.dates[1]!;
    if (dates.size === 1) return said.dates[0]!;
    if (dates.size > 1) return null;
    const years = new Set(said.years);
    const { periodEnd, fiscalYearEnd } = this.#report;
    if (years.size > 1) return null;
    const [year] = years;
    const days = new Set([...said.days, ...(said.days.length > 0 ? [] : around.days)].map(([m, d]) => `${m}-${d}`));
    if (days.size === 0) for (const date of around.dates) days.add(date.slice(5).split('-').map(Number).join('-'));
    const [month, day] = days.size === 1 ? [...days][0]!.split('-').map(Number) : [];
    if (year !== undefined) {
      if (month !== undefined) return this.#known(dateOf(year, month, day!));
      const newest = Math.max(...columns.flatMap((column) => column.years));
      if (periodEnd === null)
        return fiscalYearEnd === null
          ? null
          : dateOf(year, Number(fiscalYearEnd.slice(0, 2)), Number(fiscalYearEnd.slice(2)));
      const [y, m, d] = periodEnd.split('-').map(Number) as [number, number, number];
      return this.#known(dateOf(y - (newest - year), m, d === lastDay(y, m) ? 31 : d));
    }
    // Years stand in the title alone: `December 31, 1995 and 1994`.
    const all = [
      ...around.dates,
      ...around.years.flatMap((each) => (month === undefined ? [] : [dateOf(each, month, day!)])),
    ];
    const unique = [...new Set(all)];
    return unique.length === columns.length ? unique[k]! : null;
  }

  /** The exact day, if the balance sheet has another near it. */
  #known(day: string): string {
    return [...this.#ends].find((end) => Math.abs(calendarDay(end) - calendarDay(day)) <= 7) ?? day;
  }
}

/** The length that words state; null: none, or several. `the three months of the fiscal year` */
function lengthOf({ lengths }: Said): number | null {
  if (lengths.length === 1) return lengths[0]!;
  const others = lengths.filter((length) => length !== 12);
  return others.length === 1 ? others[0]! : null;
}

/** Words that end a line, and no label */
const OPEN = /\b(?:and|of|for|to|from|in|by|before|the|on|with|at|or|than|per|its|net)$|[-,&/]$/i;

/** Whether words without numbers are the first part of the next row's label. */
function continues(above: PageRow, row: PageRow, label: string): boolean {
  const words = wordsOf(above);
  if (/[:.]\s*$/.test(words) || above.cells.length > 1 || label === '' || words.length > 150) return false;
  if (OPEN.test(words)) return true;
  return /^[a-z(\u2013\u2014-]/.test(label) && (!row.typed || row.follows);
}

/**
 * Two columns of one period are of parts of the company, or of a second reading. One that is of all of it says so.
 */
function ofCompany(periods: readonly (Period | null)[], columns: readonly Column[]): (Period | null)[] {
  const key = (period: Period | null) => (period === null ? null : periodKey(period.start, period.end));
  const isWhole = (k: number) => /\bconsolidated\b/i.test(columns[k]!.words);
  return periods.map((period, k) => {
    const same = periods.flatMap((other, at) => (period !== null && key(other) === key(period) ? [at] : []));
    if (same.length < 2) return period;
    return isWhole(k) && same.filter(isWhole).length === 1 ? period : null;
  });
}

/** Cash at the ends of a period is not of all of it. */
function atEnds(periods: readonly (Period | null)[], label: string): readonly (Period | null)[] {
  const { days, dates } = readDates(label);
  const isDated = /\bcash\b/i.test(label) && !FLOW.test(label) && days.length + dates.length === 1;
  const isExplicit = AT_ENDS.test(label);
  if (!isExplicit && !isDated && !(/\bcash\b/i.test(label) && !FLOW.test(label))) return periods;
  return periods.map((period) => {
    if (period?.start == null) return period;
    const [day = dates[0]?.slice(5).split('-').map(Number)] = days;
    const isBegin = isExplicit
      ? BEGINS.test(label)
      : isDated && period.end.slice(5) !== dateOf(2001, day![0]!, day![1]!).slice(5);
    return { start: null, end: isBegin ? dayBefore(period.start) : period.end };
  });
}

/** The column of most words. */
function labelColumn(data: readonly PageRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of data) {
    const [{ number, dash, from }] = cells as readonly [PageCell];
    if (number === null && !dash) counts.set(from, (counts.get(from) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
