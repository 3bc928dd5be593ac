/** The statements that a document prints, without tags: from its rows to lines whose numbers have a period, an amount, a unit and a place. */
import { dayNumber as calendarDay, dayText } from '../../../core/index.ts';
import type { PageCell, PageRow } from '../../documents/index.ts';
import { decimalText, units } from '../../forms/index.ts';
import type { Faces, Line, StatementName } from '../faces.ts';
import { type Fact, periodKey } from '../facts.ts';
import { blocksOf, ENDS, ENOUGH, type PageBlock } from './blocks.ts';
import { type Column, cellsOf, columnsOf, isData, isHeading, putHeadings } from './columns.ts';
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
  for (const name of ['balance', 'income', 'cash_flow'] as const) found[name] = faceOf(name, blocks, reader);
  if (NAMES.every((name) => found[name].length === 0)) return { reason: 'no statements found' };
  return { faces: found, end: report.periodEnd ?? reader.newest ?? '' };
}

/** A part is of the statement that it has most lines of, or that its title names. */
function kindOf({ title, counts }: PageBlock): StatementName | null {
  const over = (name: StatementName) => counts[name] / ENOUGH[name];
  const [best] = NAMES.toSorted((a, b) => over(b) - over(a));
  if (title !== null && title !== 'other' && counts[title] >= 2 && over(title) >= over(best!) * 0.6) return title;
  return over(best!) >= 1 ? best! : null;
}

function faceOf(name: StatementName, blocks: readonly PageBlock[], reader: Reader): Line[] {
  const scores = blocks.map((block) =>
    kindOf(block) !== name || block.title === 'other'
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
    if (lines.length >= 3) return lines;
  }
  return [];
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

const CASH_AT =
  /\bcash\b.*\b(beginning|start|opening|end|close|closing)\b|^(?:balance,? |at )*(beginning|end) of (?:the )?(?:fiscal )?(?:year|period|quarter)/i;
const dayBefore = (day: string): string => dayText(calendarDay(day) - 1);

const wordsOf = ({ cells }: PageRow): string => cells.map(({ text }) => text).join(' ');

interface Period {
  readonly start: string | null;
  readonly end: string;
}

class Reader {
  readonly #report: PrintedReport;
  /** Last days of periods that were printed in full */
  readonly #ends = new Set<string>();
  #scale: Scale | null = null;

  constructor(report: PrintedReport) {
    this.#report = report;
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
    const labelTo = typed
      ? 40
      : Math.max(0, ...data.map(({ cells }) => (cells[0]!.number === null ? cells[0]!.from : 0)));
    let periods = this.#headed(statement, block.above, columns, labelTo, context);
    let pending: PageRow[] = [];
    let heads: PageRow[] = [];
    let mode: LineUnit | null = null;
    for (const row of block.rows) {
      if (isHeading(row) || (!isData(row) && row.cells.length === 1 && isOfPeriod(row.cells[0]!.text))) {
        heads.push(row);
        continue;
      }
      if (!isData(row)) {
        pending.push(row);
        mode = unitIn(wordsOf(row)) ?? (/:\s*$/.test(wordsOf(row)) ? null : mode);
        continue;
      }
      if (heads.length > 0) {
        columns = columns.map((column) => ({ ...column, words: '' }));
        const again = this.#headed(statement, heads, columns, labelTo, context);
        if (again.some((period) => period !== null)) periods = again;
        heads = [];
      }
      const cells = cellsOf(row, columns);
      if (cells === null) continue;
      const firstCell = cells.find((cell) => cell !== undefined);
      let label = row.cells
        .slice(0, firstCell === undefined ? 0 : row.cells.indexOf(firstCell))
        .map(({ text }) => text)
        .join(' ');
      const last = pending.at(-1);
      if (last !== undefined && continues(last, row, label)) {
        pending.pop();
        label = `${wordsOf(last)} ${label}`;
      }
      const heading = pending.map(wordsOf).join(' ');
      pending = [];
      const said = statement === 'income' ? unitIn(label) : null;
      if (said !== null) mode = said;
      // Cash at the ends of a period is not of all of it.
      const at =
        statement === 'cash_flow' ? CASH_AT.exec(label.replace(/\(?(?:increase|decrease)\)?.*?\bcash\b/i, '')) : null;
      const isEnd = /^(?:end|clos)/i.test(at?.[1] ?? at?.[2] ?? '');
      const own = periods.map((period) =>
        at === null || period?.start == null
          ? period
          : { start: null, end: isEnd ? period.end : dayBefore(period.start) },
      );
      const facts = this.#facts(cells, own, scale, statement === 'income' ? (said ?? mode) : null, label);
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
    label: string,
  ): Fact[] {
    const facts: Fact[] = [];
    const numbers = cells.filter((cell) => cell?.number != null) as PageCell[];
    const hasDecimals = numbers.some(({ number }) => number!.includes('.'));
    // Words of a heading above may not hold any more.
    const kind: LineUnit = unit === 'per share' && !hasDecimals ? 'money' : (unit ?? 'money');
    const power =
      kind === 'per share' ? 0 : kind === 'shares' ? (ownScale(label) ?? scale.shares ?? 0) : (scale.money ?? 0);
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
    for (const row of rows) if (isHeading(row)) beside += ` ${putHeadings(row, columns, labelTo)}`;
    const said = columns.map(({ words }) => readDates(words));
    const around = readDates(beside);
    const periods = columns.map((_, k) => this.#period(statement, said, k, around));
    for (const period of periods) if (period !== null && statement === 'balance') this.#ends.add(period.end);
    return periods;
  }

  #period(statement: StatementName, columns: readonly Said[], k: number, around: Said): Period | null {
    const said = columns[k]!;
    const end = this.#end(columns, k, around);
    if (end === null) return null;
    if (statement === 'balance') return said.fromTo ? null : { start: null, end };
    if (said.fromTo) return said.dates.length === 2 ? { start: said.dates[0]!, end: said.dates[1]! } : null;
    const length = lengthOf(said) ?? lengthOf(around) ?? (/^10-?K/i.test(this.#report.formType) ? 12 : null);
    return length === null ? null : { start: this.#start(end, length), end };
  }

  #start(end: string, length: number): string {
    const [year, month, day] = end.split('-').map(Number) as [number, number, number];
    if (length === 12 && day !== lastDay(year, month)) {
      const before = [...this.#ends].find((other) => Math.abs(calendarDay(end) - calendarDay(other) - 367) <= 7);
      return before === undefined ? startOf(end, -52) : dayText(calendarDay(before) + 1);
    }
    return startOf(end, length === 3 && day !== lastDay(year, month) ? -13 : length);
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

/** Whether words without numbers are the first half of the next row's label. */
function continues(above: PageRow, row: PageRow, label: string): boolean {
  const words = wordsOf(above);
  if (/[:.]\s*$/.test(words) || above.cells.length > 1) return false;
  if (/^[a-z(]/.test(label) && /^[A-Z]/.test(words)) return true;
  return (
    row.typed &&
    row.follows &&
    label !== '' &&
    row.indent > above.indent &&
    /\b(?:and|of|for|to|from|in|by|before|the|on)$|[-,]$/i.test(words)
  );
}
