/**
 * A worker process whose compactions take one part a step: `compacting-worker.ts KEY [SIGNAL COUNT]`, with the home in FILINGLAKE_HOME.
 * It sends itself the signal when it has put so many versions into the log of a lake, before anything else is done about the last.
 */
import { promises } from 'node:fs';
import { openLog, readSettings } from '../../src/environment/index.ts';
import { ensureTemporal, startWorker } from '../../src/runtime/index.ts';

const [apiKey, signal, count] = process.argv.slice(2) as [string, NodeJS.Signals?, string?];
const link = promises.link;
let versions = 0;
promises.link = async (from, to) => {
  await link(from, to);
  if (signal && /_lake.\d+\.json$/.test(String(to)) && ++versions === Number(count)) process.kill(process.pid, signal);
};
const settings = readSettings();
const session = await ensureTemporal(settings);
const worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]), compactionBoxMs: 1 });
process.once('SIGTERM', () => void worker.stop());
await worker.ended;
await session.release();
