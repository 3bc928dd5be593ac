/** filing_info over the catalog: records made at ingest (docs/api.md#filing_info). */
import type { AccessionNumber, FilingInfo } from '../../../filings/api/index.ts';
import { isCompressed, readInfo } from '../packs/stored-info.ts';
import type { CatalogSource } from './source.ts';

/** Bytes of a record for one of its frame, about. */
const PACKED_RATIO = 8;

/** A FilingInfo's JSON, as UTF-8; null: unknown. @param requireLaneFor called with its bytes before it is unpacked */
export function filingInfoJson(
  source: CatalogSource,
  accessionNumber: AccessionNumber,
  requireLaneFor: (bytes: number) => void = () => {},
): Buffer | null {
  const info = storedInfo(source, accessionNumber);
  if (!info) return null;
  if (isCompressed(info)) requireLaneFor(info.byteLength * PACKED_RATIO);
  return readInfo(info);
}

export function filing(source: CatalogSource, accessionNumber: AccessionNumber): FilingInfo | null {
  const text = filingInfoJson(source, accessionNumber);
  return text === null ? null : (JSON.parse(text.toString()) as FilingInfo);
}

function storedInfo({ statements }: CatalogSource, accessionNumber: AccessionNumber): Uint8Array | undefined {
  const row = statements
    .prepare('SELECT info FROM filing_infos WHERE filing = (SELECT id FROM filings WHERE accession = ?)')
    .get(accessionNumber) as { info: Uint8Array } | undefined;
  return row?.info;
}
