/** Commits filings to a catalog, one at a time at a fixed rate, as `edgar follow` does. Tells the parent process of each. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ingest } from '../../src/service/catalog/index.ts';

const [folder, catalog, everyMs] = process.argv.slice(2) as [string, string, string];
let isOver = false;
process.on('message', () => {
  isOver = true;
});
const startedAt = performance.now();
for (const [i, file] of readdirSync(folder).entries()) {
  await pause(Math.max(0, startedAt + (i + 1) * Number(everyMs) - performance.now()));
  if (isOver) break;
  await ingest([join(folder, file)], catalog, { threads: 0 });
  process.send?.('committed');
}
process.disconnect();
