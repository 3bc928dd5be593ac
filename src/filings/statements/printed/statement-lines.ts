/** Rows of a statement as lines: words, and numbers with their period, amount, unit and place. */
import { dayNumber as calendarDay, dayText } from '../../../core/index.ts';
import type { PageCell, PageRow } from '../../documents/index.ts';
import { decimalText, units } from '../../forms/index.ts';
import type { Line, StatementName } from '../faces.ts';
import { type Fact, periodKey } from '../facts.ts';
import { type PageBlock, titleOf, wordsOf } from './blocks.ts';
import { type Column, cellsOf, columnsOf, isData, isHeading, splitLabel } from './columns.ts';
import { dateOf, isOfPeriod, readDates } from './dates.ts';
import type { Period, Periods } from './periods.ts';
import { type LineUnit, mayScale, ownScale, type Scale, scaleIn, unitIn } from './scale.ts';

/** Cash that a company has on a day, among cash that flows in a period. */
const AT_ENDS = /\b(?:beginning|ending|opening|closing)\b|\b(?:start|end|close|begin) of\b/i;
const FLOW =
  /\b(?:provided|used|from|flows?|increases?|decreases?|changes?|effects?|paid|payments?|received|acquired|proceeds|dividends?|activities|non-?cash|exchange|transfer\w*|deposits|purchases?|collateral|reclass\w*|gains?|loss(?:es)?|contributions?|charges?)\b/i;
const BEGINS = /\b(?:beginning|start|opening|begin)\b/i;
const dayBefore = (day: string): string => dayText(calendarDay(day) - 1);

/** Lines that are per share if they have cents */
const EARNINGS = /\b(?:basic|diluted?|primary)\b/i;

/** Rows under one row of headings */
interface Segment {
  readonly heads: readonly PageRow[];
  readonly rows: PageRow[];
}

/** Rows with another number of columns, below headings that say no period, from which on they are not the statement's */
const OTHER_TABLE = 5;

export class StatementReader {
  readonly #periods: Periods;
  readonly #file: string;
  /** That of another statement, for one that states none */
  #scale: Scale | null = null;
  /** Whether numbers were read that no words give a scale. */
  isUnscaled = false;

  constructor(periods: Periods, file: string) {
    this.#periods = periods;
    this.#file = file;
  }

  get hasScale(): boolean {
    return this.#scale !== null;
  }

