/**
 * A worker process that compacts after each commit: `compacting-worker.ts KEY COUNT`, with the home in FILINGLAKE_HOME. It kills itself
 * at a version of a compaction: 1: before it is put into the lake's log; 2: after it.
 */
import { promises } from 'node:fs';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { ensureTemporal, startWorker } from '../../../src/export/runtime/index.ts';

const [apiKey, count] = process.argv.slice(2) as [string, string];
const { link, readFile } = promises;
promises.link = async (from, to) => {
  const isVersion = /_lake.\d+\.json$/.test(String(to));
  const isCompaction = isVersion && (await readFile(from, 'utf8')).includes('"run_id":"compaction"');
  if (isCompaction && count === '1') process.kill(process.pid, 'SIGKILL');
  await link(from, to);
  if (isCompaction) process.kill(process.pid, 'SIGKILL');
};
const settings = readSettings();
const session = await ensureTemporal(settings);
const log = openLog(settings, 'worker', [apiKey]);
const worker = await startWorker(session, { apiKey, log, batchMs: 100, compactParts: 1 });
process.once('SIGTERM', () => void worker.stop());
await worker.ended;
await session.release();
