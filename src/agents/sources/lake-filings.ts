/** SQL over the filings of a lake and the texts that are searched, and rows as filings. */
import { quoteList, quoteText } from '../../core/index.ts';
import type { Cell } from '../../lake/index.ts';
import { patternOf } from '../answers/terms.ts';
import type { FilingQuery, FilingRow } from './filing-source.ts';
import { knownSql, type LakeRow, standingSql } from './lake-tables.ts';

export const texts = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined ? null : String(cell);
export const numbers = (cell: Cell | undefined): number | null =>
  cell === null || cell === undefined ? null : Number(cell);
export const list = (cell: Cell | undefined): string[] => (Array.isArray(cell) ? cell.map(String) : []);

/** Text of a document that can be searched; markup is not. */
export const SEARCHED = `CASE WHEN c.bytes IS NULL THEN coalesce(c.text, CASE WHEN c.content_type = 'text/plain' THEN c.content END) END`;

/** Sections of a document that is searched whole would be found twice. */
export const SEARCHED_PARTS = `SELECT accession_number, document_id, NULL AS section, ${SEARCHED} AS text FROM document_contents c WHERE ${SEARCHED} IS NOT NULL
  UNION ALL SELECT accession_number, document_id, section, text FROM section_contents s
  WHERE NOT EXISTS (FROM document_contents c WHERE c.document_id = s.document_id AND ${SEARCHED} IS NOT NULL)`;

/** Whether a text `t.text` has all terms. The words alone first: that costs a tenth of the pattern. */
export function holding(terms: readonly (readonly string[])[]): string {
  const words = terms.flat().map((word) => `contains(lower(t.text), ${quoteText(word.toLowerCase())})`);
  const patterns = terms.map((term) => `regexp_matches(t.text, ${quoteText(patternOf(term))}, 'i')`);
  return [...words, ...patterns].join(' AND ');
}

export const FILING_COLUMNS = `f.accession_number, f.cik, f.entity_name, f.form_type, f.filing_date, f.acceptance_datetime, f.report_date,
  (SELECT list(item ORDER BY item) FROM items_8k i WHERE i.accession_number = f.accession_number) AS items`;

/** SQL over `filings f`. */
export function filingConditions(query: Omit<FilingQuery, 'from' | 'limit'>): string {
  const { cik, forms, from_date, to_date, items, numbers: accessions, amendments, terms, asOf } = query;
  const where = [accessions?.length ? knownSql('f', asOf) : standingSql('f', asOf)];
  if (cik !== undefined)
    where.push(
      `(f.cik = ${quoteText(cik)} OR f.accession_number IN (SELECT accession_number FROM parties WHERE cik = ${quoteText(cik)}))`,
    );
  if (forms?.length) where.push(`upper(f.form_type) IN ${quoteList(forms.map((form) => form.trim().toUpperCase()))}`);
  if (from_date !== undefined) where.push(`f.filing_date >= DATE ${quoteText(from_date)}`);
  if (to_date !== undefined) where.push(`f.filing_date <= DATE ${quoteText(to_date)}`);
  if (items?.length)
    where.push(`f.accession_number IN (SELECT accession_number FROM items_8k WHERE item IN ${quoteList(items)})`);
  if (terms?.length)
    where.push(`f.accession_number IN (SELECT t.accession_number FROM (${SEARCHED_PARTS}) t WHERE ${holding(terms)})`);
  if (accessions?.length) where.push(`f.accession_number IN ${quoteList(accessions)}`);
  if (amendments === 'without') where.push("NOT ends_with(upper(f.form_type), '/A')");
  if (amendments === 'only') where.push("ends_with(upper(f.form_type), '/A')");
  return where.join(' AND ');
}

export function filingOf(row: LakeRow): FilingRow {
  return {
    accession_number: String(row.accession_number),
    cik: texts(row.cik),
    entity_name: texts(row.entity_name),
    form_type: texts(row.form_type),
    filing_date: texts(row.filing_date),
    acceptance_datetime: texts(row.acceptance_datetime),
    report_date: texts(row.report_date),
    items_8k: Array.isArray(row.items) ? row.items.map(String) : null,
  };
}

/** Without rows, the position is the end. */
export function totalOf(rows: readonly LakeRow[], from: number): number {
  return rows[0] === undefined ? from : Number(rows[0].total);
}

export const range = (start: Cell | undefined, end: Cell | undefined) =>
  start === null || start === undefined ? null : { start: Number(start), end: Number(end) };
