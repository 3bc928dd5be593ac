/** `export_failures`. */
import { column, table, text } from './table.ts';

export const exportFailures = table({
  name: 'export_failures',
  meaning: 'What an export could not get, and why; a row goes when it succeeds',
  key: ['export', 'step', 'subject'],
  columns: [
    text('export', 'name of the export'),
    text('step', 'what was asked'),
    text('subject', 'accession number, document id or CIK: whichever it is about'),
    text('accession_number', 'the filing, where it is about one'),
    text('document_id', 'the document, where it is about one'),
    text('cik', 'the entity, where it is about one'),
    text('code', 'kind of failure'),
    text('message', 'what happened'),
    text('path', 'member of the answer that broke the contract or could not be stored; several joined by commas'),
    text('value', 'its value; of several all, in their order'),
    column(
      'attempts',
      'INTEGER',
      'how often it has failed so: by each run, or each time that one asked anew after its retries',
    ),
    column('failed_at', 'TIMESTAMPTZ', 'last time'),
    text('run_id', 'the run that tried it last'),
    text('revision', "of the filing's record that it was tried for, as in coverage"),
    text(
      'first_reported_by',
      'the completed run that counted it first, with this code, path, value and revision; null: none has yet',
    ),
  ],
  unit: null,
  references: [],
  sources: ['run'],
});
