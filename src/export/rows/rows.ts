/** Records of /v2 as rows of the lake's tables: columns by name, dates and times as text, bytes as base64. */
import {
  type DocumentContent,
  type Entity,
  type Filing,
  type FilingInfo,
  type FilingSections,
  isCalendarDate,
} from '../../api/index.ts';
import type { ExportTable } from '../tables.ts';

export type Row = Record<string, string | number | boolean | null>;
export type RowsByTable = Partial<Record<ExportTable, Row[]>>;

/** A value that a column can't hold: the row has none; or a second row for one key, which was left out. */
export interface RowViolation {
  /** Member of the record: `documents[3].sequence` */
  path: string;
  value: string | number | boolean | null;
}

export interface RowsResult {
  rows: RowsByTable;
  violations: RowViolation[];
}

/** A document as the client gives it: size and digest are null where a service gives converted content without them. */
export type ContentRecord = Omit<DocumentContent, 'size' | 'sha256'> & { size: number | null; sha256: string | null };

export const INTEGER_MAX = 2 ** 31 - 1;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Gathers rows; of a value that its column can't hold the row has none, and it is told. */
class Gatherer {
  readonly rows: RowsByTable = {};
  readonly violations: RowViolation[] = [];
  readonly #keys = new Map<ExportTable, Set<string>>();

  add(table: ExportTable, path: string, key: string, row: Row, checks: readonly Check[] = []): void {
    this.rows[table] ??= [];
    for (const { name, fits } of checks) {
      const value = row[name] ?? null;
      if (value !== null && !fits(value)) {
        this.violations.push({ path: path === '' ? name : `${path}.${name}`, value });
        row[name] = null;
      }
    }
    const keys = this.#keys.get(table) ?? new Set<string>();
    if (keys.has(key)) {
      this.violations.push({ path, value: `a second row for ${key}` });
      return;
    }
    this.#keys.set(table, keys.add(key));
    this.rows[table].push(row);
  }

  /** A table that was asked has its list, even an empty one: it says that rows of an older revision go. */
  open(...tables: ExportTable[]): this {
    for (const table of tables) this.rows[table] ??= [];
    return this;
  }

  result(): RowsResult {
    return { rows: this.rows, violations: this.violations };
  }
}

interface Check {
  name: string;
  fits: (value: string | number | boolean) => boolean;
}
const isInteger = (value: unknown): boolean => Number.isInteger(value) && Math.abs(value as number) <= INTEGER_MAX;
const isBigint = (value: unknown): boolean => Number.isSafeInteger(value);
const DATE = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
/** Only days from the 29th on need the calendar, which costs ten times the rest of a row. */
const isDate = (value: unknown): boolean =>
  typeof value === 'string' && DATE.test(value) && (value.slice(8) <= '28' || isCalendarDate(value));
const isDateTime = (value: unknown): boolean =>
  typeof value === 'string' && DATE_TIME.test(value) && isDate(value.slice(0, 10));

const FILING_CHECKS: readonly Check[] = [
  { name: 'filing_date', fits: isDate },
  { name: 'acceptance_datetime', fits: isDateTime },
  { name: 'report_date', fits: isDate },
  { name: 'size', fits: isBigint },
];
const DOCUMENT_CHECKS: readonly Check[] = [
  { name: 'sequence', fits: isInteger },
  { name: 'size', fits: isBigint },
];
const SECTION_CHECKS: readonly Check[] = [
  { name: 'start_index', fits: isBigint },
  { name: 'end_index', fits: isBigint },
];

/** `filings` and `documents` of one record of the lookup; without its documents where they aren't wanted. */
export function filingRows(filing: Filing, documents = true): RowsResult {
  const gatherer = new Gatherer().open('filings', 'documents');
  const { accession_number } = filing;
  gatherer.add(
    'filings',
    '',
    accession_number,
    {
      accession_number,
      cik: filing.cik,
      form_type: filing.form_type,
      filing_date: filing.filing_date,
      acceptance_datetime: filing.acceptance_datetime,
      entity_name: filing.entity_name,
      report_date: filing.report_date,
      size: filing.size,
    },
    FILING_CHECKS,
  );
  if (documents) addDocuments(gatherer, accession_number, filing.documents);
  return gatherer.result();
}

