/** Answers to entity_lookup: docs/api.md#entity_lookup. */
import { ENTITY_TYPES, type Entity } from '../../api/index.ts';
import { type PageFacts, readPage } from '../page-answers.ts';
import { cik, digits, oneOf, orNull, type ReadNotes } from '../read.ts';
import { recordOf } from '../record.ts';
import { addresses, someText, words } from '../shared-records.ts';

export interface EntityPage extends PageFacts {
  entities: Entity[];
}

const entity = recordOf<Entity>('entity', {
  cik,
  name: someText,
  tickers: words,
  exchanges: words,
  sic: orNull(digits(4)),
  sic_description: someText,
  state_of_incorporation: someText,
  fiscal_year_end: orNull(digits(4)),
  entity_type: orNull(oneOf(ENTITY_TYPES)),
  category: someText,
  addresses,
});

const NAMES = { operation: 'entity_lookup', list: 'entities', count: 'count' } as const;

export function readEntityPage(body: unknown, notes: ReadNotes): EntityPage {
  const { records, facts } = readPage(NAMES, body, entity, notes);
  return { ...facts, entities: records };
}
