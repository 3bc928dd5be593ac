#!/usr/bin/env node
/** The `filinglake` command: the sources in a checkout, the compiled files in the published package, under a Node that can run them. */
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = ['../src/cli/main.ts', '../dist/src/cli/main.js']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));
const { cacheFolder, environmentFor, isSuitable, makeFolder, SetUpError, suitableNode } = await import(
  './suitable-node.mjs'
);

try {
  if (!main) throw new SetUpError('this copy of filinglake holds no program', 'in a checkout: npm run build');
  if (isSuitable(process.versions.node)) {
    process.argv[1] = main;
    keepCompiled(join(cacheFolder(), 'compiled'));
    await import(main);
  } else {
    const node = await suitableNode((line) => process.stderr.write(`${line}\n`));
    const { passOn } = await import('./pass-on.mjs');
    passOn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], environmentFor(node));
  }
} catch (error) {
  if (error?.code === 'ERR_MODULE_NOT_FOUND' && /^Cannot find package/.test(error.message)) {
    process.stderr.write(
      `error: ${error.message}\n       in a checkout, 'npm test' or 'npm run demo' installs what is missing\n`,
    );
  } else if (error instanceof SetUpError) {
    process.stderr.write(`error: ${error.message}\n       ${error.remedy}\n`);
  } else {
    throw error;
  }
  process.exitCode = 1;
}

/** Keeps compiled code, also for threads and child processes: half a second of CPU less for every command that loads Temporal. */
function keepCompiled(folder) {
  try {
    // Node would make it, and go round for ever where it can't be made.
    makeFolder(folder);
    module.enableCompileCache?.(folder);
    process.env.NODE_COMPILE_CACHE ??= folder;
  } catch {
    // The command that needs the cache says so.
  }
}
