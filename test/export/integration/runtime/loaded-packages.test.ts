import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
/** What an export loads before it sends a request: the command, its worker and the activities. */
const LOADS = [
  'src/cli/run-command-line.ts',
  'src/cli/commands/export.ts',
  'activities/index.ts',
  'bin/checkout-worker.cjs',
];
/** Prints the packages whose files are loaded. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({ load(url, context, next) {
    const found = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
    if (found !== undefined) packages.add(found);
    return next(url, context);
  } });
  for (const file of ${JSON.stringify(LOADS)}) await import(\`${ROOT}/\${file}\`);
  process.stdout.write(JSON.stringify([...packages].sort()));
  process.exit();
`;

/** Temporal's SDK and what it loads by itself, DuckDB, and small ones. */
const NEEDED = [
  '@duckdb/node-api',
  '@duckdb/node-bindings',
  '@grpc/grpc-js',
  'heap-js',
  'nexus-rpc',
  'protobufjs',
  'rxjs',
  ...['activity', 'client', 'common', 'core-bridge', 'envconfig', 'nexus', 'proto', 'worker', 'workflow'].map(
    (part) => `@temporalio/${part}`,
  ),
  'commander',
  'picocolors',
  'pino',
  'saxes',
  'source-map',
  'supports-color',
  'undici',
  'yaml',
  'zod',
];

describe('an export', () => {
  it('loads no package before it needs it: of the service, of storages, of PDFs, of HTML, of Arrow', async () => {
    const options = { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '' } };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], options);
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const ours = (JSON.parse(stdout) as string[]).filter((name) => name in { ...dependencies, ...devDependencies });
    expect(ours).toEqual(NEEDED.sort());
  });
});
