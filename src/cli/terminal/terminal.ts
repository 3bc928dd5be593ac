/** Output of commands: progress to stderr (in place on a terminal, plain lines elsewhere), results to stdout. */
import { formatBytes, formatCount } from '../../core/index.ts';
import { colours } from './colours.ts';

export { counted, formatBytes, formatCount } from '../../core/index.ts';

/** Milliseconds between two lines in a pipe or log. On a terminal the line is redrawn. */
const PLAIN_INTERVAL_MS = 10_000;
const REDRAW_INTERVAL_MS = 100;

interface ProgressOptions {
  /** The activity: `ingesting` */
  label: string;
  /** The unit of the counts: `filings`, `bytes` (printed as MB) */
  unit: string;
  /** The total, if known: adds a percentage and the time left */
  total?: number;
  /** Nothing is printed: the caller prints JSON events */
  silent?: boolean;
}

interface Progress {
  /** @param extra a few words after the counts: `2 skipped` */
  update(done: number, extra?: string, total?: number): void;
  /** A separate line above the progress line. */
  note(line: string): void;
  /** Replaces the progress by a final line. */
  finish(summary: string): void;
}

export function openProgress(options: ProgressOptions): Progress {
  const { label, unit, silent = false } = options;
  const out = process.stderr;
  const inPlace = out.isTTY === true && !process.env.CI;
  const startedAt = performance.now();
  let total = options.total;
  let printedAt = inPlace ? Number.NEGATIVE_INFINITY : startedAt;
  const amount = (n: number) => (unit === 'bytes' ? formatBytes(n) : formatCount(n));
  const clear = () => inPlace && out.write('\r\x1b[2K');
  return {
    update(done, extra, newTotal) {
      if (newTotal !== undefined) total = newTotal;
      const now = performance.now();
      if (silent || now - printedAt < (inPlace ? REDRAW_INTERVAL_MS : PLAIN_INTERVAL_MS)) return;
      printedAt = now;
      const seconds = (now - startedAt) / 1000;
      const rate = done / Math.max(seconds, 0.001);
      const parts = [
        `${label} ${amount(done)}${total ? ` of ${amount(total)}` : ''}${unit === 'bytes' ? '' : ` ${unit}`}`,
      ];
      parts.push(`${amount(Math.round(rate))}/s`);
      if (total && rate > 0 && done < total) parts.push(`${formatDuration((total - done) / rate)} left`);
      if (extra) parts.push(extra);
      const line = parts.join(' · ');
      if (inPlace) out.write(`\r\x1b[2K${line.slice(0, (out.columns ?? 80) - 1)}`);
      else out.write(`${line}\n`);
    },
    note(line) {
      if (silent) return;
      clear();
      out.write(`${line}\n`);
    },
    finish(summary) {
      if (silent) return;
      clear();
      out.write(`${summary}\n`);
    },
  };
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** With `--json` the value, else a line for people. */
export function printResult(json: boolean | undefined, value: unknown, line: string): void {
  if (json) printJson(value);
  else process.stdout.write(`${line}\n`);
}

/** Rows under a header, numbers right-aligned. */
export function printTable(rows: readonly Record<string, unknown>[], columns: readonly string[]): void {
  process.stdout.write(formatTable(rows, columns));
}

/** As printTable, but on a terminal each line is cut at its right edge: for tables whose last column may be long. */
export function printCutTable(rows: readonly Record<string, unknown>[], columns: readonly string[]): void {
  process.stdout.write(cutTable(rows, columns, process.stdout.isTTY ? (process.stdout.columns ?? 80) : null));
}

/** @param screen width of the terminal; null: nothing is cut */
export function cutTable(
  rows: readonly Record<string, unknown>[],
  columns: readonly string[],
  screen: number | null,
): string {
  const [head = '', ...lines] = formatTable(rows, columns, (text) => text)
    .trimEnd()
    .split('\n')
    .map((line) => (screen !== null && line.length > screen ? `${line.slice(0, screen - 1)}…` : line));
  return `${[colours.bold(head), ...lines].join('\n')}\n`;
}

/** @param header formats the first line; default bold, if standard output is a terminal */
export function formatTable(
  rows: readonly Record<string, unknown>[],
  columns: readonly string[],
  header: (text: string) => string = colours.bold,
): string {
  const cells = rows.map((row) => columns.map((c) => (row[c] === null || row[c] === undefined ? '' : String(row[c]))));
  const numeric = columns.map((c) => rows.length > 0 && rows.every((row) => isNumeric(row[c])));
  const widths = columns.map((c, i) => Math.max(c.length, ...cells.map((row) => row[i]!.length)));
  const line = (row: string[]) =>
    row
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return `${[header(line([...columns])), ...cells.map(line)].join('\n')}\n`;
}

function isNumeric(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    (typeof value === 'string' && /^[\d,.]+( ?[kMG]?B|\/s| s)?$/.test(value))
  );
}

/** 0.4 s, 12 s, 3 min 20 s, 2 h 05 min, 4 d 3 h. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.round(seconds % 60)).padStart(2, '0')} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
