/** `export_plans`. */
import { accession, table, text } from './table.ts';

export const exportPlans = table({
  name: 'export_plans',
  meaning:
    'What the newest run of each export planned to fetch of a filing: `lake check` holds it against coverage where that run completed',
  key: ['export', 'accession_number', 'pass'],
  columns: [
    text('export', 'name of the export'),
    accession,
    text('pass', 'info, sections or documents'),
    text('steps', 'what of the pass: its own name, or the ends of document ids, joined by commas'),
    text('revision', 'of the filing, as in coverage; empty where only its accession number was known'),
    text('run_id', 'the run'),
    text('window', 'the window of the run that planned it'),
  ],
  unit: null,
  references: [],
  sources: ['run'],
});
