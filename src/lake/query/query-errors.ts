/** Errors of a query: mistakes in it, results that are too large, files that can't be read. */
import { FilinglakeError } from '../../core/index.ts';
import { refusalByEngine } from '../engine/duckdb-errors.ts';

/** DuckDB says `Parser Error`, `Binder Error` ... with the line and a caret: mistakes that the user can correct. */
export function queryError(error: unknown, lake: string): unknown {
  if (error instanceof FilinglakeError || !(error instanceof Error)) return error;
  if (isTooLong(error)) return textTooLong(error);
  const message = error.message.replace(/^Failed to (extract|prepare) statements?: /, '').trimEnd();
  // A file that the query itself names.
  if (/^IO Error: .*(No files found|Cannot open file)/i.test(message) && !message.includes(lake)) {
    return new FilinglakeError('sql-invalid', message, {
      remedy: 'Name a file that exists. Name tables of the lake alone, as in FROM filings.',
      cause: error,
    });
  }
  const refused = refusalByEngine(lake, error);
  if (refused !== null) return refused;
  // DuckDB advises settings that a reading statement can't change.
  const [what] = message.split('\n');
  if (/^Out of Memory Error/i.test(message)) return new FilinglakeError('query-too-large', what!, { cause: error });
  if (/^(IO|Fatal|Internal) ?Error/i.test(message)) {
    return new FilinglakeError('lake-unreadable', message, {
      cause: error,
      remedy: 'Run `filinglake lake check` to see whether a part is missing or damaged.',
    });
  }
  return new FilinglakeError('sql-invalid', message, {
    remedy: 'Run `filinglake schema` to list tables and columns.',
    cause: error,
  });
}

/** V8 makes no string of more than 512 MiB. */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && /string longer than 0x|Invalid string length/.test(error.message);
}

export function textTooLong(cause: unknown): FilinglakeError {
  return new FilinglakeError('query-too-large', 'a value of the result is longer than 512 MiB as text', { cause });
}
