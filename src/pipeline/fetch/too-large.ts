/** Documents that are not asked for, since they are known to be too large: no request is spent on them. */

import type { FilingInfo } from '../../api/index.ts';
import { AnswerTooLongError, BODY_BYTES_MAX } from '../../client/index.ts';
import type { ExportDefinition, Step } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';
import { DocumentTooLargeError } from '../failures/failures.ts';
import { documentOf, type WorkLine } from '../plan/coverage.ts';

/** What is known of documents before they are asked for. */
export class DocumentSizes {
  readonly #bytesMax: number;
  readonly #lake: Pick<Lake, 'query'>;
  #ofLake: Promise<ReadonlyMap<string, number>> | null = null;
  /** Large ones that filing_info has just named. */
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

  /** Bytes of a step's document; null: it is none, or nobody has said. Of those in the lake only the large ones are known. */
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

  /** Why a document is not to be asked for; null: it is. */
  refusal({ step }: Step, bytes: number | null): DocumentTooLargeError | null {
    if (bytes === null || bytes <= this.#bytesMax) return null;
    return new DocumentTooLargeError(documentOf(step) ?? '', bytes, this.#bytesMax);
  }

  /** The lookup states no sizes, as a rule: filing_info brought them in an earlier pass. */
  async #read(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#lake.query(
      `SELECT document_id, size FROM documents WHERE size > ${Math.min(this.#bytesMax, LARGE_BYTES)}`,
      { tables: ['documents'] },
    );
    return new Map(rows.map(({ document_id, size }) => [String(document_id), Number(size)]));
  }
}

/** Below, a document takes no part in what is held of memory. */
export const LARGE_BYTES = 8 * 2 ** 20;

/** What a step is known to fail of, should its answer still be as long as it was. */
export function tooLongAnswer({ step }: Step): AnswerTooLongError {
  const operation = step === 'info' ? 'filing_info' : step === 'sections' ? 'filing_sections' : 'document';
  return new AnswerTooLongError(operation, 200, BODY_BYTES_MAX);
}
