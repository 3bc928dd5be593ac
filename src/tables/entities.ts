/** `entities`. */
import { table, text } from './table.ts';

export const entities = table({
  name: 'entities',
  meaning:
    "Filers: a row for the `cik` of every filing in the lake, as it was when first asked for, or for all that an export's `select.entities: query` asked for, brought up to date by each such run",
  key: ['cik'],
  columns: [
    text('cik', 'Central Index Key, decimal digits without leading zeros'),
    text('name', 'name as EDGAR has it'),
    text('sic', 'SIC industry code'),
    text('sic_description', 'the industry in words'),
    text('state_of_incorporation', "EDGAR's state or country code"),
    text('fiscal_year_end', 'month and day, MMDD'),
    text('entity_type', 'OPERATING, INVESTMENT or OTHER'),
    text('category', 'filer category, free text'),
  ],
  unit: ['cik'],
  references: [],
  sources: ['entity'],
  rows: {
    entity: (
      { cik, name, sic, sic_description, state_of_incorporation, fiscal_year_end, entity_type, category },
      add,
    ) => add('', { cik, name, sic, sic_description, state_of_incorporation, fiscal_year_end, entity_type, category }),
  },
});
