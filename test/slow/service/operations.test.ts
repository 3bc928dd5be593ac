/** The files of config/operations under the programs that they are for. Each part is skipped, and says so, if its program is absent. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeCertificate } from '../../support/service/certificate.ts';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL } from '../../support/service/small-catalog.ts';

const OPERATIONS = resolve(import.meta.dirname, '../../../config/operations');
const read = (name: string) => readFileSync(join(OPERATIONS, name), 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'filinglake-operations-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

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
