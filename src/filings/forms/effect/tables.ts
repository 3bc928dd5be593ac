/** Tables of notices of effectiveness: the SEC declares that a registration statement is effective. */
import { cik, date, group, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['EFFECT']);

export const effectNotices = table('effect_notices', {
  meaning: 'Notices of effectiveness, one row each',
  key: [],
  columns: [
    text('schema_version', 'schemaVersion', 'X0101'),
    text('act', 'act', '33: Securities Act of 1933'),
    ...group('effectiveData', null, [
      date('effective_date', 'finalEffectivenessDispDate', 'day on which the registration is effective'),
      text('effective_time', 'finalEffectivenessDispTime', 'time of that day, HH:MM:SS', { empty: 'not said' }),
      text('registration_form', ['form', 'submissionType'], 'form of the registration: S-1'),
      text('registration_accession_number', 'accessionNumber', 'number of the registration', { empty: 'not said' }),
    ]),
  ],
});

export const effectFilers = table('effect_filers', {
  meaning: 'Filers of the registration',
  key: [position],
  columns: [
    cik('filer_cik', 'cik', 'CIK'),
    text('filer_name', 'entityName', 'name'),
    text('file_number', 'fileNumber', "the SEC's file number of the registration: 333-253868"),
  ],
});
