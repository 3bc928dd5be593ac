/** What is wrong with a full-text query, and where. */
import { FilinglakeError } from '../../../core/index.ts';

/** The query can't be read: HTTP 400. */
export class QueryError extends FilinglakeError {
  override name = 'QueryError';
  /** UTF-16 position in the query, from 0; null for the whole query. */
  readonly position: number | null;

  constructor(detail: string, position: number | null) {
    super('query-invalid', position === null ? detail : `query is invalid at ${position}: ${detail}`, {});
    this.position = position;
  }
}
