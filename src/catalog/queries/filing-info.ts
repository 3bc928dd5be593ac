/** filing_info over the catalog: records made at ingest (docs/api.md#filing_info). */
import type { AccessionNumber, FilingInfo } from '../../api/index.ts';
import { isCompressed, readInfo } from '../stored-info.ts';
import type { CatalogSource } from './source.ts';

/** JSON text of the filing's FilingInfo, or null. */
export function filingInfoJson(source: CatalogSource, accessionNumber: AccessionNumber): string | null {
  const info = storedInfo(source, accessionNumber);
  return info ? readInfo(info).toString('utf8') : null;
}

/**
 * The same as bytes, if the record is stored as plain text. `compressed`: the record is large, and a reader thread should unpack
 * it.
 */
export function smallFilingInfo(
  source: CatalogSource,
  accessionNumber: AccessionNumber,
): Uint8Array | 'compressed' | null {
  const info = storedInfo(source, accessionNumber);
  if (!info) return null;
  return isCompressed(info) ? 'compressed' : readInfo(info);
}

export function filing(source: CatalogSource, accessionNumber: AccessionNumber): FilingInfo | null {
  const text = filingInfoJson(source, accessionNumber);
  return text === null ? null : (JSON.parse(text) as FilingInfo);
}

function storedInfo({ statements }: CatalogSource, accessionNumber: AccessionNumber): Uint8Array | undefined {
  const row = statements
    .prepare('SELECT info FROM filing_infos WHERE filing = (SELECT id FROM filings WHERE accession = ?)')
    .get(accessionNumber) as { info: Uint8Array } | undefined;
  return row?.info;
}
