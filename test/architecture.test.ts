/** The rooms and the one way that imports run between them (docs: CONTRIBUTING.md). */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

const checkout = dirname(import.meta.dirname);

interface Room {
  /** Its folder: `src/<wing>`, or a folder of that. */
  wing: string;
  /** Rooms it may import, through their index.ts. */
  imports: readonly string[];
  /** Rooms of which it may import types only. */
  types?: readonly string[];
  /** Packages (by name or scope) and `node:` that it must not import. */
  forbidden?: readonly string[];
  /** If given, the only packages it may import. */
  packages?: readonly string[];
}

/** The wings, and those that each may import: the compiler holds to these references too, and to their one way. */
const WINGS = new Map(
  globSync('src/*/tsconfig.json', { cwd: checkout }).map((path) => {
    const { references = [] } = JSON.parse(readFileSync(join(checkout, path), 'utf8')) as {
      references?: { path: string }[];
    };
    return [basename(dirname(path)), references.map((other) => basename(other.path))];
  }),
);

/** A room is opened by its index.ts; the library by its four doors, so that a reader of sections loads no DuckDB. */
const DOORS = /^(src\/)?([\w-]+\/)?[\w-]+\/index\.ts$|^src\/library\/(client|lake|sections)\.ts$/;

const SERVERS = ['@temporalio', 'fastify'];

