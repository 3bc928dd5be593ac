/** Rows of made-up documents, by table. */
import { type Filing, mapFiling, type Row } from '../../../src/filings/forms/index.ts';

export interface Given {
  accessionNumber?: string;
  filingDate?: string;
  formType?: string;
}

/** @param texts documents of one filing; without `accessionNumber` they are loose */
export function mapped(texts: string | string[], given: Given = {}): Record<string, Row[]> {
  const documents = (typeof texts === 'string' ? [texts] : texts).map((text, k) => ({
    name: `doc${k + 1}.xml`,
    type: null,
    text: () => text,
  }));
  const { accessionNumber = null, filingDate = null, formType = null } = given;
  return rowsOf({ accessionNumber, filingDate, formType, documents });
}

export function rowsOf(filing: Filing): Record<string, Row[]> {
  const rows: Record<string, Row[]> = {};
  for (const { table, row } of mapFiling(filing)) {
    rows[table] ??= [];
    rows[table].push(row);
  }
  return rows;
}

/** Columns of a row that are not null, without those that every row has. */
export function said(row: Row | undefined): Row {
  const { accession_number: _, mapping_version: __, ...rest } = row ?? {};
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
}
