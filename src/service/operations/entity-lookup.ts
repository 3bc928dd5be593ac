/** GET /v2/entity_lookup: docs/api.md#entity_lookup. */
import { jsonOutcome } from '../answers/outcome.ts';
import { ENVELOPE_BYTES } from '../answers/page.ts';
import { windowOf } from '../requests/combinations.ts';
import type { Operation } from './operation.ts';

export const entityLookup: Operation<'entity_lookup'> = (parameters, { store, maxResponseBytes }) => {
  const asked = { ...parameters, ...windowOf('entity_lookup', parameters) };
  const { count, records, truncated } = store.entityLookup(asked, { maxBytes: maxResponseBytes - ENVELOPE_BYTES });
  const array = `[${records.join(',')}]`;
  const bytes = Buffer.byteLength(array);
  const text = `{"count":${count},"entities":${array},"response_bytes":${bytes},"truncated":${truncated}}`;
  return jsonOutcome(text, { tagged: false });
};