const ROOMS: Readonly<Record<string, Room>> = {
  // Bundled into workflows, by way of export: no node: modules.
  core: { wing: 'core', imports: [], forbidden: [...SERVERS, 'node:'] },
  // Loads its SDK at the first request.
  bucket: { wing: 'core', imports: ['core'], forbidden: SERVERS },
  environment: { wing: 'core', imports: ['core'], forbidden: SERVERS },

  api: { wing: 'filings', imports: ['core'], forbidden: [...SERVERS, 'node:'] },
  edgar: { wing: 'filings', imports: ['core', 'api'], forbidden: SERVERS },
  documents: { wing: 'filings', imports: ['core', 'api'], forbidden: SERVERS },
  forms: { wing: 'filings', imports: ['core', 'api'], forbidden: [...SERVERS, 'node:'] },
  // Definitions load it, and workflows with them: of documents it knows the types.
  statements: { wing: 'filings', imports: ['core', 'api', 'forms'], types: ['documents'], forbidden: SERVERS },

  // Tables of structured forms are described where the forms are mapped.
  tables: {
    wing: 'lake',
    imports: ['core', 'api', 'forms', 'statements'],
    types: ['documents'],
    forbidden: [...SERVERS, 'node:'],
  },
  lake: { wing: 'lake', imports: ['core', 'api', 'tables', 'bucket'], forbidden: SERVERS },

  catalog: { wing: 'service', imports: ['core', 'api', 'edgar', 'documents', 'bucket'], forbidden: SERVERS },
  // Accounts know nothing of HTTP; pages are texts made from records.
  accounts: { wing: 'service', imports: ['core', 'api', 'catalog'], forbidden: SERVERS },
  pages: {
    wing: 'service',
    imports: ['core', 'api'],
    types: ['catalog', 'accounts'],
    forbidden: [...SERVERS, 'node:'],
  },
  // The main thread loads the pages, and no mapping of forms: reader threads and PDF threads do.
  'form-pages': { wing: 'service', imports: ['core', 'forms', 'pages'], forbidden: [...SERVERS, 'node:'] },
  service: {
    wing: 'service',
    imports: ['core', 'api', 'edgar', 'documents', 'forms', 'statements', 'catalog', 'accounts', 'pages', 'form-pages'],
    forbidden: ['@temporalio'],
  },
  'edgar-sync': { wing: 'service', imports: ['core', 'api', 'edgar', 'catalog', 'environment'], forbidden: SERVERS },

  client: { wing: 'export', imports: ['core', 'api'], forbidden: SERVERS },
  // The logic of an export, without I/O: workflows bundle it.
  revisions: { wing: 'export', imports: [], types: ['api'], forbidden: [...SERVERS, 'node:'] },
  definition: { wing: 'export', imports: ['core', 'api', 'tables', 'revisions'], forbidden: [...SERVERS, 'node:'] },
  selectors: {
    wing: 'export',
    imports: ['api', 'forms', 'statements', 'tables', 'definition'],
    forbidden: [...SERVERS, 'node:'],
  },
  windows: { wing: 'export', imports: ['core', 'api', 'revisions', 'definition'], forbidden: [...SERVERS, 'node:'] },
  steps: {
    wing: 'export',
    imports: ['core', 'api', 'tables', 'revisions', 'definition', 'selectors'],
    forbidden: [...SERVERS, 'node:'],
  },
  estimate: {
    wing: 'export',
    imports: ['core', 'api', 'tables', 'definition', 'selectors', 'windows', 'steps'],
    forbidden: [...SERVERS, 'node:'],
  },
  run: { wing: 'export', imports: [], types: ['steps'], forbidden: [...SERVERS, 'node:'] },
  export: {
    wing: 'export',
    imports: ['revisions', 'definition', 'steps', 'run'],
    forbidden: [...SERVERS, 'node:'],
  },
  pipeline: {
    wing: 'export',
    imports: [
      'core',
      'api',
      'tables',
      'revisions',
      'definition',
      'selectors',
      'windows',
      'steps',
      'run',
      'client',
      'documents',
      'forms',
      'statements',
      'lake',
    ],
    forbidden: SERVERS,
  },
  workflows: {
    wing: 'export',
    imports: ['core', 'definition', 'windows', 'steps', 'run'],
    types: ['client', 'pipeline', 'activities'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
  },
  activities: {
    wing: 'export',
    imports: ['core', 'run', 'client', 'pipeline', 'lake'],
    forbidden: ['fastify'],
  },
  runtime: {
    wing: 'export',
    imports: [
      'core',
      'api',
      'tables',
      'definition',
      'windows',
      'steps',
      'estimate',
      'run',
      'client',
      'documents',
      'lake',
      'environment',
      'pipeline',
      'activities',
    ],
    types: ['workflows'],
    forbidden: ['fastify'],
  },

  // Tools for agents: they know no HTTP and no Temporal.
  agents: {
    wing: 'agents',
    imports: ['core', 'api', 'tables', 'documents', 'client', 'lake'],
    forbidden: SERVERS,
  },
  // What other programs import: docs/guide/library.md.
  library: {
    wing: 'library',
    imports: ['core', 'api', 'tables', 'edgar', 'documents', 'client', 'export', 'lake', 'environment', 'runtime'],
    forbidden: SERVERS,
  },
  sample: { wing: 'cli', imports: ['core', 'api'], forbidden: SERVERS },
  cli: {
    wing: 'cli',
    imports: [
      'core',
      'bucket',
      'environment',
      'api',
      'edgar',
      'documents',
      'forms',
      'statements',
      'tables',
      'lake',
      'catalog',
      'accounts',
      'service',
      'edgar-sync',
      'client',
      'export',
      'runtime',
      'agents',
      'library',
      'sample',
    ],
    forbidden: ['fastify'],
  },
};

const NAMES_OF_A_DOOR = 40;
/** Doors that still hand out more. None is added here. */
const WIDE_DOORS: readonly string[] = [
  'src/export/pipeline/index.ts',
  'src/filings/documents/index.ts',
  'src/filings/edgar/index.ts',
  'src/service/accounts/index.ts',
];

interface Import {
  specifier: string;
  typeOnly: boolean;
}

/** Static imports and re-exports, `import()` and `import type`; `import { type X }` loads the module and counts as an import. */
function importsOf(source: string): Import[] {
  const code = source.replace(/^\s*(\/\*\*?[\s\S]*?\*\/|\/\/.*)$/gm, '');
  const found: Import[] = [];
  const statement = /^\s*(?:import|export)\s+(type\s+(?!from\b))?(?:[\w*{}\s,$]+?\sfrom\s+)?'([^'\n]+)'/gm;
  for (const match of code.matchAll(statement)) found.push({ specifier: match[2]!, typeOnly: match[1] !== undefined });
  for (const match of code.matchAll(/(typeof\s+)?\bimport\(\s*'([^'\n]+)'/g)) {
    found.push({ specifier: match[2]!, typeOnly: match[1] !== undefined });
  }
  return found;
}

/** The room of a path relative to the checkout, or null outside all rooms. */
function roomOf(path: string): string | null {
  const [top, wing, folder] = path.split('/');
  if (top === 'workflows' || top === 'activities') return top;
  if (top !== 'src') return null;
  for (const room of [folder, wing]) if (room !== undefined && ROOMS[room]?.wing === wing) return room;
  return null;
}

/** @returns such as `src/filings/api` */
function folderOf(room: string): string {
  if (room === 'workflows' || room === 'activities') return room;
  const { wing } = ROOMS[room]!;
  return room === wing ? `src/${wing}` : `src/${wing}/${room}`;
}

