/** A window of listed accession numbers: a stretch of the list, staged as a page. Sends no request. */
import { readFile } from 'node:fs/promises';
import { FilinglakeError } from '../../core/index.ts';
import { type ExportDefinition, type ExportWindow, hash64, readAccessionList } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';
import { stagePage } from '../plan/staged-files.ts';
import type { WindowRead } from '../types.ts';
import type { WindowReader } from './read-pages.ts';

/** As many as a lookup's window has. */
const NUMBERS_MAX = 10_000;
const LIST_NAME = 'numbers.json';

export async function readNumbers(
  { lake, run }: Pick<WindowReader, 'lake' | 'run'>,
  window: ExportWindow,
): Promise<WindowRead> {
  const numbers = await listOf(lake, run.run_id, run.definition);
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

/**
 * The list of the run: a copy of the file from its first read, kept in the staging folder. A later change of the file doesn't
 * change the run.
 */
async function listOf(lake: Lake, runId: string, { select }: ExportDefinition): Promise<readonly string[]> {
  const given = select.accession_numbers ?? [];
  if (Array.isArray(given)) return given;
  const kept = await lake.readStaged(runId, LIST_NAME);
  if (kept !== null) return JSON.parse(kept.toString('utf8')) as string[];
  const text = await textOf(given.file);
  if (given.hash !== undefined && given.hash !== hash64(text)) {
    throw new FilinglakeError('numbers-changed', `${given.file} changed after the export started`);
  }
  const { numbers, wrong } = readAccessionList(text);
  if (wrong) {
    const place = `${given.file}:${wrong.line}:${wrong.column}`;
    throw new FilinglakeError('numbers-invalid', `${place}: no accession number: ${JSON.stringify(wrong.text)}`);
  }
  await lake.putStaged(runId, LIST_NAME, JSON.stringify(numbers));
  return JSON.parse((await lake.readStaged(runId, LIST_NAME))!.toString('utf8')) as string[];
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new FilinglakeError(
      'file-unreadable',
      `the list of accession numbers can't be read: ${(cause as Error).message}`,
      {
        remedy: 'Check the path. Workers on other machines need the file at the same path.',
        cause,
      },
    );
  }
}
