/** filing_info over the catalog: records made at ingest (docs/api.md#filing_info). */
import type { AccessionNumber, FilingInfo } from '../../../filings/api/index.ts';
import { isCompressed, readInfo } from '../stored-info.ts';
import type { CatalogSource } from './source.ts';

/** JSON text of the filing's FilingInfo; null: the filing is unknown. */
export function filingInfoJson(source: CatalogSource, accessionNumber: AccessionNumber): string | null {
  const info = storedInfo(source, accessionNumber);
  return info ? readInfo(info).toString('utf8') : null;
}

/** Unpacking a longer frame takes longer than the way to another thread and back: some 0.2 ms. */
const SMALL_FRAME_BYTES_MAX = 16 * 1024;

/**
 * The same for several numbers as bytes, in one transaction. `large`: a reader thread should read it. Unreadable records count as
 * `large`: the reader thread reports why.
 */
export function smallFilingInfos(
  source: CatalogSource,
  accessionNumbers: readonly AccessionNumber[],
): (Uint8Array | 'large' | null)[] {
  const readAll = () => accessionNumbers.map((number) => storedInfo(source, number));
  // A transaction costs more than the locks of one look-up.
  const stored = accessionNumbers.length === 1 ? readAll() : source.statements.snapshot(readAll);
  return stored.map((info) => {
    if (!info) return null;
    if (isCompressed(info) && info.byteLength > SMALL_FRAME_BYTES_MAX) return 'large';
    try {
      return readInfo(info);
    } catch {
      return 'large';
    }
  });
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
