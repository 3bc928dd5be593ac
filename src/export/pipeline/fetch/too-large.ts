/** Documents that are too large: no request is sent for them if that is known, and no answer is stored. */
import type { FilingInfo } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import type { ContentRecord } from '../../../lake/tables/index.ts';
import { AnswerTooLongError, BODY_BYTES_MAX } from '../../client/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import type { Step } from '../../selectors/index.ts';
import { documentOf, type WorkLine } from '../coverage/coverage.ts';
import { DocumentTooLargeError } from '../failures/verdict.ts';
import { among } from '../sql-values.ts';

/** Sizes of documents, stated before they are requested: by the lookup, by filing_info just now, or by filing_info in the lake. */
export class DocumentSizes {
  /** `documents.max_bytes`; null: no limit but the client's. */
  readonly bytesMax: number | null;
  readonly #lake: Pick<Lake, 'query'>;
  readonly #numbers: readonly string[];
  /** By accession number: its position among the filings, which are fetched in that order. */
  #positions: ReadonlyMap<string, number> | null = null;
  /** Sizes of some filings at a time: those of ten thousand may be a million. */
  readonly #read = new Map<number, Promise<ReadonlyMap<string, number>>>();
  /** Documents that filing_info has just named. */
  readonly #named = new Map<string, number>();

  /** @param numbers accession numbers of the filings that may be fetched */
  constructor(
    lake: Pick<Lake, 'query'>,
    { documents }: Pick<ExportDefinition, 'documents'>,
    numbers: readonly string[],
  ) {
    this.#lake = lake;
    this.bytesMax = documents.max_bytes ?? null;
    this.#numbers = numbers;
  }

  learn({ documents }: FilingInfo): void {
    for (const { document_id, size } of documents) if (size) this.#named.set(document_id, size);
  }

  /** Bytes of a step's document; null if it is not a document or its size is unknown. filing_info says 0 for that, too. */
  async bytesOf({ filing }: WorkLine, { step }: Step): Promise<number | null> {
    const document_id = documentOf(step);
    if (document_id === null) return null;
    const { size } = filing.documents.find((one) => one.document_id === document_id) ?? {};
    if (typeof size === 'number') return size;
    const named = this.#named.get(document_id);
    if (named !== undefined) return named;
    return (await this.#ofLake(filing.accession_number)).get(document_id) ?? null;
  }

  /** Why a document must not be requested; null if it may be. */
  refusal({ step }: Step, bytes: number | null): DocumentTooLargeError | null {
    const most = this.bytesMax ?? BODY_BYTES_MAX;
    return bytes === null || bytes <= most ? null : new DocumentTooLargeError(documentOf(step) ?? '', bytes, most);
  }

  #ofLake(number: string): Promise<ReadonlyMap<string, number>> {
    this.#positions ??= new Map(this.#numbers.map((one, i) => [one, i]));
    const part = Math.floor((this.#positions.get(number) ?? 0) / FILINGS_READ);
    const known =
      this.#read.get(part) ?? this.#sizesOf(this.#numbers.slice(part * FILINGS_READ).slice(0, FILINGS_READ));
    this.#read.set(part, known);
    if (this.#read.size > PARTS_KEPT) this.#read.delete(Math.min(...this.#read.keys()));
    return known;
  }

  /** The batches of filing_info are committed before the first batch of documents begins. */
  async #sizesOf(numbers: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#lake.query(
      `SELECT document_id, size FROM documents WHERE size > 0 AND accession_number IN ${among(numbers)}`,
      { tables: ['documents'] },
    );
    return new Map(rows.map(({ document_id, size }) => [String(document_id), Number(size)]));
  }
}

const FILINGS_READ = 500;
const PARTS_KEPT = 2;

/** Smaller documents don't count towards the memory limit. */
export const LARGE_BYTES = 8 * 2 ** 20;

/** Earlier failures of too long answers: for the same record and limit the next answer is as long. */
export function tooLongAnswers(
  { step }: Step,
  bytesMax: number | null,
): (AnswerTooLongError | DocumentTooLargeError)[] {
  const document_id = documentOf(step);
  const operation = step === 'info' ? 'filing_info' : step === 'sections' ? 'filing_sections' : 'document';
  const tooLong = new AnswerTooLongError(operation, 200, BODY_BYTES_MAX);
  if (document_id === null || bytesMax === null) return [tooLong];
  return [tooLong, new DocumentTooLargeError(document_id, null, bytesMax)];
}

/** Bytes of a document by its answer: its stated size, else the length of its content. */
export function bytesOfAnswer({ size, encoding, content, content_json }: ContentRecord): number {
  if (typeof size === 'number') return size;
  if (typeof content === 'string') return Buffer.byteLength(content, encoding === 'base64' ? 'base64' : 'utf8');
  return Buffer.byteLength(content_json ?? JSON.stringify(content) ?? '');
}
