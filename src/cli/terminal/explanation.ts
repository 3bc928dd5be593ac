/** Why a value of fundamentals is what it is: rule, facts, checks, earlier values, and the passage in the page. */
import { addDays, quoteText } from '../../core/index.ts';
import { readableText } from '../../filings/documents/index.ts';
import { statementRules, type Way } from '../../filings/statements/index.ts';
import type { Lake } from '../../lake/index.ts';

type Row = Awaited<ReturnType<Lake['query']>>[number];

export interface Passage {
  readonly file: string;
  /** Null: a schedule of the 1990s has no place of its own. */
  readonly start_index: number | null;
  readonly end_index: number | null;
  /** The number as printed; null: the lake does not have the document. */
  readonly printed: string | null;
  /** The line of the table that it stands in. */
  readonly line: string | null;
}

export interface SourceFact extends Passage {
  readonly weight: number;
  readonly concept: string;
  readonly dimensions: string;
  readonly value: string;
}

export interface Explanation {
  readonly cik: string;
  readonly item: string;
  readonly fiscal_year: number;
  readonly fiscal_period: string;
  readonly period_start: string | null;
  readonly period_end: string;
  readonly value: string | null;
  readonly unit: string | null;
  readonly reason: string | null;
  readonly method: string | null;
  readonly known_from: string;
  readonly known_until: string | null;
  readonly value_before: string | null;
  readonly accession_number: string;
  readonly form_type: string | null;
  readonly rule: { readonly name: string; readonly why: string; readonly way: Record<string, unknown> } | null;
  readonly facts: readonly SourceFact[];
  /** For a difference or twelve months: value = sum of weight × value. */
  readonly parts: readonly { readonly weight: number; readonly of: Explanation }[];
  readonly checks: readonly {
    readonly identity: string;
    readonly left: string;
    readonly right: string;
    readonly tolerance: string;
    readonly holds: boolean;
    readonly likeliest_wrong: string | null;
  }[];
}

export class Explainer {
  readonly #lake: Lake;
  readonly #at: number;
  readonly #texts = new Map<string, Promise<string | null>>();

  constructor(lake: Lake, at: number) {
    this.#lake = lake;
    this.#at = at;
  }

  /** @param history all rows of `fundamentals` of the company and item */
  async explain(given: Row, history: readonly Row[]): Promise<Explanation> {
    const page = given.method === 'printed' ? await this.#page(given) : null;
    const isDerived = given.method === 'printed' && page === null && given.value !== null;
    const row = isDerived ? { ...given, method: given.fiscal_period === 'TTM' ? 'ttm' : 'quarter' } : given;
    const parts = await Promise.all(
      partsOf(row, history).map(async ({ weight, of }) => ({ weight, of: await this.explain(of, []) })),
    );
    const rule = ruleOf(row.rule === null || isDerived ? null : String(row.rule));
    return {
      cik: String(row.cik),
      item: String(row.item),
      fiscal_year: Number(row.fiscal_year),
      fiscal_period: String(row.fiscal_period),
      period_start: textOf(row.period_start),
      period_end: String(row.period_end),
      value: plain(row.value),
      unit: textOf(row.unit),
      reason: textOf(row.reason),
      method: textOf(given.method),
      known_from: String(row.known_from),
      known_until: textOf(row.known_until),
      value_before: plain(row.value_before),
      accession_number: String(row.accession_number),
      form_type: textOf(row.form_type),
      rule,
      facts: page === null ? await this.#facts(row) : await this.#passages(given, page),
      parts,
      checks: await this.#checks(row),
    };
  }

