/** An active run for people: a table of its steps and of the lake's tables, or one line. Pure text. */
import { type ExportProgress, PASSES, stateText } from '../../export/index.ts';
import type { RunStatus } from '../../export/runtime/index.ts';
import { STEP_WORDS } from './step-words.ts';
import { counted, formatBytes, formatCount, formatDuration, formatTable } from './terminal.ts';

/** The rate of a run in the last seconds. Its past before a month's wait, or before its worker started, does not show the current rate. */
export class RecentRate {
  readonly #samples: { at: number; requests: number }[] = [];
  #growths = 0;

  /** @param at milliseconds of any steady clock @param working false while the run waits */
  add(at: number, requests: number, working = true): void {
    if (!working || requests < (this.#samples.at(-1)?.requests ?? 0)) this.#forget();
    if (requests > (this.#samples.at(-1)?.requests ?? requests) && ++this.#growths === 1) {
      // The first step may include everything that a worker found done at its start.
      this.#samples.length = 0;
    }
    this.#samples.push({ at, requests });
    while (this.#samples.length > 2 && at - this.#samples[0]!.at > RATE_WINDOW_MS) this.#samples.shift();
  }

  /** Requests a second; null until enough was measured. */
  perSecond(): number | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || this.#growths < GROWTHS_MIN || last.at - first.at < RATE_MIN_MS) return null;
    return Math.max(0, ((last.requests - first.requests) / (last.at - first.at)) * 1000);
  }

  #forget(): void {
    this.#samples.length = 0;
    this.#growths = 0;
  }
}

const RATE_WINDOW_MS = 20_000;
/** Workers report once a second: a period with few reports measures the reports, not the work. */
const RATE_MIN_MS = 5_000;
const GROWTHS_MIN = 4;

/** Lines of at most `columns` characters. @param now of the wall clock, in milliseconds */
export function runTable({ id, progress }: RunStatus, rate: number | null, now: number, columns: number): string[] {
  const lines = [
    [id, formatDuration(secondsSince(progress.started_at, now)), stateText(progress)].join(' · '),
    '',
    ...stepTable(progress),
    '',
    spentText(progress, rate),
  ];
  const tables = rowsOf(progress);
  if (tables.length > 0) {
    lines.push(
      '',
      ...formatTable(tables, ['table', 'new', 'replaced', 'in the lake', 'written'], plain).trimEnd().split('\n'),
    );
    const { version, at } = progress.last_commit!;
    lines.push(`version ${version}, committed ${formatDuration(secondsSince(at, now))} ago`);
  }
  return lines.map((line) => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line));
}

const plain = (text: string) => text;

function stepTable(progress: ExportProgress): string[] {
  const { windows_read, windows_unproven, filings_found, filings_expected, filings_known, steps } = progress;
  const windows = [counted(windows_read, 'window')];
  if (windows_unproven > 0) windows.push(`${formatCount(windows_unproven)} not proven complete`);
  const found =
    filings_found === filings_expected
      ? `${counted(filings_found, 'filing')} found`
      : `${formatCount(filings_found)} of ${counted(filings_expected, 'filing')} found`;
  const entities = entitiesFound(progress);
  if (entities !== null) windows.push(entities);
  const lookup = `lookups: ${windows.join(', ')}; ${found}, ${formatCount(filings_known)} already complete`;
  const rows = PASSES.flatMap((pass) => {
    const { done, pending } = steps[pass];
    if (done + pending === 0) return [];
    const share = `${Math.floor((100 * done) / (done + pending))} %`;
    return [{ requests: STEP_WORDS[pass], done: formatCount(done), pending: formatCount(pending), '': share }];
  });
  return [
    lookup,
    ...(rows.length > 0 ? formatTable(rows, ['requests', 'done', 'pending', ''], plain).trimEnd().split('\n') : []),
  ];
}

/** Requests, bytes, rate, time and quota left. */
function spentText(progress: ExportProgress, rate: number | null): string {
  const parts = [counted(progress.requests, 'request'), formatBytes(progress.bytes)];
  if (progress.retries > 0) parts.push(`${formatCount(progress.retries)} retried`);
  if (progress.failures > 0) parts.push(`${formatCount(progress.failures)} failed`);
  if (progress.state === 'running' && rate !== null) {
    parts.push(`${rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate))}/s`);
    if (rate > 0 && progress.requests_pending > 0)
      parts.push(`${formatDuration(progress.requests_pending / rate)} left`);
  }
  const left = progress.quota?.requests_left;
  if (left !== null && left !== undefined) parts.push(`${formatCount(left)} of the quota left`);
  return parts.join(' · ');
}

/** Entities that were requested by a query; null if there were none. */
export function entitiesFound({ entities_found }: ExportProgress): string | null {
  return entities_found > 0 ? `${counted(entities_found, 'entity', 'entities')} found` : null;
}

/** The whole run in one line, for logs. */
export function runLine({ id, progress }: RunStatus, rate: number | null): string {
  const { filings_found, filings_known, last_commit, steps } = progress;
  const parts = [`${counted(filings_found, 'filing')} found, ${formatCount(filings_known)} already complete`];
  for (const pass of PASSES) {
    const { done, pending } = steps[pass];
    const of = pass === 'whole' ? 'requests of whole filings' : STEP_WORDS[pass];
    if (done + pending > 0) parts.push(`${of} ${formatCount(done)} of ${formatCount(done + pending)}`);
  }
  parts.push(spentText(progress, rate));
  if (last_commit) parts.push(`version ${last_commit.version}`);
  return `${id}: ${parts.join(' · ')}`;
}

/** Remaining work of a stopped run; '' if nothing is known to be left. */
export function leftText({ windows_left, steps }: ExportProgress): string {
  const parts = windows_left > 0 ? [`${counted(windows_left, 'window')} to read`] : [];
  for (const pass of PASSES) {
    const { pending } = steps[pass];
    if (pending > 0) parts.push(`${counted(pending, 'request')} of ${STEP_WORDS[pass]}`);
  }
  return parts.length === 0 ? '' : `still to do: ${parts.join(', ')}`;
}

/** Rows that a run wrote, by table. */
export function rowsOf({ tables }: ExportProgress): Record<string, string>[] {
  return Object.entries(tables)
    .filter(([, { rows_new, rows_replaced }]) => rows_new + rows_replaced > 0)
    .map(([table, { rows_new, rows_replaced, rows_total, bytes }]) => ({
      table,
      new: formatCount(rows_new),
      replaced: formatCount(rows_replaced),
      'in the lake': formatCount(rows_total),
      written: formatBytes(bytes),
    }));
}

function secondsSince(iso: string, now: number): number {
  return Math.max(0, (now - Date.parse(iso)) / 1000);
}