  /** @returns none if no period is the report's */
  linesOf(statement: StatementName, blocks: readonly PageBlock[]): Line[] {
    const lines: Line[] = [];
    let scale: Scale | null = null;
    for (const { above, rows } of blocks) {
      const among = rows
        .filter((row) => !isData(row))
        .slice(0, 6)
        .map(wordsOf)
        .filter(mayScale);
      const stated = scaleIn([...above.map(wordsOf), ...among].join('\n'));
      if (stated.money !== null || scale === null) scale = stated;
    }
    if (scale === null) return [];
    const own = scale.money === null ? (this.#scale ?? scale) : scale;
    for (const block of blocks) this.#read(statement, block, own, lines);
    if (!lines.some(({ facts }) => facts.some(({ end }) => this.#periods.isOwn(end)))) return [];
    if (scale.money !== null) this.#scale ??= scale;
    else if (own.money === null) this.isUnscaled = true;
    return lines;
  }

  #read(statement: StatementName, block: PageBlock, scale: Scale, lines: Line[]): void {
    const { typed, above } = block;
    const context = above.map(wordsOf).join(' ');
    let columns: Column[] = [];
    let periods: readonly (Period | null)[] = [];
    let pending = above.slice(
      above.findLastIndex((row) => isHeading(row) || row.cells.length > 1 || titleOf(wordsOf(row)) !== null) + 1,
    );
    let mode: LineUnit | null = null;
    let modeWords = '';
    for (const { heads, rows } of segmentsOf(block)) {
      const data = rows.filter(isData);
      const own = columnsOf(data, typed);
      const numbers = data.flatMap(({ cells }) =>
        cells.flatMap(({ number, unit }) => (number === null || unit === '%' ? [] : [number])),
      );
      const areWhole = numbers.filter((number) => number.includes('.')).length * 3 < numbers.length;
      const headed = this.#periods.headed(statement === 'balance', heads, own, typed ? 40 : labelColumn(data), context);
      if (headed !== null) [columns, periods] = [own, headed];
      else if (data.length >= OTHER_TABLE && own.length !== columns.length) [columns, periods] = [own, []];
      for (const each of rows) {
        if (!isData(each) || columns.length === 0) {
          pending.push(each);
          const said = unitIn(wordsOf(each));
          if (said !== null || /:\s*$/.test(wordsOf(each))) [mode, modeWords] = [said, wordsOf(each)];
          continue;
        }
        const row = splitLabel(each, columns);
        const cells = cellsOf(row, columns);
        if (cells === null) continue;
        const firstCell = cells.find((cell) => cell !== undefined);
        let label = row.cells
          .slice(0, firstCell === undefined ? 0 : row.cells.indexOf(firstCell))
          .map(({ text }) => text)
          .join(' ')
          .replace(/[\s$(]+$/, '');
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
        const facts = this.#facts(
          cells,
          statement === 'cash_flow' ? atEnds(periods, label) : periods,
          scale,
          statement === 'income' ? (said ?? mode ?? (areWhole && EARNINGS.test(label) ? 'per share' : null)) : null,
          ownScale(label) ?? (said === null ? ownScale(modeWords) : null),
          areWhole,
        );
        if (facts.length === 0) continue;
        const words = { label: () => label, heading: () => heading };
        lines.push({ statement, order: lines.length, concept: '', dimensions: '{}', facts, ...words });
      }
    }
  }

  #facts(
    cells: readonly (PageCell | undefined)[],
    periods: readonly (Period | null)[],
    scale: Scale,
    unit: LineUnit | null,
    shareScale: number | null,
    areWhole: boolean,
  ): Fact[] {
    const facts: Fact[] = [];
    const numbers = cells.filter((cell) => cell?.number != null) as PageCell[];
    const hasDecimals = numbers.some(({ number }) => number!.includes('.'));
    // Words of a heading above may not hold any more.
    const kind: LineUnit = unit === 'per share' && !hasDecimals ? 'money' : (unit ?? 'money');
    // Cents among whole thousands are of something else.
    if (kind === 'money' && areWhole && numbers.some(({ number }) => /\.\d\d/.test(number!))) return [];
    const power = kind === 'per share' ? 0 : kind === 'shares' ? (shareScale ?? scale.shares ?? 0) : (scale.money ?? 0);
    const doubtful = new Set<string>();
    for (const [k, cell] of cells.entries()) {
      const period = periods[k];
      if (cell?.number == null || cell.unit === '%' || period == null || scale.currency === null) continue;
      const key = periodKey(period.start, period.end);
      const value = decimalText(units(cell.number) * 10n ** BigInt(power));
      const same = facts.find((fact) => fact.period === key);
      if (same !== undefined) {
        if (same.value !== value) doubtful.add(key);
        continue;
      }
      facts.push({
        file: this.#file,
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
}

/** A statement has new headings where another table or page begins. */
function segmentsOf({ above, rows }: PageBlock): Segment[] {
  const segments: Segment[] = [{ heads: above, rows: [] }];
  let heads: PageRow[] = [];
  for (const row of rows) {
    if (isHeading(row) || (!isData(row) && row.cells.length === 1 && isOfPeriod(wordsOf(row)))) {
      heads.push(row);
      continue;
    }
    // Words between two rows of headings are headings too.
    if (heads.length > 0 && !isData(row)) {
      heads.push(row);
      continue;
    }
    if (heads.length > 0) segments.push({ heads, rows: heads.filter((head) => !isHeading(head)) });
    heads = [];
    segments.at(-1)!.rows.push(row);
  }
  return segments;
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
