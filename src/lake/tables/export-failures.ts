/** `export_failures`. */
import { table, text, varying } from './table.ts';

export const exportFailures = table({
  name: 'export_failures',
  meaning:
    'What an export could not fetch, and why. A row is removed when its request succeeds, or when the definition no longer asks for it',
  key: ['export', 'step', 'subject'],
  columns: [
    text('export', 'name of the export'),
    text('step', 'what was requested: filing, info, sections, forms, document, entity or hit'),
    text('subject', 'accession number, document id or CIK that the failure is about'),
    text('accession_number', 'the filing, if the failure is about one'),
    text('document_id', 'the document, if the failure is about one'),
    text('cik', 'the entity, if the failure is about one'),
    text('code', 'kind of failure'),
    varying('message', 'VARCHAR', 'what happened', 'may name the address of the service'),
    text('path', 'member of the answer that broke the contract or could not be stored; several are joined by commas'),
    text('value', 'its value; several in the order of `path`'),
    varying(
      'attempts',
      'INTEGER',
      'how often it has failed; a request with its retries counts once',
      'counts the tries of the runs',
    ),
    varying('failed_at', 'TIMESTAMPTZ', 'time of the last failure', 'when the run tried it'),
    varying('run_id', 'VARCHAR', 'the run of the last attempt', 'names the run'),
    text('revision', 'revision of the filing that was requested, as in coverage'),
    varying(
      'first_reported_by',
      'VARCHAR',
      'the completed run that first reported it with this code, path, value and revision; null: none has yet',
      'names the run',
    ),
  ],
  unit: null,
  references: [],
  sources: ['run'],
});
