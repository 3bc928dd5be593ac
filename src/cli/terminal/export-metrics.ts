/** Metrics of exports for Prometheus (text format 0.0.4), from the last look at schedules and runs. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { bucketCounts } from '../../core/bucket/index.ts';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import { CONDITIONS } from '../../export/index.ts';
import type { RunStatus } from '../../export/runtime/index.ts';
import type { Look } from './schedule-watch.ts';

const STATES = ['running', 'waiting_for_quota', 'paused', 'completed', 'failed', 'cancelled'] as const;
const STOPS = ['pause', 'budget', 'quota', 'unreachable', 'crash', 'lake', 'worker'] as const;

type Sample = [labels: Readonly<Record<string, string>>, value: number | null];

/** @param look null: nothing was looked at yet @param problems lakes that this process's worker can't use */
export function metricsText(look: Look | null, now: number, problems: readonly object[] = []): string {
  const age = (time: string | null) => (time === null ? null : Math.max(0, (now - Date.parse(time)) / 1_000));
  const of = ({ name, lake }: { name: string; lake: string }) => ({ export: name, lake });
  const runs = look?.runs ?? [];
  const schedules = look?.schedules ?? [];
  const lines: string[] = [];
  const family = (name: string, help: string, samples: readonly Sample[]) => {
    const whole = `filinglake_${name}`;
    lines.push(`# HELP ${whole} ${help}`, `# TYPE ${whole} ${name.endsWith('_total') ? 'counter' : 'gauge'}`);
    for (const [labels, value] of samples) if (value !== null) lines.push(`${whole}${labelsText(labels)} ${value}`);
  };
  /** A value of each export's newest run. */
  const ofRuns = (name: string, help: string, value: (run: RunStatus) => number | null) =>
    family(
      name,
      help,
      runs.map((run) => [of(run), value(run)]),
    );
  const counts = (name: string, help: string, values: (run: RunStatus) => Record<string, number>) =>
    family(
      name,
      help,
      runs.flatMap((run) => Object.entries(values(run)).map(([count, n]): Sample => [{ ...of(run), count }, n])),
    );
  const sinceLook: Sample[] = look === null ? [] : [[{}, (now - look.at) / 1_000]];
  family('look_age_seconds', 'Since the last look at schedules and runs', sinceLook);
  const sinceCommits = [...(look?.committed ?? [])].map(([lake, time]): Sample => [{ lake }, age(time)]);
  family('lake_age_seconds', 'Since the newest commit of a lake', sinceCommits);
  ofRuns('export_age_seconds', 'Since the newest run of an export was complete, also if nothing was new', (run) =>
    run.state === 'completed' ? age(run.ended_at) : null,
  );
  family(
    'export_state',
    '1 for the state of the newest run',
    runs.flatMap((run) => STATES.map((state): Sample => [{ ...of(run), state }, run.state === state ? 1 : 0])),
  );
  ofRuns(
    'export_pending_requests',
    'Requests still needed by the filings that an active run has found',
    ({ progress }) => progress.requests_pending,
  );
  ofRuns('export_failures', 'Failures that the newest run recorded', ({ progress }) => progress.failures);
  family(
    'export_stopped',
    '1 for the reason why the newest run has stopped',
    runs.flatMap(({ progress, ended_at, ...run }) =>
      STOPS.map((by): Sample => [{ ...of(run), by }, ended_at === null && progress.stopped_by === by ? 1 : 0]),
    ),
  );
  counts(
    'export_filings',
    'Filings of the newest run: listed, complete before it, committed by it, left to the next run',
    ({ progress: { filings_found: listed, filings_known: known, filings_committed, filings_deferred } }) => ({
      listed,
      known,
      committed: filings_committed,
      deferred: filings_deferred,
    }),
  );
  ofRuns('export_requests', 'Requests that the newest run has sent', ({ progress }) => progress.requests);
  counts(
    'export_windows',
    'Windows of the newest run: read, left, not proven',
    ({ progress: { windows_read: read, windows_left: left, windows_unproven: unproven } }) => ({
      read,
      left,
      unproven,
    }),
  );
  ofRuns('export_attended', '1 if a worker works on an active run, 0 if none does', ({ worker }) =>
    worker === null ? null : Number(worker.answers),
  );
  ofRuns(
    'lake_version',
    'Version of the lake after the newest commit of the newest run',
    ({ progress }) => progress.last_commit?.version ?? null,
  );
  ofRuns('export_waiting_seconds', 'Until a waiting run continues; absent if none waits', ({ progress, ended_at }) => {
    const until = ended_at === null ? progress.waiting_until : null;
    return until === null ? null : Math.max(0, (Date.parse(until) - now) / 1_000);
  });
  family(
    'schedule_paused',
    '1 if a schedule is paused',
    schedules.map(({ schedule }) => [of(schedule), schedule.state === 'paused' ? 1 : 0]),
  );
  family(
    'schedule_condition',
    '1 for what somebody should know of a schedule',
    schedules.flatMap(({ schedule, condition }) =>
      CONDITIONS.map((kind): Sample => [{ ...of(schedule), condition: kind }, condition.kind === kind ? 1 : 0]),
    ),
  );
  family('worker_unfit', '1 while this worker can not use a lake', [[{}, problems.length > 0 ? 1 : 0]]);
  family('bucket_requests_total', 'Requests of this process to buckets', [[{}, bucketCounts.requests]]);
  const failed = (['unanswered', 'failed', 'refused'] as const).map((kind): Sample => [{ kind }, bucketCounts[kind]]);
  family('bucket_errors_total', 'Those that failed. They are sent again, if that may help', failed);
  family('notices_failed_total', 'Notices that nobody took', [[{}, look?.notices_failed ?? 0]]);
  return `${lines.join('\n')}\n`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const words = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return words.length === 0 ? '' : `{${words.join(',')}}`;
}

/** Serves `/metrics`, and `/healthz`: 503 while the worker has problems. @throws FilinglakeError `address-unusable` */
export async function serveMetrics(
  address: { host: string; port: number },
  text: () => string | Promise<string>,
  problems: () => readonly object[] = () => [],
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url === '/healthz') {
      const found = problems();
      response.writeHead(found.length === 0 ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
      response.end(`${JSON.stringify({ problems: found })}\n`);
      return;
    }
    const isThere = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(isThere && request.method === 'GET' ? await text() : '');
  });
  server.requestTimeout = 10_000;
  try {
    await once(server.listen(address.port, address.host), 'listening');
  } catch (cause) {
    const message = `metrics can't be served at ${address.host}:${address.port}: ${systemErrorWords(cause)}`;
    throw new FilinglakeError('address-unusable', message, { cause });
  }
  return server;
}
