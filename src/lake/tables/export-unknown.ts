/** `export_unknown`. */
import { column, OF_RUNS, table, text } from './table.ts';

export const exportUnknown = table({
  name: 'export_unknown',
  meaning: 'Values in the file of a selection that stand for no company, or for several',
  key: ['run_id', 'kind', 'value'],
  columns: [
    text('run_id', 'the run'),
    text('kind', 'ciks, tickers or names'),
    text('value', 'the CIK, ticker or name'),
    text('export', 'name of the export'),
    column('matches', 'INTEGER', 'companies of that name: 0, or several; none of them is exported'),
    text('companies', 'CIKs and names of up to ten of them'),
  ],
  ...OF_RUNS,
});
