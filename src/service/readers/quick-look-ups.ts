/** Look-ups on the main thread: one record by its number costs less than a message to another thread. */
import type { AccessionNumber } from '../../api/index.ts';
import type { CatalogQueries } from '../../catalog/index.ts';
import { bodyTag, JSON_TYPE, type Outcome } from '../answers/outcome.ts';
import { filingNotFound } from '../operations/filing-info.ts';
import { isSqliteBusy } from '../problem.ts';

export class QuickLookUps {
  readonly #store: Pick<CatalogQueries, 'smallFilingInfo' | 'smallFilingInfos'>;

  /** @param store opened with `neverWait` */
  constructor(store: Pick<CatalogQueries, 'smallFilingInfo' | 'smallFilingInfos'>) {
    this.#store = store;
  }

  /** Null: a reader thread must do it. @throws ServiceProblem 404 */
  filingInfo(accessionNumber: AccessionNumber): Outcome | null {
    let body: Uint8Array | 'large' | null;
    try {
      body = this.#store.smallFilingInfo(accessionNumber);
    } catch (error) {
      if (isSqliteBusy(error)) return null;
      throw error;
    }
    if (body === null) throw filingNotFound(accessionNumber);
    if (body === 'large') return null;
    return outcomeOf(body);
  }

  /** Null: not found, or another thread's work. @throws SQLite's error if the catalog is busy */
  filingInfos(accessionNumbers: readonly AccessionNumber[]): (Outcome | null)[] {
    const bodies = this.#store.smallFilingInfos(accessionNumbers);
    return bodies.map((body) => (body === null || body === 'large' ? null : outcomeOf(body)));
  }
}

function outcomeOf(body: Uint8Array): Outcome {
  return { body, contentType: JSON_TYPE, etag: bodyTag(body), size: body.byteLength, coding: null, headers: {} };
}
