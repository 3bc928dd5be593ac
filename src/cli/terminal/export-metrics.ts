/** Metrics of exports for Prometheus (text format 0.0.4), from the last look at schedules and runs. */
import { createServer, type Server } from 'node:http';
import { bucketCounts } from '../../bucket/index.ts';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import type { Look } from './schedule-watch.ts';

const STATES = ['running', 'waiting_for_quota', 'paused', 'completed', 'failed', 'cancelled'] as const;
const STOPS = ['pause', 'budget', 'quota', 'unreachable', 'crash', 'lake', 'worker'] as const;
const CONDITIONS = ['failed', 'incomplete', 'waiting', 'late', 'not_run'] as const;

type Sample = [labels: Readonly<Record<string, string>>, value: number | null];

/**
 * @param look null: nothing was looked at yet
 * @param problems lakes that the worker of this process can't use now
 */
export function metricsText(look: Look | null, now: number, problems: readonly object[] = []): string {
  const age = (time: string | null) => (time === null ? null : Math.max(0, (now - Date.parse(time)) / 1_000));
  const of = ({ name, lake }: { name: string; lake: string }) => ({ export: name, lake });
  const runs = look?.runs ?? [];
  const schedules = look?.schedules ?? [];
  const families: [name: string, kind: 'gauge' | 'counter', help: string, samples: Sample[]][] = [
    [
      'filinglake_look_age_seconds',
      'gauge',
      'Since the last look at schedules and runs',
      look === null ? [] : [[{}, (now - look.at) / 1_000]],
    ],
    [
      ...(['filinglake_lake_age_seconds', 'gauge', 'Since the newest commit of a lake'] as const),
      [...(look?.committed ?? [])].map(([lake, time]) => [{ lake }, age(time)]),
    ],
    [
      ...([
        'filinglake_export_age_seconds',
        'gauge',
        'Since the newest run of an export was complete, also if nothing was new',
      ] as const),
      runs.map((run) => [of(run), run.state === 'completed' ? age(run.ended_at) : null]),
    ],
    [
      ...(['filinglake_export_state', 'gauge', '1 for the state of the newest run'] as const),
      runs.flatMap((run) => STATES.map((state): Sample => [{ ...of(run), state }, run.state === state ? 1 : 0])),
    ],
    [
      ...([
        'filinglake_export_pending_requests',
        'gauge',
        'Requests still needed by the filings that an active run has found',
      ] as const),
      runs.map((run) => [of(run), run.progress.requests_pending]),
    ],
    [
      ...(['filinglake_export_failures', 'gauge', 'Failures that the newest run recorded'] as const),
      runs.map((run) => [of(run), run.progress.failures]),
    ],
    [
      ...(['filinglake_export_stopped', 'gauge', '1 for the reason why the newest run has stopped'] as const),
      runs.flatMap(({ progress, ended_at, ...run }) =>
        STOPS.map((by): Sample => [{ ...of(run), by }, ended_at === null && progress.stopped_by === by ? 1 : 0]),
      ),
    ],
    [
      ...([
        'filinglake_export_filings',
        'gauge',
        'Filings of the newest run: listed, complete before it, committed by it, left to another run',
      ] as const),
      runs.flatMap(({ progress, ...run }): Sample[] => [
        [{ ...of(run), count: 'listed' }, progress.filings_found],
        [{ ...of(run), count: 'known' }, progress.filings_known],
        [{ ...of(run), count: 'committed' }, progress.filings_committed],
        [{ ...of(run), count: 'deferred' }, progress.filings_deferred],
      ]),
    ],
    [
      ...(['filinglake_export_requests', 'gauge', 'Requests that the newest run has sent'] as const),
      runs.map((run) => [of(run), run.progress.requests]),
    ],
    [
      ...(['filinglake_export_windows', 'gauge', 'Windows of the newest run: read, left, not proven'] as const),
      runs.flatMap(({ progress, ...run }): Sample[] => [
        [{ ...of(run), count: 'read' }, progress.windows_read],
        [{ ...of(run), count: 'left' }, progress.windows_left],
        [{ ...of(run), count: 'unproven' }, progress.windows_unproven],
      ]),
    ],
    [
      ...(['filinglake_export_attended', 'gauge', '1 if a worker works on an active run, 0 if none does'] as const),
      runs.map(({ worker, ...run }) => [of(run), worker === null ? null : Number(worker.answers)]),
    ],
    [
      ...([
        'filinglake_lake_version',
        'gauge',
        'Version of the lake after the newest commit of the newest run',
      ] as const),
      runs.map((run) => [of(run), run.progress.last_commit?.version ?? null]),
    ],
    [
      ...([
        'filinglake_export_waiting_seconds',
        'gauge',
        'Until a waiting run continues; absent if none waits',
      ] as const),
      runs.map(({ progress, ...run }) => {
        const until = run.ended_at === null ? progress.waiting_until : null;
        return [of(run), until === null ? null : Math.max(0, (Date.parse(until) - now) / 1_000)];
      }),
    ],
    [
      ...(['filinglake_schedule_paused', 'gauge', '1 if a schedule is paused'] as const),
      schedules.map(({ schedule }) => [of(schedule), schedule.state === 'paused' ? 1 : 0]),
    ],
    [
      ...(['filinglake_schedule_condition', 'gauge', '1 for what somebody should know of a schedule'] as const),
      schedules.flatMap(({ schedule, condition }) =>
        CONDITIONS.map((kind): Sample => [{ ...of(schedule), condition: kind }, condition.kind === kind ? 1 : 0]),
      ),
    ],
    ['filinglake_worker_unfit', 'gauge', '1 while this worker can not use a lake', [[{}, problems.length > 0 ? 1 : 0]]],
    [
      ...(['filinglake_bucket_requests_total', 'counter', 'Requests of this process to buckets'] as const),
      [[{}, bucketCounts.requests]],
    ],
    [
      ...([
        'filinglake_bucket_errors_total',
        'counter',
        'Those that failed. They are sent again, if that may help',
      ] as const),
      (['unanswered', 'failed', 'refused'] as const).map((kind): Sample => [{ kind }, bucketCounts[kind]]),
    ],
    ['filinglake_notices_failed_total', 'counter', 'Notices that nobody took', [[{}, look?.notices_failed ?? 0]]],
  ];
  const lines = families.flatMap(([name, kind, help, samples]) => [
    ...[`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`],
    ...samples.flatMap(([labels, value]) => (value === null ? [] : [`${name}${labelsText(labels)} ${value}`])),
  ]);
  return `${lines.join('\n')}\n`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const words = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return words.length === 0 ? '' : `{${words.join(',')}}`;
}

/**
 * Serves `/metrics`, and `/healthz`: 200, or 503 while the worker can't use a lake.
 * @param problems of the worker
 * @throws FilinglakeError `address-unusable`
 */
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
  const failed = new Promise<never>((_, fail) => {
    server.once('error', (cause) => {
      const where = `${address.host}:${address.port}`;
      fail(
        new FilinglakeError('address-unusable', `metrics can't be served at ${where}: ${systemErrorWords(cause)}`, {
          cause,
        }),
      );
    });
  });
  const listening = new Promise<void>((settle) => server.listen(address.port, address.host, settle));
  await Promise.race([listening, failed]);
  return server;
}
