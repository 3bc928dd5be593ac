/** `edgar_days`. */
import { column, table, text } from './table.ts';

export const edgarDays = table({
  name: 'edgar_days',
  meaning: "EDGAR's days of publication, and whether the service had everything before the run read its lookups",
  key: ['service', 'day'],
  columns: [
    text('service', 'base address of the service, or catalog:/folder'),
    column('day', 'DATE', 'day of publication'),
    column(
      'expected',
      'BIGINT',
      "filings that EDGAR's index of the day names, each once; null: the index was not read",
    ),
    column('in_catalog', 'BIGINT', 'of those: in the catalog of the service'),
    column('missing', 'BIGINT', 'of those: neither in its catalog nor withdrawn by EDGAR'),
    column('lag_p50_s', 'BIGINT', 'median seconds from acceptance to the catalog, of filings that the feed named'),
    column('lag_p99_s', 'BIGINT', '99th percentile of the same'),
    column('proven_at', 'TIMESTAMPTZ', 'when nothing was missing any more; null: the day is not proven'),
    column('read_at', 'TIMESTAMPTZ', 'when the run read it from the service'),
    text('run_id', 'the run that read it'),
  ],
  // A service answers all its days together: each run replaces them.
  unit: ['service'],
  references: [],
  varies: 'states what one service had when a run began',
  onDemand: true,
  sources: ['days'],
});
