/** Which documents a search finds, how many, and in which order (docs/api.md#fulltext_search). */

import type { SQLInputValue } from 'node:sqlite';
import { dayNumber } from '../../../core/index.ts';
import type { FulltextSearchParameters } from '../../../filings/api/index.ts';
import type { Days } from '../counts/index.ts';
import type { ParsedQuery } from '../fulltext/query.ts';
import { QueryError } from '../fulltext/query-error.ts';
import { hasPrefix } from '../fulltext/query-tree.ts';
import { codeKey, countKinds, filingConditions, filterText } from '../rows/filters.ts';
import { Conditions, given, type NumberList, type Statements } from '../rows/statements.ts';
import { DOCUMENTS_A_DAY, interruptible } from '../store/schema.ts';

/** Documents that satisfy the filters of a search. */
export interface FewDocuments {
  /** Their ids */
  list: NumberList;
  /** To look at each of them for the words is less work than to read all hits. */
  isFewerThanHits: boolean;
}

export interface DocumentConditions {
  /** Conditions on rows `d` of documents and `f` of filings, beyond the text and the days */
  joined: Conditions;
  /** FTS row ids carry the filing date: a date filter is a range of them, and needs no join. */
  rowidFrom: number | null;
  rowidTo: number | null;
  /** The documents that satisfy all filters, if they are few: in place of `joined` */
  few: FewDocuments | null;
}

/** @param days the caller reads the documents of these filing dates alone */
export function documentConditions(
  p: FulltextSearchParameters,
  statements: Statements,
  days: Days | null = null,
): DocumentConditions {
  const { date_from, date_to, ...rest } = p;
  const joined = filingConditions(rest, statements, days);
  if (given(p.accession_numbers)) {
    const ranges = p.accession_numbers.map(accessionPrefix).map((prefix) => [prefix, `${prefix}~`]);
    // Not a condition on each hit: SQLite finds these filings once, by their index.
    joined.add(
      `f.id IN (SELECT n.id FROM json_each(?) r CROSS JOIN filings n
        ON n.accession >= r.value ->> 0 AND n.accession < r.value ->> 1)`,
      JSON.stringify(ranges),
    );
  }
  if (given(p.document_types)) {
    const exact: string[] = [];
    const prefixes: string[] = [];
    for (const type of p.document_types) {
      if (type.endsWith('*')) prefixes.push(codeKey(type.slice(0, -1)));
      else exact.push(codeKey(type));
    }
    // One JSON array for each: a condition for each value would pass the depth that SQLite allows an expression.
    const lengths = [...new Set(prefixes.map((prefix) => [...prefix].length))];
    // Not a comparison with each beginning: a beginning of each length is looked up.
    joined.add(
      `(d.type_key IN (SELECT value FROM json_each(?)) OR EXISTS (SELECT 1 FROM json_each(?) l
        WHERE length(d.type_key) >= l.value AND substr(d.type_key, 1, l.value) IN (SELECT value FROM json_each(?))))`,
      JSON.stringify(exact),
      JSON.stringify(lengths),
      JSON.stringify(prefixes),
    );
  }
  const from = [...(date_from === undefined ? [] : [dayNumber(date_from)]), ...(days === null ? [] : [days.from])];
  const to = [...(date_to === undefined ? [] : [dayNumber(date_to)]), ...(days === null ? [] : [days.to])];
  return {
    joined,
    rowidFrom: from.length === 0 ? null : Math.max(...from) * DOCUMENTS_A_DAY,
    rowidTo: to.length === 0 ? null : (Math.min(...to) + 1) * DOCUMENTS_A_DAY - 1,
    few: null,
  };
}

/** The beginning of accession numbers as they are stored, from one with dashes or as plain digits, whole or in part. */
export function accessionPrefix(text: string): string {
  const digits = text.replaceAll('-', '');
  if (!/^\d{10,18}$/.test(digits)) {
    throw new QueryError(
      `accession_numbers is invalid: '${text}' must be 10 to 18 digits of an accession number`,
      null,
    );
  }
  const parts = [digits.slice(0, 10), digits.slice(10, 12), digits.slice(12)].filter((part) => part !== '');
  return parts.join('-');
}

export interface FoundHit {
  rowid: number;
  /** null: the engine that found it has none */
  score: number | null;
}

interface Source {
  sql: string;
  values: SQLInputValue[];
  /** The ids of documents, to order by: FTS5 takes twenty times longer for one document if its own ids shall come in falling order */
  id: string;
}

/**
 * FROM and WHERE of the hits. Without a filter on filings or documents no table is joined.
 * @param isRanked `bm25` is asked of the hits. It counts the documents with each word again whenever FTS5 is entered
 */
export function hitSource(expression: string, where: DocumentConditions, isRanked = true): Source {
  const { few, joined } = where;
  const startsFromFew = few?.isFewerThanHits === true && !isRanked;
  const conditions = startsFromFew ? new Conditions().add('l.list = ?', few.list.value) : new Conditions();
  textConditions(conditions, expression, where);
  const joins = joined.clauses.length > 0;
  // CROSS JOIN fixes the order of the loops: text first. A word is nearly always the narrower.
  const from = startsFromFew
    ? 'temp.lists l CROSS JOIN document_texts ON document_texts.rowid = l.number'
    : joins
      ? 'document_texts CROSS JOIN documents d ON d.id = document_texts.rowid CROSS JOIN filings f ON f.id = d.filing'
      : 'document_texts';
  conditions.add(interruptible('document_texts.rowid'));
  // The plus: FTS5 is not entered for each.
  if (few !== null && !startsFromFew) conditions.add(`+document_texts.rowid IN (${few.list.sql})`, few.list.value);
  if (joins) conditions.add(joined.sql, ...joined.values);
  return {
    sql: `${from} WHERE ${conditions.sql}`,
    values: conditions.values,
    id: startsFromFew ? 'l.number' : 'document_texts.rowid',
  };
}

