/** The engine for full text, from an option or the environment. */
import { OpenSearch } from '../../service/catalog/index.ts';

export const FULLTEXT_OPTION = [
  '--fulltext <url>',
  'opensearch+https://… of an index in OpenSearch (default: FILINGLAKE_FULLTEXT, or the catalog’s own index)',
] as const;

/** @returns undefined: the catalog's own index. @throws FilinglakeError `setting-invalid` */
export function fulltextPlace(given: string | undefined): string | undefined {
  const place = given ?? (process.env.FILINGLAKE_FULLTEXT || undefined);
  if (place !== undefined) new OpenSearch(place);
  return place;
}
