/** `party_addresses`. */
import { ADDRESS, accession, column, PARTY, table, toFiling } from './table.ts';

export const partyAddresses = table({
  name: 'party_addresses',
  meaning: 'Addresses in the header of a filing, as of that filing',
  key: ['accession_number', 'position', 'kind'],
  columns: [accession, column('position', 'INTEGER', 'position of the party in the header, from 0'), ...ADDRESS],
  unit: ['accession_number'],
  references: [toFiling, PARTY],
  sources: ['info'],
  rows: {
    info: ({ accession_number, parties }, add) =>
      parties.forEach(({ addresses }, position) => {
        for (const [kind, { street1, street2, city, state, zip }] of Object.entries(addresses)) {
          const address = { kind, street1, street2, city, state, zip };
          add(`parties[${position}].addresses.${kind}`, { accession_number, position, ...address });
        }
      }),
  },
});
