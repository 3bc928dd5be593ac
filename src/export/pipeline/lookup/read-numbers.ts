/** A window of listed accession numbers: a stretch of the list, staged as a page. Sends no request. */
import type { ExportWindow } from '../../windows/index.ts';
import { stagePage } from '../staging/staged-files.ts';
import type { WindowRead } from '../types.ts';
import { listOfRun } from './list-of-run.ts';
import type { WindowReader } from './read-pages.ts';

/** As many as a lookup's window has. */
const NUMBERS_MAX = 10_000;

export async function readNumbers(
  { lake, run }: Pick<WindowReader, 'lake' | 'run'>,
  window: ExportWindow,
): Promise<WindowRead> {
  const { accession_numbers: given = [] } = run.definition.select;
  const numbers = Array.isArray(given) ? given : await listOfRun(lake, run.run_id, 'accession_numbers', given);
  const { from, to } = window.numbers ?? { from: 0, to: numbers.length };
  if (to - from > NUMBERS_MAX)
    return { split: stretches(window, from, to), pages: 0, promised: 0, found: 0, proven: false };
  const records = numbers.slice(from, to);
  await stagePage<string>(lake, run.run_id, window.id, 0, { state: null, records, violations: [] });
  const all = records.length;
  // Every number of the list is processed. A number that the service doesn't know is a failure of its own.
  return { split: null, pages: 1, promised: all, found: all, proven: true };
}

function stretches(window: ExportWindow, from: number, to: number): ExportWindow[] {
  const windows: ExportWindow[] = [];
  for (let at = from; at < to; at += NUMBERS_MAX) {
    const numbers = { from: at, to: Math.min(at + NUMBERS_MAX, to) };
    windows.push({ ...window, id: `${window.id}-${windows.length + 1}`, numbers });
  }
  return windows;
}
