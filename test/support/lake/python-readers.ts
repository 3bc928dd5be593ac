/** Python with the readers that others use, in the user's cache: fetched once (some 200 MB), then found. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { TableDefinition } from '../../../src/lake/tables/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PACKAGES = [
  'deltalake==1.6.6',
  'polars==2.1.0',
  'pyarrow==26.0.1',
  'duckdb==2.0.0',
  'pandas==3.1.1',
  'pytz==2026.6',
];

export type PythonReaders = { command: string; modules: string } | { missing: string };

/** Finds or fetches the readers. `missing`: why there are none. @param fetches false: only finds them */
export function pythonReaders({ fetches = true } = {}): PythonReaders {
  return pythonPackages('python-readers', PACKAGES, [], fetches);
}

export interface SeenByReader {
  rows: number;
  checksum: string;
  extremes: Record<string, [string, string] | null>;
}

/** What each reader saw of each table, as `read_with_others.py` tells it. @param delta versions of Delta tables; default: the newest */
export function readByOthers(
  { command, modules }: { command: string; modules: string },
  lake: string,
  definitions: readonly TableDefinition[],
  { delta = {}, readers = READERS }: { delta?: Record<string, number>; readers?: readonly string[] } = {},
): Record<string, Record<string, SeenByReader>> {
  const tables = definitions.map(({ name, columns }) => [name, columns.map((column) => [column.name, column.type])]);
  const script = new URL('read_with_others.py', import.meta.url).pathname;
  const answer = execFileSync(command, [script, lake], {
    encoding: 'utf8',
    input: JSON.stringify({ tables: Object.fromEntries(tables), delta, readers }),
    // Another folder than the lake's: lake.sql must not depend on its reader's folder.
    cwd: temporaryFolder(),
    env: { ...process.env, PYTHONPATH: modules },
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(answer) as Record<string, Record<string, SeenByReader>>;
}

const READERS = ['deltalake', 'polars', 'pyarrow', 'duckdb'] as const;

/** DuckDB with extensions of its own, which PyPI has for this version only; `files`: the extensions, for LOAD in this order. */
export function duckdbWith(
  ...extensions: readonly ('httpfs' | 'delta' | 'avro' | 'iceberg')[]
): PythonReaders & { files: readonly string[] } {
  const packages = ['duckdb==1.5.5', ...extensions.map((name) => `duckdb-extension-${name}==1.5.5`)];
  const python = pythonPackages(`python-${extensions.at(-1)}`, packages, ['--no-deps']);
  if ('missing' in python) return { ...python, files: [] };
  const file = (name: string) => `duckdb_extension_${name}/extensions/v1.5.5/${name}.duckdb_extension`;
  return { ...python, files: extensions.map((name) => path.join(python.modules, file(name))) };
}

/** What draws the plots of docs/recipes.md. */
export function matplotlib(): PythonReaders {
  return pythonPackages('python-plots', ['matplotlib==3.11.2']);
}

/** What checks the types of the Python package. */
export function typeChecker(): PythonReaders {
  return pythonPackages('python-types', ['mypy==2.4.1', 'pandas-stubs==3.1.0.261029']);
}

/** A Jupyter kernel, and a client that runs notebooks. */
export function notebookKernel(): PythonReaders {
  return pythonPackages('python-notebook', ['nbclient==0.11.0', 'nbformat==5.11.1', 'ipykernel==7.4.0']);
}

/** dbt over DuckDB. */
export function dbt(): PythonReaders {
  return pythonPackages('python-dbt', ['dbt-core==1.12.0', 'dbt-duckdb==1.11.1']);
}

/** What checks files of Kubernetes, with the schemas of its API. */
export function kubernetesValidate(): PythonReaders {
  return pythonPackages('python-kubernetes', ['kubernetes-validate==1.37.0']);
}

/** Clients of the Model Context Protocol. */
export function mcpClients(): PythonReaders {
  return pythonPackages('python-mcp', ['mcp==2.3.0', 'fastmcp==4.2.3']);
}

/** What fuzzes a service from its own description. */
export function schemathesis(): PythonReaders {
  return pythonPackages('python-schemathesis', ['schemathesis==4.32.5']);
}

/** @param packages as pip names them */
export function pythonPackages(
  folder: string,
  packages: readonly string[],
  options: readonly string[] = [],
  fetches = true,
): PythonReaders {
  const command = process.env.PYTHON ?? 'python3';
  let version: string;
  try {
    version = execFileSync(command, ['-c', 'import sys, pip; print(sys.version)'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return { missing: `${command} with pip is not there` };
  }
  const key = createHash('sha256')
    .update([version, ...packages].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const cache =
    process.env.FILINGLAKE_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'filinglake');
  const modules = path.join(cache, folder, key);
  if (existsSync(modules)) return { command, modules };
  if (!fetches) return { missing: `${folder} was not fetched yet: the slow tests do it` };
  const building = `${modules}.${process.pid}`;
  try {
    mkdirSync(building, { recursive: true });
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--only-binary=:all:',
      ...options,
      '--target',
      building,
      ...packages,
    ];
    execFileSync(command, pip, { stdio: 'pipe', timeout: 240_000 });
    renameSync(building, modules);
    return { command, modules };
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    if (existsSync(modules)) return { command, modules };
    const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim();
    return { missing: `pip could not install ${packages.join(' ')}: ${said.split('\n').at(-1)}` };
  }
}

/** A reader of Iceberg's tables. */
export function pyiceberg(): PythonReaders {
  return pythonPackages('python-iceberg', ['pyiceberg==0.12.0', 'pyarrow==26.0.1']);
}

/** What validates the metadata of releases. Some of what it needs has no wheel. */
export function catalogueValidators(): PythonReaders {
  const packages = ['mlcroissant[parquet]==1.1.1', 'datacite==1.4.1'];
  return pythonPackages('python-catalogues', packages, ['--only-binary=:none:']);
}
