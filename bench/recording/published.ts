/** The program as users have it: bundled, as in the package. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Inside the checkout: its packages are found from there. */
export const PUBLISHED = join(import.meta.dirname, '../../node_modules/.cache/filinglake/published');

/** A process of its own: a child's memory is counted from that of the process that starts it. */
export function bundle(): void {
  rmSync(PUBLISHED, { recursive: true, force: true });
  const script = pathToFileURL(join(import.meta.dirname, '../../scripts/bundle-program.ts')).href;
  const program = `(await import(${JSON.stringify(script)})).bundleProgram(${JSON.stringify(PUBLISHED)})`;
  execFileSync(process.execPath, ['--input-type=module', '-e', `await ${program}`], { stdio: 'inherit' });
}
