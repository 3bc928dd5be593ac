/** `coverage`. */
import { accession, table, text, varying } from './table.ts';

export const coverage = table({
  name: 'coverage',
  meaning: 'Which steps of which filings have been fetched, and which are pending',
  key: ['accession_number', 'step'],
  columns: [
    accession,
    text('step', 'filing, info, sections, forms or document:<document_id>'),
    text('selector', 'what part of the step was requested'),
    text(
      'revision',
      "hashes of the filing's form, acceptance time, documents and stated revision, joined by dots. If it differs from that of the step `filing`, the step is of an older revision",
    ),
    text('status', 'done, absent or failed'),
    text(
      'reason',
      'why a step has no rows, null if done. no_such_document: the filing has no document for it. has_none: nothing was in it. unreadable_document: a document could not be read. request_failed: the service gave no right answer',
    ),
    varying(
      'fetched_at',
      'TIMESTAMPTZ',
      'when, by the clock of the machine that fetched it',
      'when the run fetched it',
    ),
    text('record', 'of the step `filing`: hash of the rest of the lookup record'),
    varying('run_id', 'VARCHAR', 'the run that wrote this row', 'names the run'),
    varying(
      'etag',
      'VARCHAR',
      'ETag of the answer, if the service gives one; of `forms` those of its documents, as JSON',
      'of one service',
    ),
    text('content', 'hash of the rows made from the answer. A refresh compares it'),
  ],
  unit: ['accession_number', 'step'],
  references: [],
  role: 'coverage',
  sources: ['run'],
});
