/** The rows that a lake must have by what the service has, in the fuzz's own words: columns that every service gives. */

import { type Dialect, hasSections, spelled } from './fuzz-service.ts';
import type { Choice } from './scenario.ts';
import { numberOf, OWNERSHIP_REPORT, type World, type WorldDocument, type WorldFiling } from './world.ts';

export type Row = Readonly<Record<string, unknown>>;
/** Tables that filing_info alone has rows of, with the forms that have any. */
const OF_INFO: Readonly<Record<string, RegExp>> = {
  parties: /^/,
  sections: /^(10-[KQ]|20-F)/,
  // Without the list of a 20-F nothing says that the service has its sections.
  section_contents: /^20-F/,
  exhibits_8k: /^8-K/,
};

/** By table, then by key. */
export type Rows = ReadonlyMap<string, ReadonlyMap<string, Row>>;

export const KEYS: Readonly<Record<string, readonly string[]>> = {
  filings: ['accession_number'],
  documents: ['document_id'],
  sections: ['accession_number', 'section'],
  section_contents: ['accession_number', 'section'],
  document_contents: ['document_id'],
  parties: ['accession_number', 'position'],
  ownership_reports: ['accession_number'],
};

export function keyOf(row: Row, columns: readonly string[]): string {
  return columns.map((column) => String(row[column])).join(' ');
}

/** @param now the day of the run, for relative dates */
export function selected(world: World, { select }: Choice, now: Date): WorldFiling[] {
  const {
    form_types,
    excluded_form_types,
    exclude_amendments,
    date_from,
    date_to,
    entity_query,
    accession_numbers,
    items,
  } = select as Record<string, never> & {
    form_types?: string[];
    excluded_form_types?: string[];
    date_from?: string;
    date_to?: string;
    entity_query?: { ciks: string[] };
    accession_numbers?: string[];
    items?: string[];
  };
  const day = (relative: string) =>
    new Date(now.getTime() - Number(relative.slice(1, -1)) * 86_400_000).toISOString().slice(0, 10);
  return world.listed.filter((filing) => {
    if (accession_numbers) return accession_numbers.includes(filing.accession_number);
    if (form_types && !form_types.includes(filing.form_type)) return false;
    if (excluded_form_types?.includes(filing.form_type)) return false;
    if (exclude_amendments && filing.form_type.endsWith('/A')) return false;
    if (date_from && filing.filing_date < day(date_from)) return false;
    if (date_to && filing.filing_date > day(date_to)) return false;
    if (items && filing.form_type !== '8-K') return false;
    return !entity_query || entity_query.ciks.includes(filing.cik);
  });
}

export function rowsOfService(world: World, dialect: Dialect, choice: Choice, now: Date): Rows {
  const rows = new Map<string, Map<string, Row>>();
  const { tables, documents: wanted = {}, sections: chosen } = choice;
  const add = (table: string, row: Row) => {
    if (!tables.includes(table)) return;
    const of = rows.get(table) ?? new Map<string, Row>();
    of.set(keyOf(row, KEYS[table]!), row);
    rows.set(table, of);
  };
  for (const filing of selected(world, choice, now)) {
    const { accession_number, cik, form_type, filing_date, size } = filing;
    const isListed = choice.select.accession_numbers === undefined;
    const form = dialect.forms ? { form_type } : {};
    add('filings', { accession_number, cik, ...form, filing_date, ...(isListed ? { size } : {}) });
    add('parties', { accession_number, position: 0, cik, name: world.nameOf(cik) });
    for (const document of filing.documents) {
      const { document_id, sequence, type, description, content } = document;
      if (!isNamed(document, filing, choice, dialect)) continue;
      const bytes = dialect.sizes && wanted.sizes !== false ? { size: Buffer.byteLength(content) } : {};
      add('documents', { document_id, sequence, type, description, ...bytes });
    }
    for (const document of contentsWanted(filing, choice, dialect)) {
      const { document_id, content } = document;
      const isConverted = document.filename.endsWith('.xml') && wanted.xml !== 'raw';
      add('document_contents', { document_id, ...(isConverted ? { encoding: 'json' } : { content }) });
    }
    const report = filing.documents.find(({ filename }) => filename === OWNERSHIP_REPORT);
    if (form_type === '4' && report && !report.late) {
      const [, issuer_name] = /<issuerName>(.*)<\/issuerName>/.exec(report.content)!;
      add('ownership_reports', { accession_number, issuer_name });
    }
    const sections = filing.late_sections === null && hasSections(dialect, filing) ? filing.sections : [];
    for (const { section: code, title, html } of sections) {
      if (chosen && !chosen.codes.includes(code)) continue;
      const section = dialect.codes.info === 'named' ? spelled(code, title, 'named') : code;
      add('sections', { accession_number, section, title });
      add('section_contents', { accession_number, section, html });
    }
  }
  return rows;
}

