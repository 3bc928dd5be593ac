/** Entities whose CIKs, tickers or names are in a file, apart from the rest of their query. */
import type { EntityFilter } from '../../filings/api/index.ts';
import type { DefinitionYaml } from './schema.ts';

export interface GivenList {
  file: string;
  column?: string | undefined;
}

/** A query of entities, and apart from it the lists that are in files. */
export function withoutFiles(given: DefinitionYaml['select']['entity_query']): {
  query: EntityFilter | undefined;
  files: { ciks?: GivenList; tickers?: GivenList; names?: GivenList };
} {
  if (given === undefined) return { query: undefined, files: {} };
  const { ciks, tickers, names, ...rest } = given;
  const query: EntityFilter = { ...rest };
  const files: { ciks?: GivenList; tickers?: GivenList; names?: GivenList } = {};
  if (Array.isArray(ciks)) query.ciks = ciks;
  else if (ciks !== undefined) files.ciks = ciks;
  if (Array.isArray(tickers)) query.tickers = tickers;
  else if (tickers !== undefined) files.tickers = tickers;
  if (names !== undefined) files.names = names;
  return { query: Object.keys(query).length === 0 && Object.keys(files).length > 0 ? undefined : query, files };
}
