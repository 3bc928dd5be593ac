/** Recorded results of benchmarks: a JSON file for each section of docs/internals/measurements.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A cell: a number as measured, or a text with its unit. */
export type Cell = string | number;

/** A table of a run. All rows have the columns of the first. */
export interface ResultTable {
  caption?: string;
  rows: Record<string, Cell>[];
}

/** One run of a benchmark. */
export interface RecordedRun {
  /** The command that repeats it */
  command: string;
  /** YYYY-MM-DD */
  date: string;
  /** Commit of the measured sources */
  commit: string;
  /** Processors of the machine, in words */
  machine: string;
  /** Other load on the machine during the run */
  load: string;
  /** `transcribed`: from a page written by hand, whose JSON was not kept */
  source: 'recorded' | 'transcribed';
  tables: ResultTable[];
}

/** A figure of a run that the first page of figures names. */
export interface Headline {
  what: string;
  figure: string;
  /** Of the run that gave it */
  command: string;
  /** What it ought to be, if it is not reached */
  goal?: string;
  /** Date of that run, YYYY-MM-DD. A run that was recorded again has another: then the figure is due, too. */
  measured: string;
}

/** A section of the page. */
export interface Results {
  title: string;
  /** What is measured, against what */
  about: string[];
  runs: RecordedRun[];
  /** What the figures of these runs show */
  notes: string[];
  /** Lines of docs/internals/performance.md */
  summary: Headline[];
}

/** Folder of the recorded results. */
export const RESULTS_FOLDER = join(import.meta.dirname, '../results');

/** Names of all recorded results. */
export function resultNames(): string[] {
  return readdirSync(RESULTS_FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
}

/** The recorded results of one name. */
export function readResults(name: string): Results {
  return JSON.parse(readFileSync(join(RESULTS_FOLDER, `${name}.json`), 'utf8')) as Results;
}

/** The JSON that a benchmark printed, as tables: a list of objects is a table, the plain members of an object are another. */
export function tablesOf(result: unknown, caption?: string): ResultTable[] {
  if (Array.isArray(result)) {
    const rows = result.filter(isObject).map((row) => flat(row));
    return rows.length === 0 ? [] : [{ ...(caption !== undefined && { caption }), rows }];
  }
  if (!isObject(result)) return [];
  const members = Object.entries(result);
  const plain = members.filter(([, value]) => !isObject(value) && !Array.isArray(value) && value !== null);
  const own: ResultTable[] =
    plain.length === 0
      ? []
      : [
          {
            ...(caption !== undefined && { caption }),
            rows: plain.map(([what, value]) => ({ what: words(what), figure: cellOf(value) })),
          },
        ];
  return [
    ...own,
    ...members.flatMap(([name, value]) => tablesOf(value, words(caption ? `${caption}: ${name}` : name))),
  ];
}

/** Members of members get their path as a name. */
function flat(row: Record<string, unknown>, path = ''): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      isObject(value)
        ? Object.entries(flat(value, `${path}${words(name)} `))
        : [[`${path}${words(name)}`, cellOf(value)]],
    ),
  );
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'number' || typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const words = (name: string) => name.replaceAll('_', ' ');
