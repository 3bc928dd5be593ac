/** Installs the packed package in an empty folder, as its users do, and uses it from sample files to an answer in SQL. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { npm } from '../bin/suitable-node.mjs';
import { CHECKOUT, TOOLS } from './steps.ts';

/** A larger installation has a dependency that it should not have (docs/guide/deployment.md lists them). */
const MAX_INSTALL_MB = 400;
/** Their code is bundled, or only the build needs them. */
const BUILD_ONLY = ['webpack', '@swc/core', 'memfs', '@temporalio/worker', 'fastify', '@aws-sdk/client-s3'];
const FILINGS = 12;
const LARGEST = 10;

/** @param tarball path of the packed package @throws Error with the fault of the installed package */
export async function provePackage(tarball: string, version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-installed-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const installed = await npm(['install', '--ignore-scripts', tarball], { cwd: folder });
    if (installed.code !== 0) throw new Error(`npm install failed: ${installed.output}`);
    checkSize(join(folder, 'node_modules'));
    const command = join(folder, 'node_modules', '.bin', 'filinglake');
    await runRoad({ folder, version, command, env: process.env }, (env) => proveLibrary(folder, env));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Prints the size of an installation and its largest packages. */
function checkSize(modules: string): void {
  const strangers = BUILD_ONLY.filter((name) => existsSync(join(modules, name)));
  if (strangers.length > 0) throw new Error(`the installed package brings ${strangers.join(', ')}`);
  const packages = readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : [name],
    )
    .map((name) => ({ name, mb: megabytes(join(modules, name)) }))
    .sort((a, b) => b.mb - a.mb);
  const total = packages.reduce((sum, { mb }) => sum + mb, 0);
  const largest = packages.slice(0, LARGEST).map(({ name, mb }) => `${name} ${mb.toFixed(0)}`);
  process.stdout.write(`${total.toFixed(0)} MB in ${packages.length} packages: ${largest.join(', ')}\n`);
  if (total > MAX_INSTALL_MB)
    throw new Error(`the installed package has ${total.toFixed(0)} MB; ${MAX_INSTALL_MB} are allowed`);
}

function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6;
}

/**
 * Sample files, catalog, service, an export by a worker with the bundled workflows, a query: all with the installed command.
 * @param proveMore while the service runs, and there is a lake
 */
export async function runRoad(
  given: { folder: string; version: string; command: string; env: NodeJS.ProcessEnv },
  proveMore: (env: NodeJS.ProcessEnv) => Promise<void>,
): Promise<void> {
  const { folder, version, command } = given;
  const env: NodeJS.ProcessEnv = { ...given.env, FILINGLAKE_HOME: join(folder, 'home'), FILINGLAKE_LINGER: '0' };
  const run = (...args: string[]) => execFileSync(command, args, { encoding: 'utf8', cwd: folder, env }).trim();
  const said = run('--version');
  if (said !== version) throw new Error(`the installed package says it is ${said}, not ${version}`);
  run('--help');
  run('sample', '--filings', String(FILINGS), '--out', 'corpus');
  run('ingest', 'corpus', '--catalog', 'catalog');
  const { api_key } = JSON.parse(run('keys', 'create', '--plan', 'unlimited', '--catalog', 'catalog', '--json')) as {
    api_key: string;
  };
  const service = spawn(command, ['serve', '--catalog', 'catalog', '--port', '0', '--json'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    env.FILINGLAKE_API_KEY = api_key;
    env.FILINGLAKE_BASE_URL = await urlOf(service);
    writeFileSync(
      join(folder, 'all.yaml'),
      'name: all\nselect: {}\ntables: [filings, documents, sections, section_contents, document_contents]\n',
    );
    run('export', 'all.yaml', '--lake', 'lake');
    run('lake', 'check', '--lake', 'lake');
    await proveMore(env);
    const [row] = JSON.parse(
      run('sql', 'SELECT count(*) AS filings FROM filings', '--lake', 'lake', '--format', 'json'),
    ) as {
      filings: number;
    }[];
    if (Number(row?.filings) !== FILINGS) throw new Error(`the export found ${row?.filings} of ${FILINGS} filings`);
  } finally {
    service.kill('SIGTERM');
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
  }
}

/** The examples of docs/guide/library.md, compiled against the installed types and run against the installed modules. */
async function proveLibrary(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const page = readFileSync(join(CHECKOUT, 'docs/guide/library.md'), 'utf8');
  const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code], i) => ({
    file: `example-${i}.ts`,
    code: code!,
  }));
  for (const { file, code } of examples) writeFileSync(join(folder, file), code);
  const [submission] = globSync('corpus/edgar/data/**/*.txt', { cwd: folder }).filter((file) =>
    /^CONFORMED SUBMISSION TYPE:\s+(10-[KQ]|8-K)$/m.test(readFileSync(join(folder, file), 'latin1')),
  );
  cpSync(join(folder, submission!), join(folder, 'report.txt'));
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node'],
    lib: ['es2024', 'esnext.disposable'],
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: examples.map(({ file }) => file) }),
  );
  const compiler = [join(CHECKOUT, TOOLS.tsc), '-p', folder];
  const compiled = await settled(promisify(execFile)(process.execPath, compiler));
  if (compiled !== null) throw new Error(`the examples of the library don't compile:\n${compiled}`);
  for (const { file, code } of examples) {
    const failed = await settled(promisify(execFile)(process.execPath, [file], { cwd: folder, env }));
    if (failed !== null) throw new Error(`an example of the library fails:\n${code}\n${failed}`);
  }
}

/** null if a program succeeded, else its output. */
async function settled(running: Promise<unknown>): Promise<string | null> {
  try {
    await running;
    return null;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

/** The first line of `filinglake serve --json` has it. */
async function urlOf(service: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: service.stdout! }))
    return (JSON.parse(line) as { url: string }).url;
  throw new Error('filinglake serve ended before it listened');
}
