/** An export's definition: the part of its YAML that goes into a workflow's input. The API key is not in it. */
import { isObject } from '../../core/index.ts';
import {
  type EntityFilter,
  type FilingLookupParameters,
  type FulltextSearchParameters,
  SECTION_CODES,
  type SectionFamily,
} from '../../filings/api/index.ts';
import { type ExportTable, namesFrom } from '../../lake/tables/index.ts';
import { canonicalJson } from '../revisions/index.ts';

export const DEFAULT_CONNECTIONS = 8;
export const DEFAULT_LAKE = './lake';
export const DEFAULT_PATIENCE_SECONDS = 3_600;
export const ENTITY_DAYS = 30;

/** The filters of filing_lookup, as in the contract. */
export type FilingFilters = Pick<
  FilingLookupParameters,
  'entity_query' | 'form_types' | 'excluded_form_types' | 'exclude_amendments' | 'items' | 'date_from' | 'date_to'
>;

/** A full-text search. It selects the filings with a hit. */
export type FulltextQuery = Pick<FulltextSearchParameters, 'query_type' | 'document_types'> & { query: string };

/** Values in a file: a definition may be too small for them. */
export interface NumbersFile {
  /** Absolute path, the same for every worker of the run */
  file: string;
  /** Hash of its content when the definition was read; absent if each run reads the file again. */
  hash?: string;
  /** Column of a CSV or Parquet file; absent: one value a line, or the column that is named for them. */
  column?: string;
}

/** The selection. Dates may be relative to the day of the run: `-30d`, `today`. */
export interface Selection extends FilingFilters {
  /** All entities that match `entity_query`, or the whole registry; absent: the entities of the filings. */
  entities?: 'query';
  /** Only these filings. */
  accession_numbers?: string[] | NumbersFile;
  /** CIKs, tickers or names that are in a file, in addition to `entity_query`; one of them. */
  entity_lists?: { ciks?: NumbersFile; tickers?: NumbersFile; names?: NumbersFile };
  /** Filings of the documents that a search finds, within the filters. */
  fulltext?: FulltextQuery;
}

export interface ExportDefinition {
  name: string;
  service: {
    /** Without `/v2`, and without a slash at the end; or a catalog's address (`catalogOf`) */
    base_url: string;
    method: 'get' | 'post';
    /** The header that the key is sent in; absent: it is the parameter `api_key` */
    key?: 'bearer' | 'x-api-key';
    /** Maximum number of requests in flight */
    connections: number;
    /** Number of batches that are fetched at the same time, each with its connections; absent: one for each worker */
    parallel?: number;
    /** Records requested in one lookup */
    page_size: number;
    /** How long a run waits for a service that becomes unreachable during the run; absent: `DEFAULT_PATIENCE_SECONDS` */
    patience_seconds?: number;
  };
  select: Selection;
  /** Including the tables that the requested ones need, in order of writing. */
  tables: ExportTable[];
  documents: {
    /** Whose content: `primary`, `exhibits`, `all`, or document types. `EX-10*` is a prefix. */
    types: string[];
    /** Whether XML documents are converted to JSON, or stored unchanged. */
    xml: 'json' | 'raw';
    /** Images, ZIP archives and spreadsheets too. */
    graphics: boolean;
    /** Readable text beside the content. */
    text?: true;
    /** Divide annual reports to shareholders (Exhibit 13) into sections. */
    annual_report?: true;
    /** Whether to spend a filing_info request for each filing on `documents.size`. */
    sizes: boolean;
    /** Larger documents are recorded as failures, without a request if their size is known; absent: the client's limit */
    max_bytes?: number;
  };
  /** Of every readable text that the export makes; absent: plain */
  text_format?: 'markdown' | 'lines';
  /** The sections to keep; absent: all. */
  sections?: { codes: string[] };
  /** Filings requested again though the lake has them: those filed in this number of days before the run, or all */
  refresh?: number | 'all';
  /** Days after which an entity is requested again; null: never; absent: `ENTITY_DAYS` */
  entities?: { refresh_days: number | null };
  lake: string;
  budget: {
    /** Requests of this run over its life; null: no limit */
    max_requests: number | null;
    /** Bytes after which nothing more is sent; null: no limit */
    max_bytes: number | null;
    /** Requests of the month to leave unused */
    reserve: number;
    /** Whether one filing after the other is fetched, or one kind of request after the other; absent: filings */
    order?: 'filings' | 'breadth';
  };
  /** Who gets notices of a schedule */
  notify?: Notify;
}

