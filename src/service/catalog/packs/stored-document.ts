/** A stored document: its facts, and its bytes on demand. */
import { type AccessionNumber, type DocumentId, documentId } from '../../../filings/api/index.ts';
import { decompress } from './frames.ts';
import type { PackReader } from './packs.ts';

export interface StoredDocument {
  readonly document_id: DocumentId;
  readonly accession_number: AccessionNumber;
  /** EDGAR's number, gaps included */
  readonly sequence: number;
  readonly type: string | null;
  readonly filename: string | null;
  readonly description: string | null;
  /** Media type, from the first bytes: `text/html`, `application/pdf` */
  readonly content_type: string;
  /** Bytes as EDGAR publishes the file (docs/api.md#document) */
  readonly size: number;
  /** Digest of those bytes, hexadecimal */
  readonly sha256: string;
  /** The document's bytes. @throws FilinglakeError `pack-damaged` */
  read(): Buffer;
  /** The same as one zstd frame, as it can be sent with `Content-Encoding: zstd`. */
  readCompressed(): Buffer;
  /** Position of that frame in a file: to send it without reading it into memory. Null if it lies in a bucket. */
  frame(): { file: string; offset: number; length: number } | null;
}

export interface DocumentRow {
  sequence: number;
  type: string | null;
  filename: string | null;
  description: string | null;
  content_type: string;
  size: number;
  sha256: Uint8Array;
  pack: number;
  offset: number;
  length: number;
}

export const DOCUMENT_COLUMNS =
  'd.sequence, d.type, d.filename, d.description, d.content_type, d.size, d.sha256, d.pack, d.offset, d.length';

export function storedDocument(accessionNumber: AccessionNumber, row: DocumentRow, packs: PackReader): StoredDocument {
  const readCompressed = () => packs.read({ pack: row.pack, offset: row.offset, length: row.length });
  return {
    document_id: documentId(accessionNumber, row.sequence),
    accession_number: accessionNumber,
    sequence: row.sequence,
    type: row.type,
    filename: row.filename,
    description: row.description,
    content_type: row.content_type,
    size: row.size,
    sha256: Buffer.from(row.sha256).toString('hex'),
    readCompressed,
    frame: () => {
      const file = packs.localFile(row.pack);
      return file === null ? null : { file, offset: row.offset, length: row.length };
    },
    read: () => decompress(readCompressed()),
  };
}
