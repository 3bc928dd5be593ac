/** The doors of a lake: everything that reads its tables and views. Each gives the same rows, of the same types. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { LakeSandbox, openLake } from '../../../src/lake/index.ts';
import { cellConverter } from '../../../src/lake/query/values.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { readAs, VIEWS } from '../../../src/lake/views/views.ts';
import { codeBlocks, readMarkdown } from '../../project/unit/docs/markdown-files.ts';
import { commandLine } from '../command-line.ts';
import { calledIn } from '../forms/form-database.ts';
import { duckdbWith, type PythonReaders, pythonPackages, pythonReaders } from '../lake/python-readers.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';
import { IN_SLOW_TIER } from '../tier-cases.ts';
import { type Answer, type Given, parsed } from './cells.ts';

/** A table, a view or a recipe, as doors name it. */
export interface Asked {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'macro' | 'recipe' | 'panel' | 'sections';
  /** What follows FROM; for a method of Python, what it is given. */
  readonly source: string;
}

/** From the code: what is new there is in every door. */
export const ASKED: readonly Asked[] = [
  ...TABLES.map(({ name }): Asked => ({ name, kind: 'table', source: readAs(name) })),
  ...VIEWS.map((view): Asked => {
    const name = `view ${view.schema ? `${view.schema}.` : ''}${view.name}`;
    return { name, kind: view.parameters || view.schema ? 'macro' : 'view', source: calledIn(view) };
  }),
  ...codeBlocks(readMarkdown('docs/recipes.md'), 'sql').map(
    ({ heading, code }): Asked => ({
      name: `recipe ${heading}`,
      kind: 'recipe',
      source: `(${code.trim().replace(/;$/, '')}) recipe`,
    }),
  ),
];

/** The quick tier crosses some of each kind, and the view that stands on the most macros. */
export const CHOSEN = IN_SLOW_TIER ? ASKED : ASKED.filter(({ name }, i) => i % 8 === 0 || name === 'view statements');

export interface Door {
  readonly name: string;
  /** Kinds that it can answer. */
  readonly kinds: readonly Asked['kind'][];
  /** A reader in a process of this test, or a door of `read_doors.py`. */
  readonly read: ((lake: string, asked: readonly Asked[]) => Promise<Answers>) | InPython;
  /** Python that a reader in this process needs. */
  readonly needs?: PythonReaders;
}

interface InPython {
  readonly door: string;
  readonly python: PythonReaders;
  readonly extension?: string;
}

type Answers = Map<string, Answer>;

const EVERYTHING: Door['kinds'] = ['table', 'view', 'macro', 'recipe'];
const NAMED: Door['kinds'] = ['table', 'view'];
const FILED: Door['kinds'] = ['table'];

/** What the library for Node gives: the others are compared with it. */
export async function readByLibrary(lake: string, asked: readonly Asked[]): Promise<Answers> {
  await using opened = await openLake(lake);
  return await eachOf(asked, async ({ source }) => {
    await using result = await opened.stream(`SELECT * FROM ${source}`);
    const rows: unknown[][] = [];
    for await (const chunk of result.chunks()) rows.push(...chunk);
    return { columns: result.columns.map(({ name, type }) => [name, type] as const), rows };
  });
}

async function eachOf(asked: readonly Asked[], read: (one: Asked) => Promise<Given>): Promise<Answers> {
  const answers = new Map<string, Answer>();
  for (const one of asked)
    answers.set(one.name, await read(one).catch((error: unknown) => ({ error: String(error) }) as const));
  return answers;
}

const readers = pythonReaders({ fetches: IN_SLOW_TIER });

/** `filinglake sql`, in a format. */
function commandDoor(format: keyof typeof READ): Door {
  return {
    name: `filinglake sql --format ${format}`,
    kinds: EVERYTHING,
    read: (lake, asked) => eachOf(asked, async ({ source }) => READ[format](await written(lake, source, format))),
  };
}

/** In the quick tier each format has a third: a call of the command costs a tenth of a second. */
function shareOf(asked: readonly Asked[], n: number): readonly Asked[] {
  return IN_SLOW_TIER ? asked : asked.filter((_, i) => i % 3 === n % 3);
}

