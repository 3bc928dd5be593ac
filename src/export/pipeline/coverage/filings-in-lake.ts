/** Records of filings as the lake has them. */
import type { DocumentReference, Filing } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { among } from '../sql-values.ts';

export async function filingsInLake(lake: Lake, numbers: readonly string[]): Promise<Map<string, Filing>> {
  const filings = new Map<string, Filing>();
  if (numbers.length === 0) return filings;
  const these = `accession_number IN ${among(numbers)}`;
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  for (const row of await lake.query(
    `SELECT accession_number, cik, form_type, filing_date::VARCHAR AS filing_date, entity_name, report_date::VARCHAR AS report_date,
       strftime(acceptance_datetime, '%Y-%m-%dT%H:%M:%S') AS acceptance_datetime, size::DOUBLE AS size FROM filings WHERE ${these}`,
    { tables: ['filings'] },
  )) {
    const accession_number = String(row.accession_number);
    filings.set(accession_number, {
      accession_number,
      cik: text(row.cik),
      form_type: text(row.form_type),
      entity_name: text(row.entity_name),
      filing_date: text(row.filing_date),
      acceptance_datetime: text(row.acceptance_datetime),
      report_date: text(row.report_date),
      size: row.size === null ? null : Number(row.size),
      documents: [],
    });
  }
  for (const row of await lake.query(`SELECT * FROM documents WHERE ${these}`, { tables: ['documents'] })) {
    const document: DocumentReference = {
      document_id: String(row.document_id),
      sequence: Number(row.sequence),
      filename: text(row.filename),
      description: text(row.description),
      type: text(row.type),
    };
    filings.get(String(row.accession_number))?.documents.push(document);
  }
  return filings;
}
