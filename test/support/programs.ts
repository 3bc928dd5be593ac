/** The programs of this checkout as they are published, for all processes and threads that the tests of a whole run start. */
import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const FOLDER = join(CHECKOUT, 'node_modules/.cache/filinglake/programs');
const MADE_OF = ['{src,activities,workflows,config,bin}/**/*.*', 'scripts/bundle-program.ts', 'package-lock.json'];

/** Another run may use an older bundle for this long. */
const LONGEST_RUN_MS = 2 * 3_600_000;

/** Bundles the programs if a source has changed. What this process starts from now on, runs them: a reader thread for a third of the CPU. */
export async function startBundledPrograms(): Promise<void> {
  const files = globSync(MADE_OF, { cwd: CHECKOUT }).sort();
  const state = hash('sha256', JSON.stringify(files.map((file) => [file, digestOf(file)]))).slice(0, 16);
  const folder = join(FOLDER, state);
  if (!existsSync(folder)) {
    mkdirSync(FOLDER, { recursive: true });
    for (const old of readdirSync(FOLDER).map((name) => join(FOLDER, name)))
      if (Date.now() - statSync(old).mtimeMs > LONGEST_RUN_MS) rmSync(old, { recursive: true, force: true });
    const { bundleProgram } = await import('../../scripts/bundle-program.ts');
    const unfinished = `${folder}.${process.pid}`;
    await bundleProgram(unfinished);
    renameSync(unfinished, folder);
  }
  const first = pathToFileURL(join(import.meta.dirname, 'start-bundled.mjs')).href;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${first}`;
  process.env.FILINGLAKE_TEST_PROGRAMS = pathToFileURL(folder).href;
}

function digestOf(file: string): string {
  return hash('sha256', readFileSync(join(CHECKOUT, file)));
}
