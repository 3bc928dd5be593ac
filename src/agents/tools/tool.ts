/** What a tool is: a description for models, its arguments, and a function from arguments to rows or a text. */
import type { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import { type PassageCitation, type RowsCitation, sha256 } from '../answers/citation.ts';
import { type Json, jsonText } from '../answers/json-text.ts';
import type { Moment } from '../answers/moment.ts';
import type { FilingSource } from '../sources/filing-source.ts';
import type { LakeTables } from '../sources/lake-tables.ts';
import type { Exports, RunProgress } from './exports.ts';
import type { Sandbox } from './sql-session.ts';

/** What the tools read and start. */
export interface World {
  /** The first with an answer gives it. */
  readonly sources: readonly FilingSource[];
  readonly lake: LakeTables | null;
  readonly sql: Sandbox | null;
  readonly exports: Exports | null;
}

export interface ToolCall<Args> {
  readonly args: Args;
  readonly world: World;
  readonly asOf: Moment | null;
  /** What earlier pages have given. */
  readonly position: number;
  /** The version of the lake that all pages of an answer read. */
  readonly version: number | null;
  readonly budget: number;
  readonly signal: AbortSignal;
  /** Receives a run that the call has started. */
  readonly onRun: (run: RunProgress) => void;
  /** What the call of a citation finds now. */
  readonly again: (citation: RowsCitation) => Promise<FoundRows | FoundText>;
}

/** Rows in order, of which the answer has as many as fit. */
export interface FoundRows {
  readonly head?: Readonly<Record<string, Json>>;
  /** From `position` on: all, or as many as any budget holds. */
  readonly rows: readonly Json[];
  /** Rows in all; null: not known. */
  readonly total: number | null;
  readonly caveats?: readonly string[];
  /** Arguments that give the rows again; absent: those of the call. */
  readonly repeat?: Readonly<Record<string, Json>>;
  /** Of all rows, if their order is not certain; absent: made of the head and the rows shown. */
  readonly sha256?: string;
}

/** A text, of which the answer has as much as fits. */
export interface FoundText {
  readonly head?: Readonly<Record<string, Json>>;
  readonly text: string;
  /** Begin of the first page, and end of the last one. */
  readonly start: number;
  readonly end: number;
  readonly source: FilingSource['kind'];
  readonly cite: (start: number, end: number) => PassageCitation;
  readonly caveats?: readonly string[];
}

export interface Tool<Shape extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  /** What it can't work without. */
  readonly needs: 'filings' | 'lake' | 'exports';
  /** False: its answers have no citation. */
  readonly cites?: false;
  /** Absent: it only reads. */
  readonly writes?: true;
  run(call: ToolCall<z.output<Shape>>): Promise<FoundRows | FoundText>;
}

export function tool<const Shape extends z.ZodObject>(definition: Tool<Shape>): Tool {
  return definition as unknown as Tool;
}

/** What `verify` compares: of the head and the first rows of what a call found. */
export const digestOf = ({ head = {}, rows, sha256: whole }: FoundRows, n: number): string =>
  whole ?? sha256(jsonText([head, rows.slice(0, n)]));

/** Rows that an answer of any budget may have: 40,000 characters, 60 at least for each. */
export const rowsMax = (budget: number): number => Math.ceil(budget / 60);

/** @throws FilinglakeError `source-missing` */
export function lakeOf({ world, version }: Pick<ToolCall<unknown>, 'world' | 'version'>): {
  lake: LakeTables;
  version: number;
} {
  if (world.lake !== null && version !== null) return { lake: world.lake, version };
  throw new FilinglakeError('source-missing', 'this server has no lake');
}

/** The rows of the first source that has any; later pages are of the same one. @param kind only sources of this kind */
export async function fromSources<Found extends { readonly rows: readonly unknown[] }>(
  { world, position, budget }: Pick<ToolCall<unknown>, 'world' | 'position' | 'budget'>,
  kind: FilingSource['kind'] | undefined,
  ask: (source: FilingSource, range: { from: number; limit: number }) => Promise<Found>,
): Promise<{ source: FilingSource; found: Found }> {
  const sources = world.sources.filter((source) => kind === undefined || source.kind === kind);
  for (const [i, source] of sources.entries()) {
    const isLast = i === sources.length - 1;
    if (position > 0 && !isLast && (await ask(source, { from: 0, limit: 1 })).rows.length === 0) continue;
    const found = await ask(source, { from: position, limit: rowsMax(budget) });
    if (found.rows.length > 0 || position > 0 || isLast) return { source, found };
  }
  throw new FilinglakeError('source-missing', `this server has no ${kind ?? 'source'}`, {
    remedy: 'Leave out source, or start the server with one.',
  });
}

/** The answer if a table that a tool needs has no rows. Of the past it doesn't say why: rows may have come later. */
export function nothing(head: FoundRows['head'], asOf: Moment | null, why: string): FoundRows {
  return { head: { ...head, count: 0 }, rows: [], total: 0, caveats: asOf === null ? [why] : [] };
}
