/** The files of config/operations under the programs that they are for. Each part is skipped, and says so, if its program is absent. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { makeCertificate } from '../../support/service/certificate.ts';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL } from '../../support/service/small-catalog.ts';

const OPERATIONS = resolve(import.meta.dirname, '../../../config/operations');
const read = (name: string) => readFileSync(join(OPERATIONS, name), 'utf8');
const scratch = temporaryFolder();

/** Of a setting or the PATH; null: absent. */
function program(name: string, setting: string): string | null {
  const found = process.env[setting] ?? name;
  if (!spawnSync(found, ['--help']).error) return found;
  process.stderr.write(`skipped: ${name} is absent (${setting})\n`);
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const nginx = program('nginx', 'FILINGLAKE_NGINX');
describe.skipIf(!nginx)('nginx.conf', () => {
  let service: TestService;
  let proxy: ChildProcess;
  let client: Client;
  beforeAll(async () => {
    service = await TestService.start({ trustedProxies: ['127.0.0.1'] });
    const port = await freePort();
    const { cert, key } = makeCertificate();
    writeFileSync(join(scratch, 'filings.pem'), cert);
    writeFileSync(join(scratch, 'filings.key'), key);
    const site = read('nginx.conf')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('127.0.0.1:8080', `127.0.0.1:${service.service.port}`)
      .replaceAll(/\/etc\/ssl|\/var\/log\/nginx/g, scratch);
    writeFileSync(join(scratch, 'site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const main = `daemon off; master_process off; pid ${scratch}/nginx.pid; error_log ${scratch}/error.log; events {}
http { ${temporary.map((name) => `${name}_temp_path ${scratch}/${name};`).join(' ')} include ${scratch}/site.conf; }\n`;
    writeFileSync(join(scratch, 'nginx.conf'), main);
    proxy = spawn(nginx!, ['-p', scratch, '-e', join(scratch, 'error.log'), '-c', join(scratch, 'nginx.conf')], {
      stdio: 'inherit',
    });
    client = new Client(`https://127.0.0.1:${port}`, { allowH2: false, connect: { ca: cert } });
    await vi.waitFor(async () => expect(await status('/healthz')).toBe(200), 120_000);
  });
  afterAll(async () => {
    await client.close();
    proxy.kill('SIGQUIT');
    if (proxy.exitCode === null) await once(proxy, 'exit');
    await service.stop();
  });

  async function ask(path: string, options: { method?: 'POST'; body?: string; headers?: Record<string, string> } = {}) {
    const { statusCode, headers, body } = await client.request({ method: 'GET', path, ...options });
    return { status: statusCode, headers, text: await body.text() };
  }
  const status = async (path: string) => (await ask(path)).status;

  it('passes requests on, and logs neither key nor query', async () => {
    const key = service.newKey('unlimited');
    expect(await status(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`)).toBe(200);
    await expect.poll(() => readFileSync(join(scratch, 'filings.log'), 'utf8')).toContain('/v2/filing_info 200');
    expect(readFileSync(join(scratch, 'filings.log'), 'utf8')).not.toContain(key.slice(0, 8));
  });

  it('passes on what is at the limits of the service', async () => {
    const key = service.newKey('unlimited');
    const forms = 'X'.repeat(60_000);
    const long = await ask(`/v2/filing_lookup?form_types=${forms}`, { headers: { 'x-api-key': key } });
    expect([long.status, long.headers['content-type']]).toEqual([expect.any(Number), expect.stringContaining('json')]);
    const body = JSON.stringify({ form_types: ['10-K'] }).padEnd(1_000_000);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    expect((await ask('/v2/filing_lookup', { method: 'POST', body, headers })).status).toBe(200);
  });

  it('tells the service the caller and the scheme, and keeps /metrics private', async () => {
    await ask('/healthz', { headers: { 'x-request-id': 'through-nginx', 'x-forwarded-for': '203.0.113.9' } });
    const line = () => service.logLines.find((one) => one.includes('through-nginx'));
    // The test's client is on the proxy's machine, and so believed too.
    await expect.poll(line).toContain('"address":"203.0.113.9"');
    const { headers } = await ask('/account/log-in', {
      method: 'POST',
      body: 'email=ada%40example.org&password=wrong+password',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(await status('/metrics')).toBe(403);
  });
});

const promtool = program('promtool', 'FILINGLAKE_PROMTOOL');
it.skipIf(!promtool).each(['alerts.yaml', 'export-alerts.yaml'])('Prometheus reads %s', (file) => {
  const said = execFileSync(promtool!, ['check', 'rules', join(OPERATIONS, file)], { encoding: 'utf8' });
  expect(said).toMatch(/SUCCESS: \d+ rules found/);
});

/** For each rule: a series that raises it after a while, and one that does not. */
const RAISED: Record<string, [series: string, raises: string, not: string]> = {
  FilinglakeExportsDown: ['up{job="filinglake-exports"}', '0x2000', '1x2000'],
  FilinglakeExportsNotLookedAt: ['filinglake_look_age_seconds', '700x2000', '30x2000'],
  FilinglakeExportFailed: ['filinglake_export_state{export="a",lake="b",state="failed"}', '1x2000', '0x2000'],
  FilinglakeScheduleNotWell: [
    ...(['filinglake_schedule_condition{export="a",lake="b",condition="late"}', '1x2000', '0x2000'] as const),
  ],
  FilinglakeExportWaitsLong: ['filinglake_export_waiting_seconds{export="a",lake="b"}', '90000x2000', '3600x2000'],
  FilinglakeExportOld: ['filinglake_export_age_seconds{export="a",lake="b"}', '200000x2000', '90000x2000'],
  FilinglakeLakeOld: ['filinglake_lake_age_seconds{lake="b"}', '700000x2000', '500000x2000'],
  FilinglakeSchedulePaused: ['filinglake_schedule_paused{export="a",lake="b"}', '1x2000', '0x2000'],
  FilinglakeNobodyTold: ['filinglake_notices_failed_total', '0+1x2000', '0x2000'],
  FilinglakeExportStopped: ['filinglake_export_stopped{export="a",lake="b",by="lake"}', '1x2000', '0x2000'],
  FilinglakeExportUnattended: ['filinglake_export_attended{export="a",lake="b"}', '0x2000', '1x2000'],
  FilinglakeExportDeferred: [
    ...(['filinglake_export_filings{export="a",lake="b",count="deferred"}', '3x2000', '0x2000'] as const),
  ],
  FilinglakeExportUnproven: [
    ...(['filinglake_export_windows{export="a",lake="b",count="unproven"}', '1x2000', '0x2000'] as const),
  ],
  FilinglakeWorkerUnfit: ['filinglake_worker_unfit{instance="w"}', '1x2000', '0x2000'],
  // A request each two seconds fails; one each minute.
  FilinglakeBucketErrors: ['filinglake_bucket_errors_total{instance="w",kind="failed"}', '0+30x2000', '0+1x2000'],
};

it.skipIf(!promtool)('each rule of exports is raised by its series, and only then', () => {
  const { groups } = parse(read('export-alerts.yaml')) as { groups: { rules: { alert: string }[] }[] };
  const rules = groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  expect(Object.keys(RAISED).sort()).toEqual([...rules].sort());
  const tests = [true, false].map((raise) => ({
    interval: '1m',
    input_series: Object.values(RAISED).map(([series, raises, not]) => ({ series, values: raise ? raises : not })),
    promql_expr_test: Object.keys(RAISED).map((name) => ({
      // Seven hours: longer than each rule's own time.
      expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`,
      eval_time: '7h',
      exp_samples: [{ value: raise ? 1 : 0 }],
    })),
  }));
  const file = join(scratch, 'rules-test.yaml');
  writeFileSync(file, JSON.stringify({ rule_files: [join(OPERATIONS, 'export-alerts.yaml')], tests }));
  expect(execFileSync(promtool!, ['test', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS');
});

it.skipIf(!promtool).each(['grafana.json', 'grafana-exports.json'])('Prometheus reads the queries of %s', (board) => {
  const { panels } = JSON.parse(read(board)) as { panels: { targets: { expr: string }[] }[] };
  const rules = panels.flatMap(({ targets }) => targets).map(({ expr }, n) => ({ record: `board:${n}`, expr }));
  const file = join(scratch, `${board}.yaml`);
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules }] }));
  const said = execFileSync(promtool!, ['check', 'rules', file], { encoding: 'utf8' });
  expect(said).toContain(`SUCCESS: ${rules.length} rules found`);
});

const systemd = program('systemd-analyze', 'FILINGLAKE_SYSTEMD_ANALYZE');
it.skipIf(!systemd)('systemd finds nothing wrong in the unit', () => {
  const command = join(scratch, 'filinglake');
  writeFileSync(command, '#!/bin/sh\n');
  chmodSync(command, 0o755);
  const unit = join(scratch, 'filinglake.service');
  writeFileSync(unit, read('filinglake.service').replace('/usr/local/bin/filinglake', command));
  const { status, stderr } = spawnSync(systemd!, ['verify', unit], { encoding: 'utf8' });
  expect([status, stderr.split('\n').filter((line) => line.includes('filinglake'))]).toEqual([0, []]);
});
