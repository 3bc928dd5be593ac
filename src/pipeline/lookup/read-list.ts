/** A window of a file of CIKs or tickers: it becomes windows for some hundreds of them each. Lists those that the service doesn't know. */
import { ContractViolationError, type FilingClient } from '../../client/index.ts';
import type { ExportWindow } from '../../export/index.ts';
import type { WindowRead } from '../types.ts';
import { listOfRun } from './list-of-run.ts';
import type { WindowReader } from './read-pages.ts';

/** Values of a request: services take 1,000 at most, and a filter goes into the history of the workflow. */
export const VALUES_OF_A_WINDOW = 500;

export async function readList(
  { lake, run, client }: Pick<WindowReader, 'lake' | 'run' | 'client'>,
  window: ExportWindow,
): Promise<WindowRead> {
  const { entity_lists = {} } = run.definition.select;
  const kind = entity_lists.ciks === undefined ? 'tickers' : 'ciks';
  const values = await listOfRun(lake, run.run_id, kind, entity_lists[kind]!);
  const slices = slicesOf(values);
  const name = unknownFile(window.id);
  if ((await lake.readStaged(run.run_id, name)) === null) {
    const unknown: string[] = [];
    for (const slice of slices) unknown.push(...(await unknownOf(client, kind, slice)));
    await lake.putStaged(run.run_id, name, JSON.stringify({ kind, values: unknown }));
  }
  const { parts, of: _list, ...rest } = window;
  const split = slices.map((slice, i): ExportWindow => {
    const entity_query = { ...window.filter.entity_query, [kind]: slice };
    const of = parts === 'filings' || parts === undefined ? {} : { of: parts };
    return { ...rest, ...of, id: `${window.id}-${i + 1}`, filter: { ...window.filter, entity_query } };
  });
  return { split, pages: 0, promised: 0, found: 0, proven: false };
}

/** Staged file, also of a window that is read again (`w.2`), with what the service doesn't know of the list of a window. */
export const unknownFile = (window: string) => `unknown-${window.replace(/\.\d+$/, '')}.json`;

export function slicesOf(values: readonly string[]): string[][] {
  const slices: string[][] = [];
  for (let at = 0; at < values.length; at += VALUES_OF_A_WINDOW) slices.push(values.slice(at, at + VALUES_OF_A_WINDOW));
  return slices;
}

/** Values that no entity has. None if the service's answer can't be read: the filings are found all the same. */
async function unknownOf(client: FilingClient, kind: 'ciks' | 'tickers', values: readonly string[]): Promise<string[]> {
  const known = new Set<string>();
  try {
    for await (const { value } of client.entityPages({ [kind]: [...values] }, VALUES_OF_A_WINDOW)) {
      for (const { cik, tickers } of value.entities) {
        known.add(cik);
        for (const ticker of tickers) known.add(spelledAlike(ticker));
      }
    }
  } catch (error) {
    if (error instanceof ContractViolationError) return [];
    throw error;
  }
  return values.filter((value) => !known.has(kind === 'ciks' ? value : spelledAlike(value)));
}

/** `BRK.B`, `BRK-B` and `BRK/B` are one ticker. */
function spelledAlike(ticker: string): string {
  return ticker.toUpperCase().replaceAll(/[./]/g, '-');
}
