/** `export_runs`. */
import { column, OF_RUNS, table, text } from './table.ts';

export const exportRuns = table({
  name: 'export_runs',
  meaning: 'Runs of exports into this lake',
  key: ['run_id'],
  columns: [
    text('run_id', 'the run'),
    text('export', 'name of the export'),
    text('definition', 'definition of the export, without the key'),
    text('service', 'base URL of the service'),
    text('state', 'running, waiting_for_quota, paused, completed, failed or cancelled'),
    column('started_at', 'TIMESTAMPTZ', 'when it started'),
    column('ended_at', 'TIMESTAMPTZ', 'when it ended'),
    column('requests', 'BIGINT', 'requests sent'),
    column('bytes', 'BIGINT', 'bytes received, uncompressed'),
    column('steps_refreshed', 'BIGINT', 'steps that a refresh requested again'),
    column('steps_unchanged', 'BIGINT', 'of those: steps that had not changed'),
  ],
  role: 'runs',
  ...OF_RUNS,
});
