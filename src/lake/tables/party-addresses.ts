/** `party_addresses`. */
import { accession, column, PARTY, table, text, toFiling } from './table.ts';

export const partyAddresses = table({
  name: 'party_addresses',
  meaning: 'Addresses in the header of a filing, as of that filing',
  key: ['accession_number', 'position', 'kind'],
  columns: [
    accession,
    column('position', 'INTEGER', 'position of the party in the header, from 0'),
    text('kind', 'business or mailing'),
    text('street1', 'first line of the street'),
    text('street2', 'second line of the street'),
    text('city', 'city'),
    text('state', "EDGAR's state or country code"),
    text('zip', 'postal code'),
  ],
  unit: ['accession_number'],
  references: [toFiling, PARTY],
  sources: ['info'],
  rows: {
    info: ({ accession_number, parties }, add) =>
      parties.forEach(({ addresses }, position) => {
        for (const [kind, { street1, street2, city, state, zip }] of Object.entries(addresses))
          add(`parties[${position}].addresses.${kind}`, {
            accession_number,
            position,
            kind,
            street1,
            street2,
            city,
            state,
            zip,
          });
      }),
  },
});
