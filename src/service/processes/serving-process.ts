/** One of several processes that serve the same port and catalog. Started by `startProcesses`; it ends with it. */
import { FilinglakeError } from '../../core/index.ts';
import { openLog, type ServiceLog } from '../log.ts';
import type { RunningService } from '../start.ts';
import { mergeMetrics } from './merge-metrics.ts';
import type { FromProcess, ProcessOptions, ToProcess } from './messages.ts';
import { startOneProcess } from './one-process.ts';

/** Time limit for the other processes' metrics. */
const METRICS_WAIT_MS = 2_000;

let service: RunningService | null = null;
let log: ServiceLog | null = null;
let lastNumber = 0;
const wanted = new Map<number, (texts: string[]) => void>();

function send(message: FromProcess): void {
  // The first process may be gone: then this one ends too.
  if (process.connected) process.send!(message);
}

async function start(options: ProcessOptions): Promise<void> {
  try {
    log = openLog(options.log);
    service = await startOneProcess(options, log.logger, {
      allMetrics: async (own) => mergeMetrics(await metricsOfAll(own)),
    });
    const { url, port, totals, warnings, routes } = service;
    send({ kind: 'started', url, port, totals, warnings, routes });
  } catch (error) {
    const { code, message, remedy } =
      error instanceof FilinglakeError ? error : { code: 'internal', message: (error as Error).message, remedy: null };
    send({ kind: 'failed', code, message, remedy: remedy ?? null });
    process.disconnect();
  }
}

/** Only this process's metrics if the others miss the time limit. */
function metricsOfAll(own: string): Promise<string[]> {
  const number = ++lastNumber;
  return new Promise((resolve) => {
    const done = (texts: string[]) => {
      clearTimeout(timer);
      wanted.delete(number);
      resolve(texts);
    };
    const timer = setTimeout(() => done([own]), METRICS_WAIT_MS);
    wanted.set(number, done);
    send({ kind: 'metrics-wanted', number });
  });
}

async function close(): Promise<void> {
  await service?.close();
  if (process.connected) process.disconnect();
}

process.on('message', (message: ToProcess) => {
  if (message.kind === 'start') void start(message.options);
  else if (message.kind === 'give-metrics') {
    send({ kind: 'metrics', number: message.number, text: service?.ownMetrics() ?? '' });
  } else if (message.kind === 'all-metrics') wanted.get(message.number)?.(message.texts);
  else if (message.kind === 'reopen-log') log?.reopen();
  else void close();
});
// Ctrl-C reaches the whole group: the first process says when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  void (service?.close() ?? Promise.resolve()).finally(() => process.exit());
});
