/** Errors of export definitions, runs and schedules. */
import type { ErrorsByExit } from './exit-codes.ts';

export const EXPORT_ERRORS = {
  usage: {
    'definition-invalid': [
      'The export definition has a mistake. The message gives its file, line and column.',
      'Correct the definition. docs/guide/exports.md explains every key.',
    ],
    'export-unknown': [
      'A file has no export of this name, or has several and none is named.',
      'Name one of the exports in the file, after the file.',
    ],
    'export-differs': [
      'An export of this name is running with another definition.',
      'Give this export another name, or end the other with `filinglake cancel`.',
    ],
    'format-differs': [
      'Another export has stored XML documents or readable texts in this lake in another format.',
      'Set documents.xml and text_format of both exports to the same values, or use another lake.',
    ],
    'export-running': [
      'The export is running already.',
      'Wait until it ends. `filinglake resume` watches it, `filinglake cancel` ends it.',
    ],
    'numbers-invalid': [
      'A file of accession numbers, CIKs, tickers or names holds something else.',
      'Give one value a line, or name the column of a CSV or Parquet file.',
    ],
    'run-unknown': ['There is no such run of `filinglake export`.', 'Run `filinglake status` to list the runs.'],
    'run-ambiguous': ['Several lakes have an export of this name.', 'Give the id of the run that you mean.'],
    'schedule-unknown': [
      'There is no such schedule, or several lakes have one of this name.',
      'Run `filinglake schedule list` to list the schedules, and give the id of one.',
    ],
    'schedule-exists': [
      'There is a schedule of this name already.',
      'Add --replace to replace it, or remove it with `filinglake schedule delete`.',
    ],
    'schedule-invalid': [
      'The times or the time zone of a schedule cannot be understood.',
      'Give minute, hour, day of month, month and day of week, as in "0 6 * * 1-5", and a zone such as America/New_York.',
    ],
  },
  error: {
    'numbers-changed': [
      'A file of accession numbers, CIKs, tickers or names changed after the export started.',
      'Run `filinglake export` again. It reads the list again.',
    ],
    'run-ended': ['The run has ended.', 'Run `filinglake export` again. It fetches only what the lake does not have.'],
    'run-cancelled': [
      'The run was cancelled. The lake is as its last commit left it.',
      'Run `filinglake export` again to continue.',
    ],
    'run-failed': ['The run failed for a reason that has no code.', 'Read the message and the log, then export again.'],
    'windows-too-many': [
      'The lookup of the selection has too many parts with missing filings for one run.',
      'Export fewer years or forms at a time: narrow the selection with `--set date_from=… --set date_to=…`.',
    ],
    'document-too-large': [
      'A document is larger than documents.max_bytes of the definition. Recorded in export_failures.',
      'Raise documents.max_bytes as far as memory allows, and export again.',
    ],
    'form-unreadable': [
      'A document of a structured form is malformed, or is another document. No row of the filing is stored. Recorded in export_failures.',
      'Look at the document with `filinglake map`. If the service changed it, report it to the operator.',
    ],
    'value-unstorable': [
      'A value does not fit its column. The rest of the record is stored. Recorded in export_failures.',
      'Report the value to the operator of the service.',
    ],
    'entity-not-found': [
      'The service has no entity with this CIK. Recorded in export_failures.',
      'Remove the CIK from the definition, or leave the failure as it is.',
    ],
    'staging-missing': [
      'A staged file of a run is gone: it was deleted, a worker sees another folder, or Temporal has an older history of the run.',
      'Check that all workers see the same folder and that nothing clears it. Then run `filinglake export` again: it continues from what the lake has.',
    ],
    'notify-failed': [
      'A notice of a schedule could not be delivered.',
      'Correct the command, the address or the settings of notify. filinglake up tries again.',
    ],
  },
  finishedWithFailures: {
    'export-incomplete': [
      'The export ended with new failures, unproven windows or filings left to the next run.',
      'Read export_failures in the lake. Run `filinglake retry` to ask again.',
    ],
  },
  keyRefused: {
    'run-key-differs': [
      'The run was started with another API key.',
      'Set FILINGLAKE_API_KEY to the key that started the run, or cancel the run. If it waits for its quota, start the export again: a new key takes it over.',
    ],
  },
  unreachable: {
    'operation-failing': [
      'One operation of the service fails for every request.',
      'Run `filinglake resume` when the service works again. The run is kept.',
    ],
  },
  stoppedByQuota: {
    'export-stopped': [
      'The export stopped before it was complete. The exit code is 5 if the service is away, 1 after crashes.',
      'Start the same export again to continue. The run is kept.',
    ],
  },
  interrupted: {
    'export-interrupted': ['The export was interrupted.', 'Start the same export again to continue. The run is kept.'],
  },
} as const satisfies ErrorsByExit;
