/** `export_passes`. */
import { column, table, text } from './table.ts';

export const exportPasses = table({
  name: 'export_passes',
  meaning: 'What each completed run planned to fetch, window by window and pass by pass, and what became of it',
  key: ['run_id', 'window', 'pass'],
  columns: [
    text('run_id', 'the run'),
    text('window', 'name of the window within the run'),
    text('pass', 'info, sections or documents'),
    column('expected', 'BIGINT', 'steps that the run planned to fetch'),
    column('complete', 'BIGINT', 'of those, the ones that coverage has at the end of the run'),
    column('failed', 'BIGINT', 'of those, the ones that the run recorded as failures'),
    column('left_to_others', 'BIGINT', 'of those, the ones of filings that another run brought at the same time'),
    column('missing', 'BIGINT', 'the rest: 0, or the run ends with exit code 3'),
    column(
      'given_up',
      'BIGINT',
      'of left_to_others, the ones that coverage lacks since another run kept bringing the same filings',
    ),
  ],
  unit: null,
  references: [],
  sources: ['run'],
});
