/** `export_unknown`. */
import { table, text } from './table.ts';

export const exportUnknown = table({
  name: 'export_unknown',
  meaning: 'CIKs and tickers in the file of a selection that the service does not know',
  key: ['run_id', 'kind', 'value'],
  columns: [
    text('run_id', 'the run'),
    text('kind', 'ciks or tickers'),
    text('value', 'the CIK or ticker'),
    text('export', 'name of the export'),
  ],
  unit: null,
  references: [],
  sources: ['run'],
});
