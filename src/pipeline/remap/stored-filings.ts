/** The filings of a lake that have stored documents, and their texts. */
import { decodeText } from '../../documents/index.ts';
import type { FormDocument } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';
import { type FetchedDocument, FormUnreadableError } from '../fetch/form-rows.ts';
import { among } from '../sql-values.ts';

export interface StoredFiling {
  readonly accession_number: string;
  /** Of its stored documents. */
  readonly bytes: number;
}

/** By accession number. */
export async function storedFilings(lake: Pick<Lake, 'query'>): Promise<StoredFiling[]> {
  const rows = await lake.query(
    `SELECT accession_number, sum(coalesce(size, 0))::DOUBLE AS bytes FROM document_contents GROUP BY ALL ORDER BY accession_number`,
    { tables: ['document_contents'] },
  );
  return rows.map(({ accession_number, bytes }) => ({
    accession_number: String(accession_number),
    bytes: Number(bytes),
  }));
}

/** Texts of stored documents, in memory. */
export class StoredTexts {
  readonly #texts: ReadonlyMap<string, string>;

  private constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  static async of(lake: Pick<Lake, 'query'>, ids: readonly string[]): Promise<StoredTexts> {
    const texts = new Map<string, string>();
    if (ids.length === 0) return new StoredTexts(texts);
    const rows = await lake.query(
      `SELECT document_id, content, to_base64(bytes) AS bytes FROM document_contents
       WHERE encoding <> 'json' AND document_id IN ${among(ids)}`,
      { tables: ['document_contents'] },
    );
    for (const { document_id, content, bytes } of rows) {
      const text = typeof content === 'string' ? content : decodeText(Buffer.from(String(bytes ?? ''), 'base64')).text;
      texts.set(String(document_id), text);
    }
    return new StoredTexts(texts);
  }

  /** @throws FormUnreadableError if a document was removed meanwhile */
  withTexts(documents: readonly FormDocument[]): FetchedDocument[] {
    return documents.map((document) => {
      const text = this.#texts.get(document.document_id);
      if (text === undefined)
        throw new FormUnreadableError(document.document_id, 'the lake has no text of it any more');
      return { ...document, text };
    });
  }
}
