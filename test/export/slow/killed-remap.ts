/**
 * A process that remaps a lake in its turn: `killed-remap.ts LAKE COUNT`. It kills itself when it has put this many files under their names:
 * seals, manifests, entries of the lake's log, Delta logs. Even counts end before the put, odd ones after it.
 */
import { promises } from 'node:fs';
import { remapLake } from '../../../src/export/pipeline/index.ts';
import { openLake } from '../../../src/lake/index.ts';

const [place, count] = process.argv.slice(2) as [string, string];
const link = promises.link;
let puts = 0;
promises.link = async (from, to) => {
  const isLast = /_lake\/(?!turns)|_delta_log|_staging/.test(String(to)) && ++puts === Number(count);
  if (isLast && puts % 2 === 0) process.kill(process.pid, 'SIGKILL');
  // Another writer may be first.
  await link(from, to).finally(() => isLast && process.kill(process.pid, 'SIGKILL'));
};
const lake = await openLake(place);
await lake.turns.during({ what: 'filinglake remap' }, (term) => remapLake(lake, { term, limits: { filings: 4 } }));
await lake.close();
