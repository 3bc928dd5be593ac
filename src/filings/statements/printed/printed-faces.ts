/** The statements that a document prints, without tags: from its rows to lines whose numbers have a period, an amount, a unit and a place. */

import type { PageRow } from '../../documents/index.ts';
import { decimalText, units } from '../../forms/index.ts';
import type { Faces, Line, StatementName } from '../faces.ts';
import type { Fact } from '../facts.ts';
import { blocksOf, ENDS, ENOUGH, type PageBlock, wordsOf } from './blocks.ts';
import { isHeading } from './columns.ts';
import { plainName, type ReportCover } from './cover.ts';
import { Periods, type PrintedReport } from './periods.ts';
import { mayScale, scaleIn } from './scale.ts';
import { StatementReader } from './statement-lines.ts';

export type { PrintedReport } from './periods.ts';

export interface Printed {
  readonly faces: Faces;
  /** Last day of the report's period */
  readonly end: string;
  /** Years, as periodKey, whose first day nothing states */
  readonly guessed: ReadonlySet<string>;
}

const NAMES = ['income', 'balance', 'cash_flow'] as const;

/** Companies at a title that the cover names. The second line of a name may be that of another. */
function namedBy(cover: ReportCover, { companies }: PageBlock): string[] {
  const named = companies.filter(cover.names);
  return named.filter((name) => !named.some((other) => plainName(other).endsWith(` ${plainName(name)}`)));
}

/** Companies of a joint report that titles of statements name, as printed; those of each balance sheet. */
export function companiesOf(rows: readonly PageRow[], cover: ReportCover): { companies: string[]; sheets: string[][] } {
  const titled = blocksOf(rows).filter(isStatement);
  const sheets = titled.filter(({ title, ends }) => title === 'balance' && ends.has('claims'));
  const namesOf = (block: PageBlock) => namedBy(cover, block);
  return { companies: titled.flatMap(namesOf), sheets: sheets.map(namesOf) };
}

const isStatement = ({ title }: PageBlock) => NAMES.some((name) => name === title);

/** Statements whose title names others than the company are not its own, if some title names it. In a joint report only those that name it alone are. */
function ofCompanyAlone(blocks: readonly PageBlock[], { cover, company = '' }: PrintedReport): readonly PageBlock[] {
  if (cover === undefined) return blocks;
  const isNamed = (block: PageBlock) => namedBy(cover, block).length > 0;
  if (company === '' && !blocks.some((block) => isStatement(block) && isNamed(block))) return blocks;
  const isAlone = (block: PageBlock) =>
    isNamed(block) && namedBy(cover, block).every((name) => plainName(name) === plainName(company));
  const isOwn = (block: PageBlock) =>
    company === '' ? block.companies.length === 0 || isNamed(block) : isAlone(block);
  const own = new Set(blocks.filter(isOwn));
  // An old or mistyped name is the company's, too: no statement has it beside one of the same kind.
  if (company === '') {
    const others = blocks.filter((block) => isStatement(block) && !own.has(block));
    const beside = others.filter(({ title }) => [...own].some((one) => isOfKind(one, title)));
    const names = new Set(beside.flatMap(({ companies }) => companies.map(plainName)));
    for (const one of others) if (!one.companies.some((name) => names.has(plainName(name)))) own.add(one);
  }
  return blocks.map((block) => (own.has(block) ? block : { ...block, title: 'other' }));
}

const isOfKind = ({ title, counts }: PageBlock, kind: PageBlock['title']) =>
  title === kind || (title === null && NAMES.some((name) => name === kind && counts[name] >= ENOUGH[name]));

/**
 * @param rows `pageRows` of the document's text
 * @returns faces whose lines have no concept; a reason if the document prints no statements that can be read
 */
export function printedFaces(rows: readonly PageRow[], report: PrintedReport): Printed | { reason: string } {
  const blocks = ofCompanyAlone(blocksOf(rows), report);
  // Days and years of several columns make no day.
  const inText = (row: PageRow) =>
    isHeading(row) ? ` | ${row.cells.map(({ text }) => text).join(' | ')} | ` : wordsOf(row);
  const periods = new Periods(report, () => rows.map(inText).join(' '));
  const reader = new StatementReader(periods, report.file ?? '');
  const found = { income: [] as Line[], balance: [] as Line[], cash_flow: [] as Line[] };
  // The balance sheet states days most exactly: years of 52 weeks end on other days in other statements' headings.
  const read = () => {
    for (const name of ['balance', 'cash_flow', 'income'] as const) {
      found[name] = faceOf(name, blocks, reader);
      periods.learn(found[name].flatMap(({ facts }) => facts));
    }
  };
  read();
  if (reader.isUnscaled && reader.hasScale) read();
  else if (reader.isUnscaled && isDoubtful(rows, found)) return { reason: 'scale is not stated' };
  if (NAMES.every((name) => found[name].length === 0)) return { reason: 'no statements found' };
  found.income = withShares(found.income);
  return { faces: found, end: report.periodEnd ?? periods.newest ?? '', guessed: periods.guessed };
}