  async #facts(row: Row): Promise<SourceFact[]> {
    if (row.value === null || row.method === 'quarter' || row.method === 'ttm') return [];
    const sources = await this.#query(
      'fundamental_sources',
      `SELECT weight, concept, dimensions, value, fact_file AS file, start_index, end_index FROM fundamental_sources
       WHERE ${keyOf(row)} AND item = ${quoteText(String(row.item))} ORDER BY position`,
    );
    const own = { weight: 1, concept: row.concept, dimensions: ofRegistrant(row), value: row.value, file: row.file };
    const facts =
      sources.length > 0 || row.concept === null
        ? sources
        : [{ ...own, start_index: row.start_index, end_index: row.end_index }];
    return this.#passages(row, facts as readonly Row[]);
  }

  /** Numbers of a printed page that a value is; null: none, since it is derived. The view may have put its period some days on. */
  async #page(row: Row): Promise<Row[] | null> {
    const day = `DATE ${quoteText(String(row.period_end))}`;
    const [own] = await this.#query(
      'printed_fundamentals',
      `SELECT file, concept, value, start_index, end_index, parts FROM printed_fundamentals
       WHERE accession_number = ${quoteText(String(row.accession_number))} AND item = ${quoteText(String(row.item))}
         AND registrant = ${quoteText(String(row.registrant))} AND fiscal_period = ${quoteText(String(row.fiscal_period))} AND abs(period_end - ${day}) <= 7 AND value IS NOT NULL
       ORDER BY abs(period_end - ${day}) LIMIT 1`,
    );
    if (own === undefined) return null;
    const { file, parts, ...one } = own;
    const numbers = parts === null ? [{ weight: 1, ...one }] : (JSON.parse(String(parts)) as Row[]);
    return numbers.map((number) => ({ concept: number.line, dimensions: '{}', ...number, file }) as Row);
  }

  #passages(row: Row, facts: readonly Row[]): Promise<SourceFact[]> {
    return Promise.all(
      facts.map(async (fact) => {
        const file = String(fact.file);
        const [start, end] = [placeOf(fact.start_index), placeOf(fact.end_index)];
        const text = start === null ? null : await this.#text(String(row.accession_number), file);
        return {
          weight: Number(fact.weight),
          concept: String(fact.concept),
          dimensions: String(fact.dimensions),
          value: plain(fact.value)!,
          file,
          start_index: start,
          end_index: end,
          ...(text === null ? { printed: null, line: null } : passage(text, start!, end!)),
        };
      }),
    );
  }

  /** Checks of the filing and period that use the item. */
  async #checks(row: Row): Promise<Explanation['checks']> {
    const item = String(row.item);
    const using = statementRules().checks.filter(
      ({ left, right }) => left === item || right.some((term) => term.item === item),
    );
    if (using.length === 0 || row.method === 'quarter' || row.method === 'ttm') return [];
    const rows = await this.#query(
      'fundamental_checks',
      `SELECT identity, left_value, right_value, tolerance, holds, likeliest_wrong FROM fundamental_checks
       WHERE ${keyOf(row)} AND identity IN (${using.map(({ name }) => quoteText(name)).join(', ')}) ORDER BY identity`,
    );
    return rows.map(({ identity, left_value, right_value, tolerance, holds, likeliest_wrong }) => ({
      identity: String(identity),
      left: plain(left_value)!,
      right: plain(right_value)!,
      tolerance: plain(tolerance)!,
      holds: holds === true,
      likeliest_wrong: likeliest_wrong as string | null,
    }));
  }

  #text(accession: string, file: string): Promise<string | null> {
    const key = `${accession} ${file}`;
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = this.#query(
        'document_contents',
        `SELECT c.content FROM document_contents c JOIN documents d USING (document_id)
         WHERE d.accession_number = ${quoteText(accession)} AND d.filename = ${quoteText(file)} AND c.encoding = 'utf-8'`,
      ).then(([found]) => (typeof found?.content === 'string' ? found.content : null));
      this.#texts.set(key, text);
    }
    return text;
  }

  async #query(table: string, sql: string): Promise<Row[]> {
    const { tables } = await this.#lake.snapshot(this.#at);
    return tables.has(table) ? this.#lake.query(sql, { at: this.#at }) : [];
  }
}

const keyOf = (row: Row) =>
  ['accession_number', 'registrant', 'fiscal_period', 'period_end']
    .map((name) => `${name} = ${quoteText(String(row[name]))}`)
    .join(' AND ');

