/** `export_failures`. */
import { column, table, text } from './table.ts';

export const exportFailures = table({
  name: 'export_failures',
  meaning: 'What an export could not fetch, and why. A row is removed when its request succeeds',
  key: ['export', 'step', 'subject'],
  columns: [
    text('export', 'name of the export'),
    text('step', 'what was requested: filing, info, sections, forms, document, entity or hit'),
    text('subject', 'accession number, document id or CIK that the failure is about'),
    text('accession_number', 'the filing, if the failure is about one'),
    text('document_id', 'the document, if the failure is about one'),
    text('cik', 'the entity, if the failure is about one'),
    text('code', 'kind of failure'),
    text('message', 'what happened'),
    text('path', 'member of the answer that broke the contract or could not be stored; several are joined by commas'),
    text('value', 'its value; several in the order of `path`'),
    column('attempts', 'INTEGER', 'how often it has failed; a request with its retries counts once'),
    column('failed_at', 'TIMESTAMPTZ', 'time of the last failure'),
    text('run_id', 'the run of the last attempt'),
    text('revision', 'revision of the filing that was requested, as in coverage'),
    text(
      'first_reported_by',
      'the completed run that first reported it with this code, path, value and revision; null: none has yet',
    ),
  ],
  unit: null,
  references: [],
  sources: ['run'],
});