/** Whose contents the definition wants, that the service gives, and that the definition's limit allows. */
function contentsWanted(filing: WorldFiling, choice: Choice, dialect: Dialect): WorldDocument[] {
  const { types = ['primary'], max_bytes } = (choice.documents ?? {}) as { types?: string[]; max_bytes?: number };
  const documents = filing.documents;
  const isOfForm = ({ type }: WorldDocument) => [filing.form_type, filing.form_type.replace('/A', '')].includes(type);
  const primary = documents.find(({ type }) => type === filing.form_type) ?? documents.find(isOfForm) ?? documents[0]!;
  return documents.filter((document) => {
    const isWanted = types.some((type) => {
      if (type === 'all') return true;
      if (type === 'primary') return document === primary;
      if (type === 'exhibits') return document.type.startsWith('EX-');
      return type.endsWith('*') ? document.type.startsWith(type.slice(0, -1)) : document.type === type;
    });
    return (
      isWanted &&
      isNamed(document, filing, choice, dialect) &&
      !document.late &&
      !(isTooLarge(document, choice, dialect) || max_bytes === 0)
    );
  });
}

/** Whether an answer that the export needs names the document: filing_info names all. */
function isNamed({ sequence }: WorldDocument, filing: WorldFiling, choice: Choice, dialect: Dialect): boolean {
  return dialect.documents !== 'first' || sequence === 1 || asksForInfo(filing, choice);
}

/** Whether the export must request filing_info, whatever lookups state. */
export function asksForInfo({ form_type }: WorldFiling, { tables, documents, sections }: Choice): boolean {
  const asksForSizes = tables.includes('documents') && documents?.sizes !== false;
  // A form that can't have a chosen section needs no list of them.
  const isOfForm = (code: string) => {
    if (form_type === '20-F') return /^(\d+|16[A-K])$/.test(code);
    return code.includes('-') === form_type.startsWith('10-Q');
  };
  const hasChosen = !sections || sections.codes.some(isOfForm);
  const isMet = (table: string) => !table.startsWith('section') || hasChosen;
  return asksForSizes || tables.some((table) => OF_INFO[table]?.test(form_type) && isMet(table));
}

/** Whether the export must know that a document is larger than its limit: the sizes are in answers that it needs. */
export function isTooLarge(
  { content }: WorldDocument,
  { documents = {}, tables }: Choice,
  { sizes }: Dialect,
): boolean {
  const { max_bytes, sizes: asksForSizes } = documents as { max_bytes?: number; sizes?: boolean };
  if (max_bytes === undefined || Buffer.byteLength(content) <= max_bytes) return false;
  return sizes && tables.includes('documents') && asksForSizes !== false;
}

export function filingOfRow(row: Row): number | null {
  const number = row.accession_number ?? row.document_id;
  return typeof number === 'string' && number.length >= 20 ? numberOf(number.slice(0, 20)) : null;
}