async function written(lake: string, source: string, format: string): Promise<string> {
  const file = path.join(temporaryFolder(), `rows.${format}`);
  const query = `SELECT * FROM ${source}`;
  const { status, stderr } = await commandLine(['sql', query, '--lake', lake, '--format', format, '--output', file]);
  if (status !== 0) throw new Error(stderr);
  return file;
}

/** Files that `filinglake sql` writes, as pyarrow reads them. */
const arrowCommand: Door = {
  name: 'filinglake sql --format arrow',
  kinds: EVERYTHING,
  needs: readers,
  async read(lake, asked) {
    const files: [string, string][] = [];
    for (const { name, source } of shareOf(asked, 2)) files.push([name, await written(lake, source, 'arrow')]);
    const byDoor = await readByPython(readers, { lake, asked: { 'arrow file': files } });
    return new Map(Object.entries(byDoor['arrow file']!));
  },
};

/** What was written in a format. */
const READ = {
  parquet: (file: string) => ofFile(`FROM read_parquet('${file}')`),
  async csv(file: string): Promise<Given> {
    const options = "header = true, all_varchar = true, nullstr = '', allow_quoted_nulls = false";
    const { columns, rows } = await ofFile(`FROM read_csv('${file}', ${options})`);
    return { columns: columns.map(([name]) => [name, null]), rows };
  },
  json: async (file: string) => ofRows(parsed(readFileSync(file, 'utf8')) as Record<string, unknown>[]),
  async jsonl(file: string): Promise<Given> {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    return ofRows(lines.map((line) => parsed(line) as Record<string, unknown>));
  },
};

/** JSON names columns in its rows alone. */
function ofRows(rows: readonly Record<string, unknown>[]): Given {
  return { columns: named(Object.keys(rows[0] ?? {})), rows: rows.map((row) => Object.values(row)) };
}

const named = (names: readonly string[]) => names.map((name) => [name, null] as const);

async function ofFile(sql: string): Promise<Given> {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run("SET TimeZone = 'UTC'");
  return ofConnection(connection, sql);
}

async function ofConnection(connection: DuckDBConnection, sql: string): Promise<Given> {
  const reader = await connection.runAndReadAll(sql);
  const types = reader.columnTypes().map(String);
  return {
    columns: reader.deduplicatedColumnNames().map((name, i) => [name, types[i]!] as const),
    rows: reader.convertRows(cellConverter),
  };
}

/** The process in which the tool `sql` of agents asks. */
const sandbox: Door = {
  name: 'mcp sql',
  kinds: EVERYTHING,
  async read(lake, asked) {
    const opened = await openLake(lake);
    const version = await opened.currentVersion();
    await opened.close();
    const process = new LakeSandbox(lake);
    const signal = new AbortController().signal;
    try {
      return await eachOf(asked, async ({ source }) => {
        const { columns, rows } = await process.run(`SELECT * FROM ${source}`, { version, keepAs: null, signal });
        return {
          columns: columns.map(({ name, type }) => [name, type] as const),
          rows: rows.map((row) => parsed(row) as unknown[]),
        };
      });
    } finally {
      await process.close();
    }
  },
};

/** `.read lake.sql` in the DuckDB of this project. */
const script: Door = {
  name: 'lake.sql in DuckDB for Node',
  kinds: EVERYTHING,
  async read(lake, asked) {
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`SET TimeZone = 'UTC'; SET VARIABLE lake = '${lake.replaceAll("'", "''")}'`);
    await connection.run(readFileSync(path.join(lake, 'lake.sql'), 'utf8'));
    return eachOf(asked, ({ source }) => ofConnection(connection, `SELECT * FROM ${source}`));
  },
};

const SCRIPT = path.join(import.meta.dirname, 'read_doors.py');
/** The package as it is, with nothing to build. */
export const PACKAGE = path.join(import.meta.dirname, '../../../python/src');
/** The oldest DuckDB that the Python package takes. */
const OLDEST = /"duckdb>=([\d.]+)"/.exec(readFileSync(path.join(PACKAGE, '../pyproject.toml'), 'utf8'))![1]!;

function pythonDoor(
  door: string,
  kinds: Door['kinds'],
  python = readers,
  more: { name?: string; extension?: string } = {},
): Door {
  return { name: more.name ?? door, kinds, read: { door, python, ...more } };
}

