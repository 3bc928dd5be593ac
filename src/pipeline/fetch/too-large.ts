/** Documents that are known to be too large: no request is sent for them. */

import type { FilingInfo } from '../../api/index.ts';
import { AnswerTooLongError, BODY_BYTES_MAX } from '../../client/index.ts';
import type { ExportDefinition, Step } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';
import { DocumentTooLargeError } from '../failures/verdict.ts';
import { documentOf, type WorkLine } from '../plan/coverage.ts';

/** Known facts of documents before they are requested. */
export class DocumentSizes {
  readonly #bytesMax: number;
  readonly #lake: Pick<Lake, 'query'>;
  #ofLake: Promise<ReadonlyMap<string, number>> | null = null;
  /** Large documents that filing_info has just named. */
  readonly #named = new Map<string, number>();

  constructor(lake: Pick<Lake, 'query'>, { documents }: Pick<ExportDefinition, 'documents'>) {
    this.#lake = lake;
    this.#bytesMax = documents.max_bytes ?? BODY_BYTES_MAX;
  }

  learn({ documents }: FilingInfo): void {
    for (const { document_id, size } of documents) {
      if (typeof size === 'number' && size > Math.min(this.#bytesMax, LARGE_BYTES)) this.#named.set(document_id, size);
    }
  }

  /** Bytes of a step's document; null if it is not a document or its size is unknown. Only large sizes are read from the lake. */
  async bytesOf({ filing }: WorkLine, { step }: Step): Promise<number | null> {
    const document_id = documentOf(step);
    if (document_id === null) return null;
    const { size } = filing.documents.find((one) => one.document_id === document_id) ?? {};
    if (typeof size === 'number') return size;
    const named = this.#named.get(document_id);
    if (named !== undefined) return named;
    this.#ofLake ??= this.#read();
    return (await this.#ofLake).get(document_id) ?? null;
  }

  /** Why a document must not be requested; null if it may be. */
  refusal({ step }: Step, bytes: number | null): DocumentTooLargeError | null {
    if (bytes === null || bytes <= this.#bytesMax) return null;
    return new DocumentTooLargeError(documentOf(step) ?? '', bytes, this.#bytesMax);
  }

  /** The lookup rarely states sizes: filing_info stored them in an earlier pass. */
  async #read(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#lake.query(
      `SELECT document_id, size FROM documents WHERE size > ${Math.min(this.#bytesMax, LARGE_BYTES)}`,
      { tables: ['documents'] },
    );
    return new Map(rows.map(({ document_id, size }) => [String(document_id), Number(size)]));
  }
}

/** Smaller documents don't count towards the memory limit. */
export const LARGE_BYTES = 8 * 2 ** 20;

/** The step's known failure, if its answer is still as long as before. */
export function tooLongAnswer({ step }: Step): AnswerTooLongError {
  const operation = step === 'info' ? 'filing_info' : step === 'sections' ? 'filing_sections' : 'document';
  return new AnswerTooLongError(operation, 200, BODY_BYTES_MAX);
}