/** Whether amounts without a scale may be thousands: other tables are in them, and no amount is too large for that. */
function isDoubtful(rows: readonly PageRow[], faces: Faces): boolean {
  const isStated = (row: PageRow) =>
    row.cells.length === 1 && scaleIn(mayScale(wordsOf(row)) ? wordsOf(row) : '').money !== null;
  if (!rows.some(isStated)) return false;
  const largest = { money: 0, shares: 0 };
  for (const { unit, value } of NAMES.flatMap((name) => faces[name].flatMap(({ facts }) => facts))) {
    const kind = unit === 'shares' ? 'shares' : 'money';
    largest[kind] = Math.max(largest[kind], Number(value));
  }
  return largest.money < 1e6 || (largest.money < 1e8 && largest.shares > 0 && largest.shares < 1e6);
}

/** Powers of a thousand by which a number is too large; 0: none, or not comparable. */
function thousandsOver(number: number, other: number): number {
  const powers = Math.log10(Math.abs(number / other)) / 3;
  return Math.abs(powers - Math.round(powers)) < 0.15 ? Math.max(0, Math.round(powers)) : 0;
}

/** "Dollars in thousands" may say nothing of shares: earnings and earnings per share show it. */
function withShares(lines: readonly Line[]): Line[] {
  const isShares = ({ facts }: Line) => facts[0]!.unit === 'shares';
  const isNet = (line: Line) => /^net (?:income|loss|earnings|\()/i.test(line.label());
  const money = lines.filter((line) => isNet(line) && !line.facts[0]!.unit.includes('shares'));
  const perShare = lines.filter(({ facts }) => facts[0]!.unit.endsWith('/shares'));
  const largest = lines.filter(isShares).flatMap(({ facts }) => facts);
  const [fact] = largest.sort((a, b) => Number(b.value) - Number(a.value));
  if (fact === undefined) return [...lines];
  const of = (others: readonly Line[]) =>
    others
      .map(({ facts }) => Number(facts.find(({ period }) => period === fact.period)?.value ?? 0))
      .filter((value) => value !== 0);
  const powers = of(money).flatMap((net) => of(perShare).map((each) => thousandsOver(Number(fact.value), net / each)));
  const [power = 0] = powers;
  // What was not multiplied is not too large: then the amounts lack a scale.
  const isScaled = Number(fact.decimals) + power * 3 <= 0;
  if (power === 0 || !isScaled || powers.some((other) => other !== power)) return [...lines];
  const smaller = (one: Fact): Fact => ({
    ...one,
    value: decimalText(units(one.value) / 1000n ** BigInt(power)),
    decimals: String(Number(one.decimals) + power * 3),
  });
  return lines.map((line) =>
    isShares(line)
      ? { ...line, facts: line.facts.map((one) => (one.decimals === fact.decimals ? smaller(one) : one)) }
      : line,
  );
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

const isWhole = ({ above }: PageBlock): boolean =>
  above.some((row) => /\bconsolidated\b|\band (?:its |consolidated )*subsidiar/i.test(wordsOf(row)));

function faceOf(name: StatementName, blocks: readonly PageBlock[], reader: StatementReader): Line[] {
  const scores = blocks.map((block) =>
    kindOf(block) !== name
      ? 0
      : block.counts[name] +
        (block.title === name ? 4 : 0) +
        Object.keys(ENDS[name]).filter((end) => block.ends.has(end)).length,
  );
  const best = Math.max(0, ...scores);
  // One that says that it is of the company with its subsidiaries stands above others.
  const rank = (k: number) => (blocks[k]!.title === name ? 2 : 0) + (isWhole(blocks[k]!) ? 1 : 0);
  const isCandidate = (k: number) => scores[k]! >= Math.max(ENOUGH[name], best * 0.6);
  const order = [...blocks.keys()].filter(isCandidate).sort((a, b) => rank(b) - rank(a) || a - b);
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
    return lines;
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
