/** GET /v2/entity_lookup: docs/api.md#entity_lookup. */
import { jsonOutcome } from '../answers/outcome.ts';
import { ENVELOPE_BYTES } from '../answers/page.ts';
import type { ReaderOperation } from './operation.ts';

export const entityLookup: ReaderOperation<'entity_lookup'> = {
  lane: 'short',
  deadlineMs: 20_000,
  answer(parameters, { store, maxResponseBytes }) {
    const { count, records, truncated } = store.entityLookup(parameters, {
      maxBytes: maxResponseBytes - ENVELOPE_BYTES,
    });
    const array = `[${records.join(',')}]`;
    const bytes = Buffer.byteLength(array);
    const text = `{"count":${count},"entities":${array},"response_bytes":${bytes},"truncated":${truncated}}`;
    return jsonOutcome(text, { tagged: false });
  },
};
