/** Installs the packed package in an empty folder, as its users do, and takes it from sample files to an answer in SQL. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { npm } from '../bin/suitable-node.mjs';

/** An install that grew beyond this has a dependency that it should not have (docs/guide/deployment.md says what it holds). */
const MAX_INSTALL_MB = 450;
/** Only the bundler of @temporalio/worker needs them, and it stays with the build. */
const BUILD_ONLY = ['webpack', '@swc/core', 'memfs', '@temporalio/worker'];
const FILINGS = 12;
const LARGEST = 10;

/** @param tarball path of the packed package @throws Error that says what the installed package did wrong */
export async function provePackage(tarball: string, version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-installed-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const installed = await npm(['install', '--ignore-scripts', tarball], { cwd: folder });
    if (installed.code !== 0) throw new Error(`npm install failed: ${installed.output}`);
    checkSize(join(folder, 'node_modules'));
    await runRoad(folder, version);
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

/** Sample files, catalog, service, an export by a worker with the bundled workflows, a query: all with the installed command. */
async function runRoad(folder: string, version: string): Promise<void> {
  const command = join(folder, 'node_modules', '.bin', 'filinglake');
  const env: NodeJS.ProcessEnv = { ...process.env, FILINGLAKE_HOME: join(folder, 'home') };
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

/** The first line that `filinglake serve --json` prints has it. */
async function urlOf(service: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: service.stdout! }))
    return (JSON.parse(line) as { url: string }).url;
  throw new Error('filinglake serve ended before it listened');
}
