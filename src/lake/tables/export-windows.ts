/** `export_windows`. */
import { column, OF_RUNS, table, text } from './table.ts';

export const exportWindows = table({
  name: 'export_windows',
  meaning: 'Windows of the lookups of each run, and whether each was proven complete',
  key: ['run_id', 'window'],
  columns: [
    text('run_id', 'the run'),
    text('window', 'name of the window within the run'),
    column('date_from', 'DATE', 'first filing date, included'),
    column('date_to', 'DATE', 'last filing date, included'),
    text('filter', 'the other filters of the lookup, as JSON text; or entities, fulltext or accession_numbers'),
    column('expected', 'BIGINT', 'records that the service counted: filings, entities, or documents that a search hit'),
    column('found', 'BIGINT', 'unique ones found'),
    column('proven', 'BOOLEAN', 'whether the window is known to be complete'),
    column('moved', 'BIGINT', 'of filings found, those whose row in the lake had other values and was replaced'),
  ],
  ...OF_RUNS,
});
