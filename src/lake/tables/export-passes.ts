/** `export_passes`. */
import { column, OF_RUNS, table, text } from './table.ts';

export const exportPasses = table({
  name: 'export_passes',
  meaning: 'What each completed run planned to fetch, by window and pass, and the outcome',
  key: ['run_id', 'window', 'pass'],
  columns: [
    text('run_id', 'the run'),
    text('window', 'name of the window within the run'),
    text('pass', 'info, sections, forms, documents or entities'),
    column('expected', 'BIGINT', 'steps that the run planned to fetch'),
    column('complete', 'BIGINT', 'of those, covered at the end of the run'),
    column('failed', 'BIGINT', 'of those, recorded as failures'),
    column('left_to_others', 'BIGINT', 'of those, of filings that another run has written in another revision since'),
    column('missing', 'BIGINT', 'the rest: 0, or the run ends with exit code 3'),
  ],
  ...OF_RUNS,
});
