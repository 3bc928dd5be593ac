/** `entity_addresses`. */
import { table, text } from './table.ts';

export const entityAddresses = table({
  name: 'entity_addresses',
  meaning: 'Addresses of the entities',
  key: ['cik', 'kind'],
  columns: [
    text('cik', 'the entity'),
    text('kind', 'business or mailing'),
    text('street1', 'first line of the street'),
    text('street2', 'second line of the street'),
    text('city', 'city'),
    text('state', "EDGAR's state or country code"),
    text('zip', 'postal code'),
  ],
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
