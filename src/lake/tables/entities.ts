/** `entities`. */
import { table, text, varying } from './table.ts';

export const entities = table({
  name: 'entities',
  meaning:
    'Filers: one for the `cik` of every filing, fetched again after `entities.refresh`, in a refresh, and after a new name in a lookup. With `select.entities: query` all that match, updated by each run',
  key: ['cik'],
  columns: [
    text('cik', 'Central Index Key, decimal digits without leading zeros'),
    text('name', 'name as in EDGAR'),
    text('sic', 'SIC industry code'),
    text('sic_description', 'the industry in words'),
    text('state_of_incorporation', "EDGAR's state or country code"),
    text('fiscal_year_end', 'month and day, MMDD'),
    text('entity_type', 'OPERATING, INVESTMENT or OTHER'),
    text('category', 'filer category, free text'),
    varying('fetched_at', 'TIMESTAMPTZ', 'when these values were fetched', 'when the run fetched it'),
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
