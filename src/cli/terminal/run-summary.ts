/** The summary of a run: rows, what is missing and why, its cost, and what to do next. */
import { shellWord } from '../../core/index.ts';
import type { ExportProgress } from '../../export/index.ts';
import type { ExportRunResult, RunStatus } from '../../export/runtime/index.ts';
import { sentencesOfWithout } from '../../lake/report/index.ts';
import { entitiesFound, rowsOf } from './run-table.ts';
import { stepWord } from './step-words.ts';
import { counted, formatBytes, formatCount, formatDuration, formatTable } from './terminal.ts';

type Finished = ExportRunResult['finished'];

/** One line for the end of the progress. */
export function summaryLine({ id, progress }: RunStatus): string {
  const {
    filings_found,
    filings_known,
    requests,
    bytes,
    working_ms,
    steps_refreshed = 0,
    steps_unchanged = 0,
  } = progress;
  const entities = entitiesFound(progress);
  const filings = `${counted(filings_found, 'filing')} found, ${formatCount(filings_known)} already complete`;
  return [
    `${id} completed`,
    ...(entities === null ? [] : [entities]),
    ...(entities !== null && filings_found === 0 ? [] : [filings]),
    ...(steps_refreshed === 0
      ? []
      : [`${counted(steps_refreshed, 'step')} requested again, ${formatCount(steps_unchanged)} unchanged`]),
    `${counted(requests, 'request')}, ${formatBytes(bytes)} in ${formatDuration(working_ms / 1000)}`,
  ].join(' · ');
}

/** Rows that the run wrote. */
export function tablesText(progress: ExportProgress): string {
  const rows = rowsOf(progress);
  return rows.length === 0
    ? 'nothing was new\n'
    : formatTable(rows, ['table', 'new', 'replaced', 'in the lake', 'written']);
}

/** Missing filings with reasons, a line each. @param knownCount whether known failures count for the exit code */
export function missingText({ name, lake, progress }: RunStatus, finished: Finished, knownCount = false): string {
  const lines: string[] = [];
  if (progress.windows_unproven > 0) {
    const windows = counted(progress.windows_unproven, 'window');
    lines.push(`${windows} could not be proven complete: filinglake lake check --lake ${shellWord(lake)}`);
  }
  const { filings_deferred } = progress;
  if (filings_deferred > 0) {
    lines.push(
      `${counted(filings_deferred, 'filing was', 'filings were')} changed by another run meanwhile; the next export fetches what is missing`,
    );
  }
  for (const { pass, count } of finished.missing ?? []) {
    lines.push(
      `${counted(count, 'step')} of ${pass} that the run planned ${count === 1 ? 'is' : 'are'} missing without a failure: run the export again`,
    );
  }
  const { unknown, unverified } = finished;
  if (unverified !== undefined) {
    lines.push(
      `the lake has no row of this run in export_plans, so ${counted(unverified, 'fetched step')} could not be verified: run the export again`,
    );
  }
  if (unknown) {
    const word = { ciks: 'CIK', tickers: 'ticker' }[unknown.kind] ?? 'company name';
    const rest = unknown.count > unknown.some.length ? ', ...' : '';
    lines.push(
      unknown.kind === 'names'
        ? `${counted(unknown.count, word)} of the list ${unknown.count === 1 ? 'is' : 'are'} not one company of the service: ${unknown.some.join(', ')}${rest} (table export_unknown says which were found)`
        : `the service does not know ${counted(unknown.count, word)} of the list: ${unknown.some.join(', ')}${rest} (table export_unknown)`,
    );
  }
  const { edgar_days } = finished;
  if (edgar_days && 'absent' in edgar_days) lines.push(`edgar_days has no rows: ${edgar_days.absent}`);
  else if (edgar_days && edgar_days.unproven > 0) {
    const { days, unproven } = edgar_days;
    lines.push(
      `the service is not proven complete for ${formatCount(unproven)} of ${counted(days, 'day')} of EDGAR (table edgar_days)`,
    );
  }
  const { absent, failed, failures, known_failures, retryable } = finished;
  const { older_mapping = 0, without = [] } = finished;
  if (older_mapping > 0)
    lines.push(
      `${counted(older_mapping, 'filing has', 'filings have')} tables of forms of an older version of the mapping: filinglake remap`,
    );
  lines.push(...sentencesOfWithout(without));
  for (const { step, count } of absent) {
    // Counted over the whole lake, with its reason.
    if (finished.without !== undefined && (step === 'forms' || step === 'sections')) continue;
    const what =
      step === 'document'
        ? counted(count, 'document does not exist', 'documents do not exist')
        : `${counted(count, 'filing has', 'filings have')} no ${stepWord(step)}`;
    lines.push(`${what}, according to the service`);
  }
  for (const { step, code, count, message } of failed) {
    lines.push(`${counted(count, 'failure')} of ${stepWord(step)} (${code}): ${message}`);
  }
  if (known_failures > 0) {
    const known = counted(known_failures, 'of these is known', 'of these are known');
    const so = knownCount ? '' : ', and not counted for the exit code';
    lines.push(`${known} from an earlier run${so}`);
  }
  if (retryable > 0)
    lines.push(`retry ${retryable < failures ? formatCount(retryable) : 'them'}: filinglake retry ${name}`);
  return lines.map((line) => `${line}\n`).join('');
}
