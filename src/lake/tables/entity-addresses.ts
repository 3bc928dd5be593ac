/** `entity_addresses`. */
import { ADDRESS, table, text } from './table.ts';

export const entityAddresses = table({
  name: 'entity_addresses',
  meaning: 'Addresses of the entities',
  key: ['cik', 'kind'],
  columns: [text('cik', 'the entity'), ...ADDRESS],
  unit: ['cik'],
  references: [{ columns: ['cik'], table: 'entities' }],
  sources: ['entity'],
  rows: {
    entity: ({ cik, addresses }, add) => {
      for (const [kind, { street1, street2, city, state, zip }] of Object.entries(addresses))
        add(`addresses.${kind}`, { cik, kind, street1, street2, city, state, zip });
    },
  },
});
