/** `parties`. */
import { accession, column, table, text, toFiling } from './table.ts';

export const parties = table({
  name: 'parties',
  meaning: 'Everyone named in the header of a filing, as of that filing, if the service gives `parties`',
  key: ['accession_number', 'position'],
  columns: [
    accession,
    column('position', 'INTEGER', 'position in the header, from 0'),
    text('role', 'filer, subject_company, filed_by, issuer, reporting_owner, ...'),
    text('cik', 'CIK of the party'),
    text('name', 'name of the party'),
    text('state_of_incorporation', "EDGAR's state or country code"),
    text('fiscal_year_end', 'month and day, MMDD'),
    text('sic', 'SIC industry code'),
    text('sic_description', 'the industry in words'),
    text('irs_number', "the tax authority's number (EIN)"),
    text('file_number', "SEC's file number of this filing for this party: 001-36743"),
    text('film_number', "SEC's film number"),
    text('sec_act', 'act under which the party files: 34, 33, 40; as the header writes it'),
    text('relationship', 'relationship to the issuer, in old headers of ownership forms'),
  ],
  unit: ['accession_number'],
  references: [toFiling],
  sources: ['info'],
  rows: {
    info: ({ accession_number, parties }, add) =>
      parties.forEach(({ former_names: _names, addresses: _addresses, ...party }, position) => {
        add(`parties[${position}]`, { accession_number, position, ...party });
      }),
  },
});
