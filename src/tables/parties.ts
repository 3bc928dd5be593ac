/** `parties`. */
import { accession, column, table, text, toFiling } from './table.ts';

export const parties = table({
  name: 'parties',
  meaning: 'Everyone named in the header of a filing, if the service gives `parties`',
  key: ['accession_number', 'position'],
  columns: [
    accession,
    column('position', 'INTEGER', 'position in the header, from 0'),
    text('role', 'filer, subject_company, filed_by, issuer, reporting_owner, ...'),
    text('cik', 'CIK of the party'),
    text('name', 'name of the party'),
  ],
  unit: ['accession_number'],
  references: [toFiling],
  sources: ['info'],
  rows: {
    info: ({ accession_number, parties }, add) =>
      parties.forEach(({ role, cik, name }, position) => {
        add(`parties[${position}]`, { accession_number, position, role, cik, name });
      }),
  },
});
