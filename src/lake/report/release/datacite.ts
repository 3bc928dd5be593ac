/** datacite.json: metadata for a DOI, by DataCite's schema 4.5. A repository asks for it when a data set is registered. */
import { filledTables, type ReleaseManifest, summaryOf } from './manifest.ts';

/** DataCite's own words for what nobody stated. */
const UNKNOWN = ':unkn';

export function dataCite(manifest: ReleaseManifest): object {
  const { citation, name, released_at, coverage, digest } = manifest;
  const { first, last } = coverage.filings;
  const bytes = filledTables(manifest).flatMap(([, { parts }]) => parts.map((part) => part.bytes));
  const creators = citation.creators.length === 0 ? [UNKNOWN] : citation.creators;
  return {
    ...(citation.doi === null
      ? {}
      : { doi: citation.doi, prefix: citation.doi.split('/')[0], suffix: citation.doi.split('/').slice(1).join('/') }),
    alternateIdentifiers: [{ alternateIdentifier: `sha256:${digest}`, alternateIdentifierType: 'Digest of rows' }],
    creators: creators.map((one) => ({ name: one })),
    titles: [{ title: citation.title }],
    publisher: { name: citation.publisher ?? UNKNOWN },
    publicationYear: released_at.slice(0, 4),
    types: { resourceTypeGeneral: 'Dataset', resourceType: 'Tables of SEC EDGAR filings' },
    version: name,
    language: 'en',
    dates: [
      { date: released_at.slice(0, 10), dateType: 'Issued' },
      ...(first === null ? [] : [{ date: `${first}/${last}`, dateType: 'Other', dateInformation: 'Filing dates' }]),
    ],
    sizes: [`${bytes.reduce((sum, one) => sum + one, 0)} bytes`],
    formats: ['application/vnd.apache.parquet'],
    ...(citation.license === null
      ? {}
      : {
          rightsList: [
            /^https?:/.test(citation.license)
              ? { rightsUri: citation.license }
              : { rights: citation.license, rightsIdentifier: citation.license },
          ],
        }),
    descriptions: [{ description: summaryOf(manifest), descriptionType: 'Abstract' }],
    relatedIdentifiers: [
      { relatedIdentifier: 'https://www.sec.gov/edgar', relatedIdentifierType: 'URL', relationType: 'IsDerivedFrom' },
    ],
    schemaVersion: 'http://datacite.org/schema/kernel-4',
  };
}
