/** Notices of a schedule on a real Temporal server, by a command, a webhook and a mail; and metrics of exports. */

import type { IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricsText, serveMetrics } from '../../../src/cli/terminal/export-metrics.ts';
import { type Look, ScheduleWatch } from '../../../src/cli/terminal/schedule-watch.ts';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  type RunningWorker,
  Schedules,
  startWorker,
  type TemporalSession,
} from '../../../src/export/runtime/index.ts';
import { requireSignature } from '../../../src/service/accounts/billing/signature.ts';
import { type LocalServer, serve } from '../../support/local-server.ts';
import { jsonRows } from '../../support/shared.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';
import { buildRoad, type Road } from '../../support/test-stack.ts';

const SECRET = 'the secret of the notices';
const NEVER = '0 6 29 2 *';

describe.skipIf(!temporalExecutable)('notices of a schedule', () => {
  let road: Road;
  let session: TemporalSession;
  let runs: ExportRuns;
  let schedules: Schedules;
  let worker: RunningWorker;
  let apiKey: string;
  let hook: LocalServer;
  let smtp: { server: TcpServer; port: number; mails: string[] };
  const posted: { event: string; name: string; message: string }[] = [];
  let hookStatus = 200;
  const before = { ...process.env };

  beforeAll(async () => {
    road = await buildRoad(6);
    apiKey = road.createKey('unlimited');
    const place = await temporalNamespace();
    Object.assign(process.env, place, { FILINGLAKE_HOME: road.home, FILINGLAKE_NOTIFY_SECRET: SECRET });
    const settings = readSettings();
    session = await ensureTemporal(settings);
    [runs, schedules] = await Promise.all([ExportRuns.of(session), Schedules.of(session)]);
    worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]) });
    hook = await serve(async (request: IncomingMessage, response) => {
      const body = await text(request);
      requireSignature(String(request.headers['filinglake-signature']), Buffer.from(body), SECRET, new Date());
      response.writeHead(hookStatus).end();
      if (hookStatus === 200) posted.push(JSON.parse(body));
    });
    smtp = await smtpServer();
    process.env.FILINGLAKE_SMTP_URL = `smtp://127.0.0.1:${smtp.port}`;
  });
  afterAll(async () => {
    await worker?.stop();
    await session?.release();
    await hook?.close();
    smtp?.server.close();
    await road?.stop();
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  });

  it('are sent once for each condition, again until somebody takes them, and at its end', async () => {
    const said = join(road.folder, 'said.ndjson');
    const definition = road.parsed(
      'told',
      `notify: { command: 'cat >> ${said}', webhook: '${hook.url}/hook', mail: desk@example.org }`,
    );
    const lake = join(road.folder, 'lake-told');
    const times = { cron: [NEVER], time_zone: 'UTC', jitter_seconds: 0, replace: false };
    await schedules.create({ definition, lake, apiKey, ...times });
    const problems: string[] = [];
    const options = { runs, schedules, onProblem: (line: string) => problems.push(line), watchedSince: Date.now() };
    const look = () => new ScheduleWatch(options).look(true);
    const ran = async () => {
      const id = (await schedules.trigger('told'))!;
      await runs.result(await runs.handleOf(id));
    };
    expect((await look()).schedules.map(({ condition }) => condition.kind)).toEqual(['well']);

    road.proxy.fault = (path) =>
      path.startsWith('/v2/filing_info') ? { status: 400, body: '{"error":"no"}', type: 'application/json' } : null;
    await ran();
    hookStatus = 503;
    const refused = await look();
    expect(refused.schedules[0]!.condition.kind).toBe('incomplete');
    expect(refused.notices_failed).toBe(1);
    expect(problems).toEqual([expect.stringContaining('the webhook of notify answered 503')]);
    hookStatus = 200;
    await look();
    await look();
    road.proxy.fault = () => null;
    await ran();
    await look();
    await look();
    expect(posted.map(({ event, name }) => [event, name])).toEqual([
      ['incomplete', 'told'],
      ['well', 'told'],
    ]);
    const lines = jsonRows<{ event: string }>(said);
    // Those who took the first notice get it again with the one who did not: at least once.
    expect(lines.map(({ event }) => event)).toEqual(['incomplete', 'incomplete', 'well']);
    expect(smtp.mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1])).toEqual([
      'filinglake: told incomplete',
      'filinglake: told incomplete',
      'filinglake: told is well again',
    ]);
  });

  it('can be asked for: schedule list --check states conditions, and the metrics have them', async () => {
    const watch = new ScheduleWatch({ runs, schedules, onProblem: () => {}, watchedSince: 0 });
    const look: Look = await watch.look(false);
    const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, () => metricsText(look, Date.now()));
    try {
      const { port } = server.address() as { port: number };
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      const body = await answer.text();
      const lake = join(road.folder, 'lake-told');
      for (const line of [
        `filinglake_export_state{export="told",lake="${lake}",state="completed"} 1`,
        `filinglake_export_failures{export="told",lake="${lake}"} 0`,
        `filinglake_export_pending_requests{export="told",lake="${lake}"} 0`,
        `filinglake_schedule_condition{export="told",lake="${lake}",condition="incomplete"} 0`,
        `filinglake_schedule_paused{export="told",lake="${lake}"} 0`,
      ])
        expect(body).toContain(`${line}\n`);
      expect(body).toMatch(/^filinglake_lake_age_seconds\{lake="[^"]+"\} \d+(\.\d+)?$/m);
      expect(body).toMatch(/^filinglake_export_age_seconds\{[^}]+\} \d+(\.\d+)?$/m);
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    } finally {
      server.close();
    }
  });
});

/** Takes every mail. */
async function smtpServer(): Promise<{ server: TcpServer; port: number; mails: string[] }> {
  const mails: string[] = [];
  const server = createTcpServer((socket) => {
    let mail: string | null = null;
    let rest = '';
    socket.write('220 ready\r\n');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      rest += data.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (mail !== null && line !== '.') mail += `${line}\n`;
        else if (mail !== null) {
          mails.push(mail);
          mail = null;
          socket.write('250 taken\r\n');
        } else if (/^DATA/i.test(line)) {
          mail = '';
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return { server, port: (server.address() as { port: number }).port, mails };
}
