/** What an export is: the part of its YAML that goes into a workflow's input. The API key is no part of it. */
import { z } from 'zod';
import { ENTITY_FILTER_NAMES, filingLookupSchema } from '../contract/index.ts';
import { canonicalJson, hash64 } from './hash.ts';
import { EXPORT_TABLES, type ExportTable } from './tables.ts';

/** Of the names under which runs and workflows go: what fits into a file name and a workflow id. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const BASE_URL = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i;
const MAX_CONNECTIONS = 64;
const MAX_PAGE = 10_000;

/** Where `filinglake serve` listens. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';
export const DEFAULT_CONNECTIONS = 8;
export const DEFAULT_LAKE = './lake';

const lookup = filingLookupSchema.shape;
/** The filters of filing_lookup, as the contract has them. */
const selectSchema = z.strictObject({
  entity_query: lookup.entity_query,
  form_types: lookup.form_types,
  excluded_form_types: lookup.excluded_form_types,
  exclude_amendments: lookup.exclude_amendments,
  items: lookup.items,
  date_from: lookup.date_from,
  date_to: lookup.date_to,
});
export type Selection = z.output<typeof selectSchema>;

/** The YAML's shape, after values from the environment were put in. */
export const definitionSchema = z.strictObject({
  name: z
    .string()
    .regex(NAME_PATTERN, 'must be 1 to 63 letters, digits, dots, dashes or underscores, a letter or digit first')
    .optional(),
  service: z
    .strictObject({
      base_url: z.string().regex(BASE_URL, 'must be an http or https URL without user, query or fragment').optional(),
      api_key: z.string().optional(),
      method: z.enum(['get', 'post']).optional(),
      connections: z.int().min(1).max(MAX_CONNECTIONS).optional(),
      page_size: z.int().min(1).max(MAX_PAGE).optional(),
    })
    .optional(),
  select: selectSchema,
  tables: z.array(z.enum(EXPORT_TABLES)).min(1, 'must name at least one table'),
  documents: z
    .strictObject({
      types: z.array(z.string().min(1)).min(1, 'must name at least one type').optional(),
      xml: z.enum(['json', 'raw']).optional(),
      graphics: z.boolean().optional(),
      sizes: z.boolean().optional(),
    })
    .optional(),
  lake: z.string().min(1).optional(),
  budget: z
    .strictObject({
      max_requests: z.int().min(1).optional(),
      max_bytes: z.int().min(1).optional(),
      reserve: z.int().min(0).optional(),
    })
    .optional(),
});

export interface ExportDefinition {
  name: string;
  service: {
    /** Without `/v2`, without a slash at the end */
    base_url: string;
    method: 'get' | 'post';
    /** Requests in flight at most */
    connections: number;
    /** Filings asked for in one lookup */
    page_size: number;
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
  };
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

export const ENTITY_QUERY_KEYS: readonly string[] = ENTITY_FILTER_NAMES;

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
  compare('', comparable(running), comparable(given), differences);
  return differences;
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
  return value === undefined ? 'not given' : JSON.stringify(value);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
