/** What an export is: the part of its YAML that goes into a workflow's input. The API key is no part of it. */
import type { EntityFilter, FilingLookupParameters, FulltextSearchParameters } from '../../api/index.ts';
import type { ExportTable } from '../../tables/index.ts';
import { canonicalJson, hash64 } from '../hash.ts';

/** Where `filinglake serve` listens. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';
export const DEFAULT_CONNECTIONS = 8;
export const DEFAULT_LAKE = './lake';
export const DEFAULT_PATIENCE_SECONDS = 3_600;

/** The filters of filing_lookup, as the contract has them. */
export type FilingFilters = Pick<
  FilingLookupParameters,
  'entity_query' | 'form_types' | 'excluded_form_types' | 'exclude_amendments' | 'items' | 'date_from' | 'date_to'
>;

/** A full-text search whose hits' filings are selected. */
export type FulltextQuery = Pick<FulltextSearchParameters, 'query_type' | 'document_types'> & { query: string };

/** Accession numbers that stand in a file: they are too many to travel with a definition. */
export interface NumbersFile {
  /** Absolute path, for every worker of the run */
  file: string;
  /** Hash of its content when the definition was read; absent where each run is to read it anew. */
  hash?: string;
}

/** What is selected. Dates may be relative to the day of the run: `-30d`, `today`. */
export interface Selection extends FilingFilters {
  /** All entities that `entity_query` matches, or the whole registry; absent: those of the filings. */
  entities?: 'query';
  /** These filings and no others. */
  accession_numbers?: string[] | NumbersFile;
  /** Filings of the documents that a search finds, within the filters. */
  fulltext?: FulltextQuery;
}

export interface ExportDefinition {
  name: string;
  service: {
    /** Without `/v2`, without a slash at the end */
    base_url: string;
    method: 'get' | 'post';
    /** Requests in flight at most */
    connections: number;
    /** Records asked for in one lookup */
    page_size: number;
    /** How long a run waits for a service that went away in mid-run; absent: `DEFAULT_PATIENCE_SECONDS` */
    patience_seconds?: number;
  };
  select: Selection;
  /** With all that the asked ones bring, in order of writing. */
  tables: ExportTable[];
  documents: {
    /** Whose content: `primary`, `exhibits`, `all`, or document types, where `EX-10*` is a prefix. */
    types: string[];
    /** Of XML documents: converted to JSON, or as they are. */
    xml: 'json' | 'raw';
    /** Images, ZIP archives and spreadsheets too. */
    graphics: boolean;
    /** Whether `documents.size` is worth a filing_info request a filing. */
    sizes: boolean;
    /** Documents with more bytes, as far as sizes are stated, are recorded as failures without a request; absent: what the client takes */
    max_bytes?: number;
  };
  /** Which sections are kept; absent: all. */
  sections?: { codes: string[] };
  lake: string;
  budget: {
    /** Requests of this run over its life; null: no limit */
    max_requests: number | null;
    /** Bytes after which nothing more is sent; null: no limit */
    max_bytes: number | null;
    /** Requests of the month that are left untouched */
    reserve: number;
  };
}

/** For runs to come: a file of accession numbers is to be read as it is then. */
export function readAnew(definition: ExportDefinition): ExportDefinition {
  const { accession_numbers } = definition.select;
  if (accession_numbers === undefined || Array.isArray(accession_numbers)) return definition;
  return { ...definition, select: { ...definition.select, accession_numbers: { file: accession_numbers.file } } };
}

/** Whether a filter of entities narrows anything: empty lists don't. */
export function isEntityFilter(filter: EntityFilter | undefined): filter is EntityFilter {
  return filter !== undefined && Object.values(filter).some((list) => list !== undefined && list.length > 0);
}

/** Equal for definitions between which `definitionDifference` finds nothing. */
export function definitionFingerprint(definition: ExportDefinition): string {
  return hash64(canonicalJson(comparable(definition)));
}

/**
 * What differs, a line each: `select.date_to: "2024-12-31", was "2023-12-31"`. Budget, connections and page size are left out: they say how a run goes on,
 * not what it brings, and raising a budget must not refuse the run that it is meant for.
 * @param running the definition that runs already
 * @param given the one that was given now
 */
export function definitionDifference(running: ExportDefinition, given: ExportDefinition): string[] {
  const differences: string[] = [];
  // A scheduled run has read its file for itself, and is not told from one that was given the same file now.
  const [a, b] = hasHash(running) && hasHash(given) ? [running, given] : [readAnew(running), readAnew(given)];
  compare('', comparable(a), comparable(b), differences);
  return differences;
}

function hasHash({ select: { accession_numbers } }: ExportDefinition): boolean {
  return typeof accession_numbers === 'object' && 'hash' in accession_numbers;
}

function comparable(definition: ExportDefinition): unknown {
  const { budget: _budget, service, documents, ...rest } = definition;
  return {
    ...rest,
    service: { base_url: service.base_url, method: service.method },
    documents: { ...documents, types: [...documents.types].sort() },
  };
}

function compare(path: string, running: unknown, given: unknown, differences: string[]): void {
  if (isPlainObject(running) && isPlainObject(given)) {
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

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