/** Dimensions of a fact of the company as a whole. */
const ofRegistrant = ({ registrant }: Row): string =>
  registrant ? JSON.stringify({ 'dei:LegalEntityAxis': registrant }) : '{}';

const textOf = (cell: Row[string] | undefined) => (cell === null || cell === undefined ? null : String(cell));

const placeOf = (cell: Row[string] | undefined) => (cell === null || cell === undefined ? null : Number(cell));

/** Decimal text without zeros at its end. */
function plain(cell: Row[string] | undefined): string | null {
  const text = textOf(cell);
  return text?.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function ruleOf(name: string | null): Explanation['rule'] {
  if (name === null) return null;
  const item = statementRules().items.get(name.split('/')[0]!);
  const way = [...(item?.ways ?? []), ...(item?.ifrs ?? [])].find((each: Way) => each.name === name);
  const isSchedule = name.startsWith('schedules/');
  if (way === undefined)
    return { name, why: isSchedule ? 'of the schedule (EX-27)' : 'a rule of another release', way: {} };
  const { why, name: _, ...rest } = way;
  const shown = Object.entries(rest).map(([key, value]) => [key, value instanceof RegExp ? value.source : value]);
  return { name, why, way: Object.fromEntries(shown) };
}

/**
 * A year less its months before the quarter; the year before and the months of this one less those of the last. Months are one value, or
 * quarters in a row. Only if they give the value.
 */
function partsOf(row: Row, history: readonly Row[]): { weight: number; of: Row }[] {
  const known = history
    .filter(
      ({ value, period_start, known_from, method }) =>
        value !== null &&
        period_start !== null &&
        method !== 'quarter' &&
        method !== 'ttm' &&
        String(known_from) <= String(row.known_from),
    )
    .sort((a, b) => compared(b.period_end, a.period_end) || compared(b.known_from, a.known_from));
  const isQuarter = row.method === 'quarter';
  for (const year of isQuarter || row.method === 'ttm' ? known : []) {
    if (isQuarter ? year.period_end !== row.period_end : year.fiscal_period !== 'FY') continue;
    for (const after of inARow(known, dayFrom(year.period_end, 1), String(row.period_end)))
      for (const before of inARow(known, String(year.period_start), dayFrom(row.period_start, -1))) {
        if (before.length === 0) continue;
        const parts = [
          ...[year, ...after].map((of) => ({ weight: 1, of })),
          ...before.map((of) => ({ weight: -1, of })),
        ];
        const sum = parts.reduce((sum, { weight, of }) => sum + weight * Number(of.value), 0);
        if (Math.abs(sum - Number(row.value)) < 0.5) return parts;
      }
  }
  return [];
}

/** Values whose periods follow each other from one day to another, those of long periods first. */
function* inARow(known: readonly Row[], first: string, last: string): Generator<readonly Row[]> {
  if (first > last) yield [];
  for (const one of first > last ? [] : known)
    if (one.period_start === first && String(one.period_end) <= last)
      for (const others of inARow(known, dayFrom(one.period_end, 1), last)) yield [one, ...others];
}

const compared = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : a === b ? 0 : 1);
const dayFrom = (day: unknown, days: number): string => addDays(String(day), days);

const LINE_LENGTH = 300;

/** The number as printed, and the words of its line of the table. */
function passage(text: string, start: number, end: number): Pick<Passage, 'printed' | 'line'> {
  const words = (html: string) => readableText(html, 'text/html').replace(/\s+/g, ' ').trim();
  const from = text.lastIndexOf('<tr', start);
  const to = text.indexOf('</tr', end);
  const isRow = from >= 0 && to >= 0 && text.lastIndexOf('</tr', start) < from;
  const typed = text.slice(text.lastIndexOf('\n', start) + 1, `${text}\n`.indexOf('\n', end));
  const line = isRow ? words(`<table>${text.slice(from, to)}</tr></table>`) : typed.includes('<') ? null : words(typed);
  return { printed: words(text.slice(start, end)), line: line?.slice(0, LINE_LENGTH) ?? null };
}
