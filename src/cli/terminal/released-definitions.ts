/** The definitions of a release's exports, as a rebuild runs them: for this service and lake, over the days of the original. */
import { resolve } from 'node:path';
import { FilinglakeError, isObject } from '../../core/index.ts';
import {
  canonicalJson,
  catalogAddress,
  catalogOf,
  type ExportDefinition,
  type ParsedDefinition,
  resolveDate,
  type Selection,
} from '../../export/index.ts';
import type { ReleasedExport, ReleaseManifest } from '../../lake/report/index.ts';
import { EXPORT_TABLES } from '../../lake/tables/index.ts';
import { keyOf } from './definition-file.ts';
import type { OneExport } from './run-exports.ts';

export interface RebuildPlaces {
  /** Folder of a catalog. */
  catalog?: string | undefined;
  /** Address of a service: never the manifest's own, since a stranger's address must not receive a key. */
  service?: string | undefined;
  /** Absolute folder or URL. */
  lake: string;
}

/**
 * One export for each definition that the release was made with: an edited one selected other filings before.
 * @throws FilinglakeError `release-unreadable`: the manifest has no definition; as `keyOf`
 */
export async function rebuildExports(
  { exports, name, released_at, coverage }: ReleaseManifest,
  places: RebuildPlaces,
): Promise<OneExport[]> {
  const address = baseUrl(places);
  const definitions = new Map<string, ExportDefinition>();
  for (const one of exports) {
    const definition = definitionOf(one, {
      released_at,
      newest: dayOf(coverage?.filings?.last),
      address,
      lake: places.lake,
    });
    if (definition === null) continue;
    // Two runs of an open selection end on different days: the later one has the filings of the earlier.
    const { select, ...rest } = definition;
    const same = canonicalJson({ ...rest, select: { ...select, date_to: null } });
    const before = definitions.get(same);
    if (before === undefined || (before.select.date_to ?? '') < (select.date_to ?? ''))
      definitions.set(same, definition);
  }
  if (definitions.size === 0) {
    throw new FilinglakeError('release-unreadable', `the manifest of ${name} has no definition of an export`, {
      remedy: 'Make the data again with your own definition, and compare the digests in its release with these.',
    });
  }
  const made: OneExport[] = [];
  const names = new Map<string, number>();
  for (const definition of definitions.values()) {
    const key = await keyOf(parsed(definition));
    const n = (names.get(definition.name) ?? 0) + 1;
    names.set(definition.name, n);
    const unique = n === 1 ? definition.name : `${definition.name.slice(0, 58)}-${n}`;
    made.push({ definition: { ...definition, name: unique }, key, lake: places.lake });
  }
  return made;
}

/** A manifest may come from a stranger. */
const dayOf = (value: unknown): string => (/^\d{4}-\d\d-\d\d$/.test(String(value)) ? String(value) : '');

interface Rebuilt {
  readonly released_at: string;
  /** The last filing date in the release; '' without one. */
  readonly newest: string;
  readonly address: string;
  readonly lake: string;
}

function definitionOf(one: ReleasedExport, { released_at, newest, address, lake }: Rebuilt): ExportDefinition | null {
  if (!isDefinition(one.definition)) return null;
  // What the other machine may spend, whom it notifies and what it requests again is its own affair.
  const { notify: _notify, refresh: _refresh, ...given } = one.definition;
  const last = (one.started_at ?? released_at).slice(0, 10);
  const first = (one.first_started_at ?? one.started_at ?? released_at).slice(0, 10);
  return {
    ...given,
    service: { ...given.service, base_url: address },
    select: datedSelection(given.select, first, last, newest),
    budget: { max_requests: null, max_bytes: null, reserve: 0 },
    lake,
  };
}

/** A manifest may come from a stranger. @throws FilinglakeError `lake-newer`: it asks for tables that this filinglake lacks */
function isDefinition(value: unknown): value is ExportDefinition {
  const { name, tables, select, service } = (value ?? {}) as Partial<ExportDefinition>;
  if (typeof name !== 'string' || !NAME.test(name) || !isObject(select) || !isObject(service)) return false;
  if (!Array.isArray(tables)) return false;
  const unknown = tables.find((table) => !EXPORT_TABLES.includes(table));
  if (unknown === undefined) return true;
  throw new FilinglakeError('lake-newer', `the export ${name} makes the table ${unknown}, which this filinglake lacks`);
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

function baseUrl({ catalog, service }: RebuildPlaces): string {
  if (catalog !== undefined) return catalogAddress(resolve(catalog));
  const address = service ?? process.env.FILINGLAKE_BASE_URL;
  if (address === undefined || address === '') {
    throw new FilinglakeError('argument-missing', 'a rebuild needs --catalog or --service', {
      remedy: 'Give the folder of a catalog, or the address of a service: its key is FILINGLAKE_API_KEY.',
    });
  }
  return address.replace(/\/+(v2\/*)?$/, '');
}

/**
 * Relative dates are those of the original's runs. Without an end, the last run saw nothing later than its own day, or than the newest
 * filing that it found: EDGAR dates what arrives in the evening to the next business day.
 */
function datedSelection(select: Selection, first: string, last: string, newest: string): Selection {
  const { date_from, date_to, accession_numbers } = select;
  if (accession_numbers !== undefined) return select;
  return {
    ...select,
    ...(date_from !== undefined && { date_from: resolveDate(date_from, first) }),
    date_to: date_to ? resolveDate(date_to, last) : newest > last ? newest : last,
  };
}

function parsed(definition: ExportDefinition): ParsedDefinition {
  const apiKeyVariable = 'FILINGLAKE_API_KEY';
  const apiKey = catalogOf(definition.service.base_url) === null ? process.env[apiKeyVariable] || null : null;
  return { definition, apiKey, apiKeyVariable, warnings: [] };
}