/** What is wrong with the imports of one file; `path` relative to the checkout, with slashes. */
function violations(path: string, source: string): string[] {
  const name = roomOf(path);
  if (name === null) return [`${path}: is in no room`];
  const room = ROOMS[name]!;
  const wrong: string[] = [];
  for (const { specifier, typeOnly } of importsOf(source)) {
    const say = (reason: string) => wrong.push(`${path}: '${specifier}' ${reason}`);
    if (!specifier.startsWith('.')) {
      // `imports` in package.json: the worker lies in dist/ of the published package.
      const target = specifier === '#temporal-worker' ? '@temporalio/worker' : specifier;
      const matches = (entry: string) =>
        entry === 'node:' ? target.startsWith('node:') : target === entry || target.startsWith(`${entry}/`);
      if (room.forbidden?.some(matches)) say(`must not be imported by ${name}`);
      else if (room.packages && !typeOnly && !room.packages.some(matches)) say(`must not be imported by ${name}`);
      continue;
    }
    const target = posix.normalize(posix.join(posix.dirname(path), specifier));
    const other = roomOf(target);
    if (other === name) continue;
    if (other === null) say('is outside all rooms');
    else if (!room.imports.includes(other) && !(typeOnly && room.types?.includes(other))) {
      say(room.types?.includes(other) ? `may be imported by ${name} as types only` : `must not be imported by ${name}`);
    } else if (!DOORS.test(target)) say('goes past the index.ts of its room');
  }
  return wrong;
}

const files = ['src', 'workflows', 'activities'].flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: checkout }).map((path) => path.replaceAll('\\', '/')),
);

describe('the rooms', () => {
  it('are all that src, workflows and activities hold', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((path) => roomOf(path) === null)).toEqual([]);
  });

  it('are each opened by an index.ts, but for the command line', () => {
    const rooms = Object.keys(ROOMS).filter((room) => room !== 'cli');
    expect(rooms.filter((room) => !existsSync(join(checkout, folderOf(room), 'index.ts')))).toEqual([]);
  });

  it('hand out few names', () => {
    const named = /^export (?:type )?\{([^}]*)\}/gm;
    const namesOf = (path: string) =>
      [...readFileSync(join(checkout, path), 'utf8').matchAll(named)].flatMap(([, names]) =>
        names!.split(',').filter((name) => name.trim() !== ''),
      );
    const wide = files.filter((path) => DOORS.test(path) && namesOf(path).length > NAMES_OF_A_DOOR);
    expect(wide.filter((path) => !WIDE_DOORS.includes(path))).toEqual([]);
  });

  it('import one way only, and through each other’s index.ts', () => {
    expect(files.flatMap((path) => violations(path, readFileSync(join(checkout, path), 'utf8')))).toEqual([]);
  });
});

