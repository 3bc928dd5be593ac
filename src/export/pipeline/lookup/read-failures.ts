/** The failures of an export from the lake: the records of a retry's window. Sends no request. */
import { quoteText } from '../../../core/index.ts';
import { parseCik } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import type { ExportWindow } from '../../windows/index.ts';
import { isAccessionNumber } from '../coverage/coverage.ts';
import { recordsOfWindow, stagePage } from '../staging/staged-files.ts';
import type { WindowRead } from '../types.ts';
import type { WindowReader } from './read-pages.ts';

/** The members of a row of export_failures that a retry needs. */
export interface FailedStep {
  step: string;
  subject: string;
  accession_number: string | null;
  cik: string | null;
  code: string;
}

export const failureKey = ({ step, subject }: Pick<FailedStep, 'step' | 'subject'>) => `${step} ${subject}`;

export async function readFailures(
  { lake, run }: Pick<WindowReader, 'lake' | 'run'>,
  window: ExportWindow,
): Promise<WindowRead> {
  const rows = await lake.query(
    `SELECT step, subject, accession_number, cik, code FROM export_failures
     WHERE export = ${quoteText(run.definition.name)} ORDER BY subject, step`,
  );
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  const records = rows.map(
    (row): FailedStep => ({
      step: String(row.step),
      subject: String(row.subject),
      accession_number: text(row.accession_number),
      cik: text(row.cik),
      code: String(row.code),
    }),
  );
  await stagePage<FailedStep>(lake, run.run_id, window.id, 0, { state: null, records, violations: [] });
  return { promised: 0, found: 0, split: null, pages: 1, proven: true };
}

/** Splits the failures: those of entities, and the filings of the others. */
export async function failedSubjects(
  lake: Lake,
  runId: string,
  window: string,
  pages: number,
): Promise<{ ciks: string[]; numbers: string[] }> {
  const { records } = await recordsOfWindow<FailedStep>(lake, runId, window, pages, failureKey);
  return {
    ciks: records.flatMap(({ step, cik }) => (step === 'entity' && cik !== null ? (parseCik(cik) ?? []) : [])),
    numbers: records.flatMap(({ accession_number: number }) =>
      number !== null && isAccessionNumber(number) ? [number] : [],
    ),
  };
}