/** `documents` (with sizes), `parties`, `sections`, `items_8k`, `exhibits_8k` of one filing_info. Positions count from 0. */
export function infoRows(info: FilingInfo): RowsResult {
  const gatherer = new Gatherer().open('documents', 'parties', 'sections', 'items_8k', 'exhibits_8k');
  const { accession_number } = info;
  addDocuments(gatherer, accession_number, info.documents);
  info.parties.forEach((party, position) => {
    const row = { accession_number, position, role: party.role, cik: party.cik, name: party.name };
    gatherer.add('parties', `parties[${position}]`, String(position), row);
  });
  info.sections.forEach(({ section, title, heading, start_index, end_index }, i) => {
    const row = { accession_number, section, title, heading, start_index, end_index };
    gatherer.add('sections', `sections[${i}]`, section, row, SECTION_CHECKS);
  });
  for (const [item, { title, exhibits }] of itemsOnce(info)) {
    gatherer.add('items_8k', 'items_8k', item, { accession_number, item, title });
    exhibits.forEach(({ exhibit, description, document_id }, position) => {
      const row = { accession_number, item, position, exhibit, description, document_id };
      gatherer.add('exhibits_8k', 'items_8k.exhibits', `${item} ${position}`, row);
    });
  }
  return gatherer.result();
}

type ItemParts = Pick<NonNullable<FilingInfo['items_8k']>[number], 'title' | 'exhibits'>;

/** An item that a filing names twice is one item with the exhibits of both. */
function itemsOnce(info: FilingInfo): Map<string, ItemParts> {
  const items = new Map<string, ItemParts>();
  for (const { item, title, exhibits } of info.items_8k ?? []) {
    const had = items.get(item);
    items.set(
      item,
      had ? { title: had.title ?? title, exhibits: [...had.exhibits, ...exhibits] } : { title, exhibits },
    );
  }
  return items;
}

function addDocuments(gatherer: Gatherer, accession_number: string, documents: Filing['documents']): void {
  documents.forEach(({ document_id, sequence, filename, description, type, size }, i) => {
    const row = { document_id, accession_number, sequence, filename, description, type, size: size ?? null };
    gatherer.add('documents', `documents[${i}]`, document_id, row, DOCUMENT_CHECKS);
  });
}

/**
 * `section_contents` of one filing_sections.
 * @param toTexts readable texts of the sections' HTML (documents' `sectionTexts`: this room may not know that one)
 */
export function sectionRows(sections: FilingSections, toTexts: (htmls: readonly string[]) => string[]): RowsResult {
  const gatherer = new Gatherer().open('section_contents');
  const { accession_number } = sections;
  const texts = toTexts(sections.sections.map(({ html }) => html));
  sections.sections.forEach(({ section, title, heading, html }, i) => {
    const row = { accession_number, section, title, heading, html, text: texts[i]! };
    gatherer.add('section_contents', `sections[${i}]`, section, row);
  });
  return gatherer.result();
}

/** `document_contents` of one document: text or JSON text in `content`, bytes in `bytes` as base64. */
export function documentRows(document: ContentRecord): RowsResult {
  const gatherer = new Gatherer().open('document_contents');
  const { document_id, accession_number, content_type, encoding, content, size, sha256 } = document;
  const asText = encoding === 'json' ? jsonText(content) : typeof content === 'string' ? content : null;
  if (asText === null) {
    return { rows: gatherer.rows, violations: [{ path: 'content', value: `no text: ${typeof content}` }] };
  }
  const row: Row = {
    document_id,
    accession_number,
    content_type,
    encoding,
    content: encoding === 'base64' ? null : asText,
    bytes: encoding === 'base64' ? asText : null,
    size,
    sha256,
  };
  gatherer.add('document_contents', '', document_id, row, [{ name: 'size', fits: isBigint }]);
  return gatherer.result();
}

/** Null for what can be read as JSON and not be written: nested too deeply. */
function jsonText(content: unknown): string | null {
  try {
    return JSON.stringify(content) ?? null;
  } catch {
    return null;
  }
}

/** `entities`, `entity_tickers` and `entity_addresses` of one entity. Positions count from 0. */
export function entityRows(entity: Entity): RowsResult {
  const gatherer = new Gatherer().open('entities', 'entity_tickers', 'entity_addresses');
  const { cik, name, sic, sic_description, state_of_incorporation, fiscal_year_end, entity_type, category } = entity;
  gatherer.add('entities', '', cik, {
    cik,
    name,
    sic,
    sic_description,
    state_of_incorporation,
    fiscal_year_end,
    entity_type,
    category,
  });
  // Either list may be the longer one: a service may list exchanges as a set, and not side by side with the tickers.
  const { tickers, exchanges } = entity;
  for (let position = 0; position < Math.max(tickers.length, exchanges.length); position++) {
    const row = { cik, position, ticker: tickers[position] ?? null, exchange: exchanges[position] ?? null };
    gatherer.add('entity_tickers', `tickers[${position}]`, String(position), row);
  }
  for (const [kind, { street1, street2, city, state, zip }] of Object.entries(entity.addresses)) {
    gatherer.add('entity_addresses', `addresses.${kind}`, kind, { cik, kind, street1, street2, city, state, zip });
  }
  return gatherer.result();
}