/** Doors of other releases of DuckDB than the one of this project and the newest. */
function otherDoors(): Door[] {
  const arrow = 'pyarrow==26.0.1';
  const oldest = pythonPackages('python-oldest', [`duckdb==${OLDEST}`, arrow, 'pytz==2026.2']);
  const delta = duckdbWith('delta');
  return [
    pythonDoor('python sql', EVERYTHING, oldest, { name: `python sql, DuckDB ${OLDEST}` }),
    pythonDoor('lake.sql', EVERYTHING, oldest, { name: `lake.sql in DuckDB ${OLDEST}` }),
    // Its DuckDB comes first; pyarrow is that of the other readers.
    ...('missing' in delta || 'missing' in readers
      ? []
      : [
          pythonDoor(
            'delta_scan',
            FILED,
            { ...delta, modules: [delta.modules, readers.modules].join(path.delimiter) },
            { extension: delta.files[0]! },
          ),
        ]),
  ];
}

/** Every door of the tier. */
export const DOORS: readonly Door[] = [
  script,
  sandbox,
  ...(Object.keys(READ) as (keyof typeof READ)[]).map(commandDoor),
  arrowCommand,
  pythonDoor('python sql', EVERYTHING),
  pythonDoor('lake.sql', EVERYTHING, readers, { name: 'lake.sql in DuckDB 2' }),
  ...['python table', 'python arrow', 'python polars', 'python pandas', 'python batches'].map((door) =>
    pythonDoor(door, NAMED),
  ),
  pythonDoor('python panel', ['panel']),
  pythonDoor('python sections', ['sections']),
  ...['deltalake', 'polars', 'pyarrow'].map((door) => pythonDoor(door, FILED)),
  ...(IN_SLOW_TIER ? otherDoors() : []),
];

function whyClosed({ read, needs }: Door): string | null {
  const python = typeof read === 'object' ? read.python : needs;
  return python !== undefined && 'missing' in python ? python.missing : null;
}

/** Doors that this machine can open, by their names. */
export const opened = (doors: readonly Door[]) =>
  doors.filter((door) => whyClosed(door) === null).map((door) => [door.name, door] as const);

/** Names of the others, each with its reason. */
export const closed = (doors: readonly Door[]) =>
  doors.flatMap((door) => {
    const why = whyClosed(door);
    return why === null ? [] : [[door.name, why] as const];
  });

/**
 * Reads a door when it is asked for, so that each has a test's time. Doors of one Python share a process, whose start costs more than
 * they do.
 */
export class Reading {
  readonly #lake: string;
  readonly #asked: readonly Asked[];
  readonly #doors: readonly Door[];
  readonly #byPython = new Map<PythonReaders, Promise<Record<string, Record<string, Answer>>>>();

  constructor(lake: string, asked: readonly Asked[], doors: readonly Door[] = DOORS) {
    this.#lake = lake;
    this.#asked = asked;
    this.#doors = doors;
  }

  async of({ kinds, read }: Door): Promise<Answers> {
    if (typeof read === 'function') return read(this.#lake, this.#askedBy(kinds));
    const { python, door } = read;
    const answers = this.#byPython.get(python) ?? this.#readPython(python);
    this.#byPython.set(python, answers);
    return new Map(Object.entries((await answers)[door]!));
  }

  #askedBy(kinds: Door['kinds']): readonly Asked[] {
    return this.#asked.filter(({ kind }) => kinds.includes(kind));
  }

  #readPython(python: PythonReaders): Promise<Record<string, Record<string, Answer>>> {
    const asked: Record<string, string[][]> = {};
    let extension: string | undefined;
    for (const { kinds, read } of this.#doors) {
      if (typeof read === 'function' || read.python !== python) continue;
      // A reader of folders finds a table under its own name.
      asked[read.door] = this.#askedBy(kinds).map((one) => [one.name, kinds === FILED ? one.name : one.source]);
      extension ??= read.extension;
    }
    return readByPython(python, { lake: this.#lake, asked, extension });
  }
}

async function readByPython(python: PythonReaders, given: object): Promise<Record<string, Record<string, Answer>>> {
  const { command, modules } = python as Exclude<PythonReaders, { missing: string }>;
  const env = { ...process.env, PYTHONPATH: [PACKAGE, modules].join(path.delimiter) };
  const options = { env, cwd: temporaryFolder(), encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const running = promisify(execFile)(command, [SCRIPT], options);
  running.child.stdin!.end(JSON.stringify(given));
  return parsed((await running).stdout) as Record<string, Record<string, Answer>>;
}
