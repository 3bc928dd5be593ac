/**
 * A worker process: `remapping-worker.ts KEY [COUNT]`, with the home in FILINGLAKE_HOME. It kills itself when it has put this many
 * files under their names: seals, manifests, entries of the lake's log, Delta logs. Even counts end before the put, odd ones after it.
 */
import { promises } from 'node:fs';
import { openLog, readSettings } from '../../src/environment/index.ts';
import { ensureTemporal, startWorker } from '../../src/runtime/index.ts';

const [apiKey, count] = process.argv.slice(2) as [string, string?];
const link = promises.link;
let puts = 0;
promises.link = async (from, to) => {
  const isLast = count !== undefined && /_lake|_delta_log|_staging/.test(String(to)) && ++puts === Number(count);
  if (isLast && puts % 2 === 0) process.kill(process.pid, 'SIGKILL');
  await link(from, to);
  if (isLast) process.kill(process.pid, 'SIGKILL');
};
const settings = readSettings();
const session = await ensureTemporal(settings);
const worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]) });
process.once('SIGTERM', () => void worker.stop());
await worker.ended;
await session.release();
