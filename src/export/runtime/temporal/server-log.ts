/** Finds the cause of a failed start in the log of Temporal's server. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

const READ_MAX = 64_000;
const LINES_MAX = 5;
const LINE_CHARS_MAX = 500;

/** Position of the next lines. */
export function endOfLog(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * The lines that state the cause, the newest last, each once even if several tries wrote it. Without such lines, the last line.
 * @param from the end of the log before the start; a log that is shorter now was renamed meanwhile
 */
export function whatWentWrong(file: string, from: number): string[] {
  const lines = readFrom(file, from)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => /^(Error|panic|fatal error): |\blevel=(ERROR|FATAL|PANIC)\b/i.test(line));
  const byText = new Map<string, string>();
  for (const line of errors.length > 0 ? errors : lines.slice(-1)) {
    const text = line.replace(/^time=\S+ /, '');
    byText.delete(text);
    byText.set(text, line.slice(0, LINE_CHARS_MAX));
  }
  return [...byText.values()].slice(-LINES_MAX);
}

function readFrom(file: string, from: number): string {
  if (endOfLog(file) === 0) return '';
  const log = openSync(file, 'r');
  try {
    const { size } = fstatSync(log);
    const start = Math.max(from > size ? 0 : from, size - READ_MAX);
    const buffer = Buffer.alloc(size - start);
    return buffer.toString('utf8', 0, readSync(log, buffer, 0, buffer.length, start));
  } finally {
    closeSync(log);
  }
}