describe('the wings', () => {
  it('are all folders of src, and the service and the export meet at /v2', () => {
    expect([...WINGS.keys()].sort()).toEqual(readdirSync(join(checkout, 'src')).sort());
    expect([WINGS.get('service'), WINGS.get('export')]).toEqual([
      ['core', 'filings'],
      ['core', 'filings', 'lake'],
    ]);
  });

  it('are respected by what each room may import', () => {
    const wrong = Object.entries(ROOMS).flatMap(([name, { wing, imports, types = [] }]) =>
      [...imports, ...types]
        .map((other) => [other, ROOMS[other]!.wing] as const)
        .filter(([, other]) => other !== wing && !WINGS.get(wing)!.includes(other))
        .map(([other]) => `${name} imports ${other}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([...WINGS.keys()])('%s says on a page what it does, and tests of it stand in its folder', (wing) => {
    const lines = readFileSync(join(checkout, 'src', wing, 'README.md'), 'utf8').split('\n');
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(existsSync(join(checkout, 'test', wing))).toBe(true);
  });
});

/** By file: the files that it imports, types too. */
const graph: ReadonlyMap<string, readonly string[]> = new Map(
  files.map((path) => [
    path,
    importsOf(readFileSync(join(checkout, path), 'utf8'))
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => posix.normalize(posix.join(posix.dirname(path), specifier))),
  ]),
);

/** Files that import each other, directly or by way of others. */
function circles(): string[][] {
  const found: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const walk = (path: string, way: readonly string[]) => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') return void found.push([...way.slice(way.indexOf(path)), path]);
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) walk(next, [...way, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) walk(path, []);
  return found;
}

describe('files', () => {
  it('never import each other in a circle', () => {
    expect(circles()).toEqual([]);
  });
});

/**
 * Folders of one folder that import each other, at every depth: `src/lake: commit, query`. The loose files of a folder count as
 * one more, but its index.ts doesn't: it opens the folder, and may import all of it.
 */
function mutualFolders(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const pairs = new Set<string>();
  for (const [path, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [path.split('/'), target.split('/')];
      const depth = from.findIndex((name, i) => name !== to[i]);
      const place = from.slice(0, depth).join('/');
      const [one, other] = [from, to].map((names) => (names.length > depth + 1 ? names[depth] : '(loose files)'));
      const isDoor = [path, target].includes(`${place}/index.ts`);
      if (depth > 1 && one !== other && !isDoor) pairs.add(`${place}: ${one}, ${other}`);
    }
  }
  const back = (pair: string) => pair.replace(/: (.+), (.+)$/, ': $2, $1');
  return [...pairs].filter((pair) => pair < back(pair) && pairs.has(back(pair))).sort();
}

describe('the folders of a wing', () => {
  it('never import each other, two by two', () => {
    expect(mutualFolders(graph)).toEqual([]);
  });

  it.each([
    ['src/a/b/x.ts', 'src/a/c/y.ts', 'src/a: b, c'],
    ['src/a/b/d/x.ts', 'src/a/b/e/y.ts', 'src/a/b: d, e'],
    ['src/a/x.ts', 'src/a/c/y.ts', 'src/a: (loose files), c'],
  ])('are found if %s and %s import each other', (one, other, pair) => {
    expect(mutualFolders(new Map([[one, [other]]]))).toEqual([]);
    expect(
      mutualFolders(
        new Map([
          [one, [other]],
          [other, [one]],
        ]),
      ),
    ).toEqual([pair]);
  });
});

describe('the rule of imports', () => {
  it.each([
    ['src/filings/edgar/a.ts', "import { x } from '../documents/index.ts';", 'must not be imported by edgar'],
    [
      'src/service/catalog/a.ts',
      "import {\n  a,\n  b,\n} from '../service/index.ts';",
      'must not be imported by catalog',
    ],
    ['src/lake/a.ts', "export * from '../export/client/index.ts';", 'must not be imported by lake'],
    ['src/lake/a.ts', "import type { C } from '../export/client/index.ts';", 'must not be imported by lake'],
    ['src/service/catalog/a.ts', "import { x } from '../../filings/edgar/header.ts';", 'goes past the index.ts'],
    ['src/service/catalog/a.ts', "const x = await import('../../filings/edgar/header.ts');", 'goes past the index.ts'],
    ['src/lake/a.ts', "import { Client } from '@temporalio/client';", 'must not be imported by lake'],
    ['src/lake/a.ts', "import { Worker } from '#temporal-worker';", 'must not be imported by lake'],
    ['src/filings/documents/a.ts', "import fastify from 'fastify';", 'must not be imported by documents'],
    ['src/export/steps/a.ts', "import { readFileSync } from 'node:fs';", 'must not be imported by steps'],
    ['src/export/a.ts', "import 'node:fs';", 'must not be imported by export'],
    ['workflows/a.ts', "import { messageOf } from '../src/export/pipeline/index.ts';", 'as types only'],
    ['workflows/a.ts', "import { hash } from 'node:crypto';", 'must not be imported by workflows'],
    ['workflows/a.ts', "import { z } from 'zod';", 'must not be imported by workflows'],
    ['workflows/a.ts', "import type { Lake } from '../src/lake/index.ts';", 'must not be imported by workflows'],
    ['src/export/client/a.ts', "import { x } from '../../test/support/shared.ts';", 'is outside all rooms'],
    ['src/helpers/a.ts', '', 'is in no room'],
  ])('finds in %s the violation %s', (path, source, reason) => {
    expect(violations(path, source)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    [
      'src/service/catalog/a.ts',
      "import { read } from '../../filings/edgar/index.ts';\nimport { DatabaseSync } from 'node:sqlite';",
    ],
    [
      'src/service/catalog/a.ts',
      "import { x } from './schema.ts';\nexport type { Y } from '../../filings/api/index.ts';",
    ],
    ['workflows/a.ts', "import type * as activities from '../activities/index.ts';"],
    ['workflows/a.ts', "\nimport { sleep } from '@temporalio/workflow';"],
    ['src/cli/a.ts', "const { startService } = await import('../service/index.ts');"],
    ['src/lake/a.ts', "// import { x } from '../client/index.ts';\n/* import '@temporalio/client' */"],
    ['src/lake/a.ts', "/**\n * import { x } from '../client/index.ts';\n */"],
    ['src/lake/a.ts', "const text = `import { x } from '../client/index.ts'`;"],
  ])('finds nothing wrong in %s with %s', (path, source) => {
    expect(violations(path, source)).toEqual([]);
  });
});
