/** `coverage`. */
import { accession, column, table, text } from './table.ts';

export const coverage = table({
  name: 'coverage',
  meaning: 'What has been asked of which filing: decides what is known and what is owed',
  key: ['accession_number', 'step'],
  columns: [
    accession,
    text('step', 'filing, info, sections or document:<document_id>'),
    text('selector', 'what of the step was asked for'),
    text(
      'revision',
      "hashes of the filing's form, acceptance time and documents, joined by dots: another one than that of the step `filing` means that the step is of an older revision",
    ),
    text('status', 'done, absent or failed'),
    column('fetched_at', 'TIMESTAMPTZ', 'when, by the clock of the machine that fetched it'),
    text('record', 'of the step `filing`: hash of what else the lookup said of the filing'),
    text('run_id', 'the run that wrote this row'),
  ],
  unit: ['accession_number', 'step'],
  references: [],
  sources: ['run'],
});
