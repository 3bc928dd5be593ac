/** `party_former_names`. */
import { accession, column, PARTY, table, text, toFiling } from './table.ts';

export const partyFormerNames = table({
  name: 'party_former_names',
  meaning: 'Former names in the header of a filing, as of that filing',
  key: ['accession_number', 'position', 'name_position'],
  columns: [
    accession,
    column('position', 'INTEGER', 'position of the party in the header, from 0'),
    column('name_position', 'INTEGER', 'position among the former names of the party, from 0'),
    text('name', 'the former name'),
    column(
      'date_of_change',
      'DATE',
      "EDGAR's day of change: mostly the day on which it began the name, before 1993 the day on which the name ended",
    ),
  ],
  unit: ['accession_number'],
  references: [toFiling, PARTY],
  sources: ['info'],
  rows: {
    info: ({ accession_number, parties }, add) =>
      parties.forEach(({ former_names }, position) => {
        former_names.forEach(({ name, date_of_change }, name_position) => {
          add(`parties[${position}].former_names[${name_position}]`, {
            accession_number,
            position,
            name_position,
            name,
            date_of_change,
          });
        });
      }),
  },
});
