/** GET /v2/coverage: docs/api.md#coverage. */
import { jsonOutcome } from '../answers/outcome.ts';
import { ENVELOPE_BYTES } from '../answers/page.ts';
import type { ReaderOperation } from './operation.ts';

export const coverage: ReaderOperation<'coverage'> = {
  lane: 'long',
  deadlineMs: 30_000,
  answer(parameters, { store, maxResponseBytes }) {
    const { count, records, truncated } = store.coverage(parameters, { maxBytes: maxResponseBytes - ENVELOPE_BYTES });
    return jsonOutcome(`{"count":${count},"days":[${records.join(',')}],"truncated":${truncated}}`, { tagged: false });
  },
};