export interface Notify {
  command?: string | undefined;
  webhook?: string | undefined;
  mail?: string | undefined;
  late_seconds?: number;
}

/** For future runs: each reads its file again. */
export function readAnew(definition: ExportDefinition): ExportDefinition {
  const { accession_numbers, entity_lists } = definition.select;
  const select = { ...definition.select };
  if (accession_numbers !== undefined && !Array.isArray(accession_numbers))
    select.accession_numbers = withoutHash(accession_numbers);
  if (entity_lists !== undefined)
    select.entity_lists = Object.fromEntries(
      Object.entries(entity_lists).map(([name, list]) => [name, withoutHash(list)]),
    );
  return { ...definition, select };
}

function withoutHash({ hash: _hash, ...list }: NumbersFile): NumbersFile {
  return list;
}

/** Whether a filter of entities narrows anything: empty lists don't. */
export function isEntityFilter(filter: EntityFilter | undefined): filter is EntityFilter {
  return filter !== undefined && Object.values(filter).some((list) => list !== undefined && list.length > 0);
}

/**
 * The differences, a line each: `select.date_to: "2024-12-31", was "2023-12-31"`. Budget, notify, connections and page size are ignored:
 * they don't change the result, and a person must be able to raise the budget of a run. A run with a refresh does all that one
 * without does: a schedule continues a run that `--refresh` began.
 * @param running the definition of the active run
 * @param given the new one
 */
export function definitionDifference(running: ExportDefinition, given: ExportDefinition): string[] {
  const differences: string[] = [];
  // A scheduled run has read its file itself. It counts as equal to one with the same file.
  const [a, b] = hasHash(running) && hasHash(given) ? [running, given] : [readAnew(running), readAnew(given)];
  const { refresh = a.refresh } = b;
  compare('', comparable(a), comparable(refresh === undefined ? b : { ...b, refresh }), differences);
  return differences;
}

function hasHash({ select: { accession_numbers, entity_lists } }: ExportDefinition): boolean {
  return [accession_numbers, ...Object.values(entity_lists ?? {})].some(
    (list) => typeof list === 'object' && 'hash' in list,
  );
}

function comparable(definition: ExportDefinition): unknown {
  const { budget: _budget, notify: _notify, service, documents, ...rest } = definition;
  return {
    ...rest,
    service: { base_url: service.base_url, method: service.method },
    documents: { ...documents, types: [...documents.types].sort() },
  };
}

function compare(path: string, running: unknown, given: unknown, differences: string[]): void {
  if (isObject(running) && isObject(given)) {
    for (const name of new Set([...Object.keys(running), ...Object.keys(given)])) {
      compare(path === '' ? name : `${path}.${name}`, running[name], given[name], differences);
    }
    return;
  }
  if (canonicalJson(running) !== canonicalJson(given)) {
    differences.push(`${path}: ${told(given)}, was ${told(running)}`);
  }
}

function told(value: unknown): string {
  return value === undefined ? 'not given' : JSON.stringify(value).slice(0, 200);
}

/** The wanted codes of a family; null: all of them. */
export function choiceOfCodes(definition: ExportDefinition, family: SectionFamily): string[] | null {
  const chosen = definition.sections?.codes;
  return chosen === undefined ? null : SECTION_CODES[family].filter((code) => chosen.includes(code));
}

/** Types that EDGAR uses for images, archives and spreadsheets. */
const GRAPHIC_TYPES = new Set(['GRAPHIC', 'ZIP', 'EXCEL']);

export function isGraphicType(type: string): boolean {
  return GRAPHIC_TYPES.has(type.toUpperCase());
}

/** Whether a table is wanted whose rows come from this request. */
export function wantsFrom(
  { tables }: Pick<ExportDefinition, 'tables'>,
  source: Parameters<typeof namesFrom>[0],
): boolean {
  return namesFrom(source).some((name) => tables.includes(name));
}
