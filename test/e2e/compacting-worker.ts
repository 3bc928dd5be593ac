/** A worker process whose compactions take one part a step: `compacting-worker.ts KEY`, with the home in FILINGLAKE_HOME. Says `ready`. */
import { ensureTemporal, openLog, readSettings, startWorker } from '../../src/runtime/index.ts';

const apiKey = process.argv[2]!;
const settings = readSettings();
const session = await ensureTemporal(settings);
const worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]), compactionBoxMs: 1 });
process.once('SIGTERM', () => void worker.stop());
process.stdout.write('ready\n');
await worker.ended;
await session.release();
