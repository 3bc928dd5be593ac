/** The workflow code in one file, made in advance: a worker that loads it starts in a fifth of the time with half of the memory. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../../core/environment/index.ts';

/** This file's extension tells a checkout (`.ts`) from the published package (`.js`). */
const PUBLISHED = import.meta.url.endsWith('.js');
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');
/** Folders of the bundle: rooms that workflows may import. */
const SOURCE_FOLDERS = [
  'workflows',
  'src/export',
  'src/core',
  'src/filings/api',
  'src/lake/tables',
  'src/filings/forms',
];

const require = createRequire(import.meta.url);

/** In the form that a worker accepts. */
type WorkflowBundle = { codePath: string } | { code: string };

/**
 * The workflow bundle: the package's, else one made from this checkout's sources and kept until they change.
 * @param cache its folder; if that is not writable (the checkout belongs to someone else), each worker makes its own
 * @throws Error of the bundler, if a workflow imports a forbidden room
 */
export async function workflowBundle(cache = join(ROOT, 'node_modules/.cache/filinglake')): Promise<WorkflowBundle> {
  if (PUBLISHED) return { codePath: join(ROOT, 'workflow-bundle.js') };
  const path = join(cache, `workflow-bundle-${sourceHash()}.js`);
  if (existsSync(path)) return { codePath: path };
  const code = await bundledCode();
  try {
    keep(path, code);
    return { codePath: path };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return { code };
  }
}

export async function writeWorkflowBundle(path: string): Promise<void> {
  keep(path, await bundledCode());
}

/** Atomically, since two commands may do so at once. */
function keep(path: string, code: string): void {
  makeFolder(dirname(path));
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, code);
  renameSync(temporary, path);
}

async function bundledCode(): Promise<string> {
  // `#temporal-worker` has no bundler.
  const bundler = require.resolve('@temporalio/worker/lib/workflow/bundler');
  if (require.cache[bundler]?.filename === undefined) delete require.cache[bundler];
  const { bundleWorkflowCode } = require(bundler) as typeof import('@temporalio/worker');
  const quiet = () => {};
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows/index.ts'),
    webpackConfigHook: withoutUnused,
    logger: {
      log: quiet,
      trace: quiet,
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (message) => process.stderr.write(`${message}\n`),
    },
  });
  return code;
}

type BundleOptions = Parameters<typeof import('@temporalio/worker').bundleWorkflowCode>[0];
type WebpackConfigHook = NonNullable<BundleOptions['webpackConfigHook']>;

/** Leaves out modules of which workflows use nothing, such as zod: each workflow instance runs the whole file. */
const withoutUnused: WebpackConfigHook = (config) => ({
  ...config,
  // Modules are named from here, not from the folder that the command was started in. Each workflow thread reads the map.
  context: ROOT,
  devtool: 'inline-nosources-cheap-module-source-map',
  module: {
    ...config.module,
    rules: [...(config.module?.rules ?? []), { test: /[\\/](src|workflows)[\\/]/, sideEffects: false }],
  },
  optimization: {
    ...config.optimization,
    sideEffects: true,
    providedExports: true,
    usedExports: true,
    innerGraph: true,
  },
});

/** Hash of every source file that a bundle may contain. Another hash means another bundle. */
export function sourceHash(root = ROOT): string {
  const hash = createHash('sha256');
  hash.update(require('@temporalio/workflow/package.json').version);
  // The bundler's settings stand in this file.
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const folder of SOURCE_FOLDERS) {
    // Rooms have subfolders: a file left out here would leave an old bundle in use.
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (file.endsWith('.ts')) hash.update(`${folder}/${file}\0`).update(readFileSync(join(root, folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