/** Documents with the words, on the days that are asked for. */
export function textConditions(
  conditions: Conditions,
  expression: string,
  { rowidFrom, rowidTo }: Pick<DocumentConditions, 'rowidFrom' | 'rowidTo'>,
): Conditions {
  conditions.add('document_texts MATCH ?', expression);
  // Node binds numbers as real numbers. FTS5 goes to the first day only by an integer, and else reads all days before it.
  if (rowidFrom !== null) conditions.add('document_texts.rowid >= CAST(? AS INTEGER)', rowidFrom);
  if (rowidTo !== null) conditions.add('document_texts.rowid <= CAST(? AS INTEGER)', rowidTo);
  return conditions;
}

export function countHits(statements: Statements, expression: string, where: DocumentConditions): number {
  const source = hitSource(expression, where, false);
  return statements.count(`SELECT count(*) FROM ${source.sql}`, source.values);
}

/** At most `most`, after which counting stops. */
export function countHitsUpTo(
  statements: Statements,
  expression: string,
  where: DocumentConditions,
  most: number,
): number {
  const { sql, values } = hitSource(expression, where, false);
  return statements.count(`SELECT count(*) FROM (SELECT 1 FROM ${sql} LIMIT ?)`, [...values, most]);
}

/** The same as countHits, kept over commits where the hits are read by days. Inside `snapshot` only. */
export function countKeptHits(
  statements: Statements,
  { expression, node }: ParsedQuery,
  p: FulltextSearchParameters,
  where: DocumentConditions,
): number {
  // FTS5 reads all words with a beginning again for each range of days.
  if (where.few !== null || given(p.accession_numbers) || hasPrefix(node))
    return countHits(statements, expression, where);
  return statements.partCounts.count({
    key: `hits ${expression} ${filterText(p)}`,
    kinds: countKinds(p),
    date_from: p.date_from,
    date_to: p.date_to,
    of(days) {
      const { sql, values } = hitSource(expression, documentConditions(p, statements, days), false);
      return { sql: `SELECT count(*) FROM ${sql}`, values };
    },
  });
}

/**
 * Row ids grow with the filing date, but not with the accession number within a day: hits are read a day at a time, and the
 * days that the window touches are sorted by accession number and sequence.
 */
export function hitsByDate(
  statements: Statements,
  expression: string,
  where: DocumentConditions,
  order: 'asc' | 'desc',
  from: number,
  to: number,
  isRanked = true,
): FoundHit[] {
  const source = hitSource(expression, where, isRanked);
  const rank = isRanked ? 'bm25(document_texts)' : '0';
  const rows = statements
    .prepareArrays(
      `SELECT ${source.id}, ${rank} FROM ${source.sql} ORDER BY ${source.id} ${order === 'asc' ? 'ASC' : 'DESC'}`,
    )
    .iterate(...source.values) as Iterable<unknown> as Iterable<[number, number]>;
  const days: FoundHit[][] = [];
  let day: FoundHit[] = [];
  let dayOf = Number.NaN;
  let position = 0;
  /** Hits of the window's first day that come before the window */
  let before = 0;
  const endDay = () => {
    const start = position;
    position += day.length;
    if (position > from && start < to) {
      if (start <= from) before = from - start;
      days.push(day);
    }
    day = [];
  };
  for (const [rowid, rank] of rows) {
    const rowDay = Math.floor(rowid / DOCUMENTS_A_DAY);
    if (rowDay !== dayOf) {
      endDay();
      if (position >= to) break;
      dayOf = rowDay;
    }
    day.push({ rowid, score: -rank });
  }
  endDay();
  sortWithinDays(statements, days);
  return days.flat().slice(before, before + to - from);
}

export function sortWithinDays(statements: Statements, days: readonly FoundHit[][]): void {
  const unordered = days.filter((day) => day.length > 1).flat();
  if (unordered.length === 0) return;
  const keys = new Map<number, [string, number]>();
  const rows = statements
    .prepareArrays(
      'SELECT d.id, f.accession, d.sequence FROM json_each(?) i CROSS JOIN documents d ON d.id = i.value CROSS JOIN filings f ON f.id = d.filing',
    )
    .iterate(JSON.stringify(unordered.map((hit) => hit.rowid))) as Iterable<unknown> as Iterable<
    [number, string, number]
  >;
  for (const [id, accession, sequence] of rows) keys.set(id, [accession, sequence]);
  for (const day of days) {
    if (day.length === 1) continue;
    day.sort((a, b) => {
      const [accessionA, sequenceA] = keys.get(a.rowid)!;
      const [accessionB, sequenceB] = keys.get(b.rowid)!;
      return accessionA < accessionB ? -1 : accessionA > accessionB ? 1 : sequenceA - sequenceB;
    });
  }
}

export function hitsByScore(
  statements: Statements,
  expression: string,
  where: DocumentConditions,
  order: 'asc' | 'desc',
  from: number,
  to: number,
): FoundHit[] {
  const joined = new Conditions();
  joined.add(where.joined.sql, ...where.joined.values);
  const source = hitSource(expression, { ...where, joined });
  // bm25 is lower for better matches.
  const rows = statements
    .prepareArrays(
      `SELECT document_texts.rowid, bm25(document_texts) AS rank_value FROM ${source.sql}
       ORDER BY rank_value ${order === 'desc' ? 'ASC' : 'DESC'}, f.filing_date DESC, f.accession, d.sequence LIMIT ? OFFSET ?`,
    )
    .all(...source.values, to - from, from) as unknown as [number, number][];
  return rows.map(([rowid, rank]) => ({ rowid, score: -rank }));
}
