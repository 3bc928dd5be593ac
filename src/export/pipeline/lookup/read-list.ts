/**
 * A window of a file of companies: it becomes windows for some hundreds of them each. Lists those that the service doesn't know, and
 * names that several companies have.
 */
import type { Lake } from '../../../lake/index.ts';
import { ContractViolationError, type FilingClient } from '../../client/index.ts';
import type { ListKind, NumbersFile, Selection } from '../../definition/index.ts';
import type { ExportWindow } from '../../windows/index.ts';
import type { RunReference, WindowRead } from '../types.ts';
import { companyOf } from './company-of-name.ts';
import { keptList, listOfRun } from './list-of-run.ts';
import type { WindowReader } from './read-pages.ts';

/** Values of a request: services take 1,000 at most, and a filter goes into the history of the workflow. */
export const VALUES_OF_A_WINDOW = 500;
/** More than the entities of that many CIKs or tickers: a page that isn't full is the last one. */
const ENTITIES_OF_A_PAGE = 2 * VALUES_OF_A_WINDOW;

/** A value of the list that stands for no company. */
interface UnknownValue {
  value: string;
  /** How many companies have the name: 0, or several */
  matches: number;
  /** Some of them: `320193 Apple Inc.; …`; null if there are none */
  companies: string | null;
}

interface LookedUp {
  kind: ListKind;
  values: UnknownValue[];
  /** CIKs of the companies, if the list has names. */
  ciks?: string[];
}

export function listOfSelection({ entity_lists = {} }: Selection): { kind: EntityKind; list: NumbersFile } | null {
  for (const kind of ['ciks', 'tickers', 'names'] as const) {
    const list = entity_lists[kind];
    if (list !== undefined) return { kind, list };
  }
  return null;
}

type EntityKind = Exclude<ListKind, 'accession_numbers'>;

export async function readList(
  { lake, run, client }: Pick<WindowReader, 'lake' | 'run' | 'client'>,
  window: ExportWindow,
): Promise<WindowRead> {
  const { kind, list } = listOfSelection(run.definition.select)!;
  const values = await listOfRun(lake, run.run_id, kind, list);
  const { from, to } = window.numbers ?? { from: 0, to: values.length };
  const split = to - from > VALUES_OF_A_WINDOW ? stretches(window, to) : null;
  if (split !== null) return { ...NOTHING, split };
  const slice = values.slice(from, to);
  const { ciks } = await lookedUp({ lake, run, client }, window, kind, slice);
  const filter = { [kind === 'names' ? 'ciks' : kind]: ciks ?? slice };
  // A filter without values would select everything.
  if (ciks?.length === 0) return { ...NOTHING, split: [] };
  const { parts, of: _list, numbers: _stretch, ...rest } = window;
  const of = parts === 'filings' || parts === undefined ? {} : { of: parts };
  const entity_query = { ...window.filter.entity_query, ...filter };
  return { ...NOTHING, split: [{ ...rest, ...of, id: `${window.id}-1`, filter: { ...window.filter, entity_query } }] };
}

const NOTHING = { pages: 0, promised: 0, found: 0, proven: false };

/** Each is looked up by itself: a kill repeats the lookups of one. */
function stretches(window: ExportWindow, to: number): ExportWindow[] {
  const windows: ExportWindow[] = [];
  for (let from = 0; from < to; from += VALUES_OF_A_WINDOW) {
    const numbers = { from, to: Math.min(from + VALUES_OF_A_WINDOW, to) };
    windows.push({ ...window, id: `${window.id}-${windows.length + 1}`, numbers });
  }
  return windows;
}

/** What the service knows of the values of a window; staged, so that it is asked once. */
async function lookedUp(
  { lake, run, client }: Pick<WindowReader, 'lake' | 'run' | 'client'>,
  window: ExportWindow,
  kind: EntityKind,
  values: readonly string[],
): Promise<LookedUp> {
  const name = lookedUpFile(window.id);
  const staged = await lake.readStaged(run.run_id, name);
  if (staged !== null) return JSON.parse(staged.toString('utf8')) as LookedUp;
  const found =
    kind === 'names'
      ? await byName(client, values)
      : { kind, values: (await unknownOf(client, kind, values)).map(withoutCompany) };
  await lake.putStaged(run.run_id, name, JSON.stringify(found));
  return found;
}

/** Also of a window that is read again (`w.2`). */
const lookedUpFile = (window: string) => `looked-up-${window.replaceAll(/\.\d+/g, '')}.json`;

/** All values of a run's list that stand for no company. */
export async function unknownValues(
  lake: Lake,
  { run_id, definition }: RunReference,
): Promise<{ kind: EntityKind; values: UnknownValue[] }> {
  const given = listOfSelection(definition.select);
  if (given === null) return { kind: 'ciks', values: [] };
  const list = (await keptList(lake, run_id, given.kind)) ?? [];
  const values = new Map<string, UnknownValue>();
  // The windows of filings, and those of entities, have the same list.
  for (const window of ['w', 'e']) {
    const parts = Math.ceil(list.length / VALUES_OF_A_WINDOW);
    for (let part = 1; part <= parts; part++) {
      const staged = await lake.readStaged(run_id, lookedUpFile(parts === 1 ? window : `${window}-${part}`));
      if (staged === null) continue;
      for (const one of (JSON.parse(staged.toString('utf8')) as LookedUp).values) values.set(one.value, one);
    }
  }
  return { kind: given.kind, values: [...values.values()] };
}

async function byName(client: FilingClient, names: readonly string[]): Promise<LookedUp> {
  const ciks = new Set<string>();
  const values: UnknownValue[] = [];
  for (const name of names) {
    const found = await companyOf(client, name);
    if ('cik' in found) ciks.add(found.cik);
    else values.push({ value: name, ...found });
  }
  return { kind: 'names', values, ciks: [...ciks] };
}

function withoutCompany(value: string): UnknownValue {
  return { value, matches: 0, companies: null };
}

/** Values that no entity has. None if the service's answer can't be read: the filings are found all the same. */
async function unknownOf(client: FilingClient, kind: 'ciks' | 'tickers', values: readonly string[]): Promise<string[]> {
  const known = new Set<string>();
  const unknown = () => values.filter((value) => !known.has(kind === 'ciks' ? value : spelledAlike(value)));
  try {
    for await (const { value } of client.entityPages({ [kind]: [...values] }, ENTITIES_OF_A_PAGE)) {
      for (const { cik, tickers } of value.entities) {
        known.add(cik);
        for (const ticker of tickers) known.add(spelledAlike(ticker));
      }
      if (unknown().length === 0) break;
    }
  } catch (error) {
    if (error instanceof ContractViolationError) return [];
    throw error;
  }
  return unknown();
}

/** `BRK.B`, `BRK-B` and `BRK/B` are one ticker. */
function spelledAlike(ticker: string): string {
  return ticker.toUpperCase().replaceAll(/[./]/g, '-');
}
