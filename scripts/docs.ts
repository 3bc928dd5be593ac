/** `npm run docs`: writes every file that is made from the code, and names those that changed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from './pages/index.ts';
import { CHECKOUT } from './steps.ts';

let changed = 0;
for (const { path, text } of PAGES) {
  const made = await text();
  const file = join(CHECKOUT, path);
  if (readFileSync(file, 'utf8') === made) continue;
  writeFileSync(file, made);
  process.stdout.write(`wrote ${path}\n`);
  changed++;
}
process.stdout.write(
  changed === 0 ? `all ${PAGES.length} are up to date\n` : `${changed} of ${PAGES.length} were out of date\n`,
);
