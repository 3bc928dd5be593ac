/** `export_plans`. */
import { accession, OF_RUNS, table, text } from './table.ts';

export const exportPlans = table({
  name: 'export_plans',
  meaning:
    'What the latest run of each export planned to fetch of a filing. `lake check` compares it with coverage if the run completed',
  key: ['export', 'accession_number', 'pass'],
  columns: [
    text('export', 'name of the export'),
    accession,
    text('pass', 'info, sections, forms, documents or entities'),
    text(
      'steps',
      'steps of the pass: its own name; the sequences of documents, joined by commas; the CIK of an entity, empty if filing_info states it',
    ),
    text(
      'revision',
      'of the filing, as in coverage; empty if only its accession number was known. Of an entity: when its row was fetched that is to be replaced',
    ),
    text('run_id', 'the run'),
    text('window', 'the window of the run that planned it'),
  ],
  ...OF_RUNS,
});
