/** One process of `serve` as an operator runs it: HTTPS, a trusted proxy, a log file that rotates. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyRegister, loadPlans } from '../../../src/service/accounts/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { makeCertificate } from '../../support/service/certificate.ts';
import { ANNUAL, makeSmallCatalog, type SmallCatalog } from '../../support/service/small-catalog.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/cli/main.ts');
const scratch = temporaryFolder();
const log = join(scratch, 'service.log');
const certFile = join(scratch, 'cert.pem');
const keyFile = join(scratch, 'key.pem');
const { cert, key } = makeCertificate();
writeFileSync(certFile, cert);
writeFileSync(keyFile, key);

let catalog: SmallCatalog;
let apiKey: string;
let server: ChildProcess;
let port: number;
let client: Client;

beforeAll(async () => {
  catalog = await makeSmallCatalog();
  const accounts = KeyRegister.open(catalog.folder, loadPlans());
  apiKey = accounts.createKey('unlimited').api_key;
  accounts.close();
  const options = ['--catalog', catalog.folder, '--port', '0', '--threads', '1', '--json', '--log', log];
  const tls = ['--tls-cert', certFile, '--tls-key', keyFile];
  server = spawn(process.execPath, [MAIN, 'serve', ...options, ...tls, '--trust-proxy', '127.0.0.1, 10.0.0.0/8'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(server.stdout!.setEncoding('utf8'), 'data'),
    once(server, 'exit').then(([code]) => Promise.reject(new Error(`serve ended with ${code}`))),
  ])) as [string];
  const started = JSON.parse(line) as { url: string; port: number };
  expect(started.url).toBe(`https://127.0.0.1:${started.port}`);
  port = started.port;
  client = new Client(started.url, { allowH2: false, connect: { ca: cert } });
});
afterAll(async () => {
  await client?.close();
  if (server && server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
});

interface LogLine {
  request_id: string;
  address: string;
}

let asked = 0;
/** @returns the status, and the address in the line of the access log */
async function ask(path: string, headers: Record<string, string> = {}, file = log) {
  const id = `request-${++asked}`;
  const { statusCode, body } = await client.request({
    path,
    method: 'GET',
    headers: { 'x-request-id': id, ...headers },
  });
  await body.dump();
  const find = () => linesOf(file).find(({ request_id }) => request_id === id);
  await expect.poll(find).toBeDefined();
  return { status: statusCode, address: find()!.address };
}

function linesOf(file: string): LogLine[] {
  const text = readFileSync(file, 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LogLine]));
}

describe('serve --tls-cert --tls-key', () => {
  it('answers over HTTPS, with the certificate of the file', async () => {
    const { status } = await ask(`/v2/filing_info?api_key=${apiKey}&accession_number=${ANNUAL}`);
    expect(status).toBe(200);
  });

  it('tells browsers to keep to HTTPS, with every answer', async () => {
    const paths = ['/', '/healthz', '/v2/none', `/v2/filing_info?api_key=${apiKey}&accession_number=${ANNUAL}`];
    for (const path of paths) {
      const { headers, body } = await client.request({ path, method: 'GET' });
      await body.dump();
      expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
    }
  });

  it('refuses TLS 1.1', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
    const socket = connect({ host: '127.0.0.1', port, ca: cert, ...old });
    // The alert comes from the service: this client would take the old version.
    await expect(once(socket, 'secureConnect')).rejects.toMatchObject({
      code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    });
    socket.destroy();
  });

  it('answers no plain HTTP on this port', async () => {
    const socket = connectPlain(port, '127.0.0.1');
    socket.on('error', () => undefined);
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'close');
    expect(answer).not.toContain('200 OK');
  });

  it.each([
    ['one file alone', ['--tls-cert', certFile], /go together/],
    [
      'a file that is not there',
      ['--tls-cert', join(scratch, 'none.pem'), '--tls-key', keyFile],
      /none\.pem can't be read/,
    ],
    ['a certificate as its own key', ['--tls-cert', certFile, '--tls-key', certFile], /can't be used together/],
    ['the key of another certificate', ['--tls-cert', certFile, '--tls-key', otherKey()], /can't be used together/],
  ])('ends with 2 for %s', async (_what, options, message) => {
    const { status, stderr } = await commandLine(['serve', '--catalog', catalog.folder, '--port', '0', ...options]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

function otherKey(): string {
  const file = join(scratch, 'other-key.pem');
  writeFileSync(file, makeCertificate().key);
  return file;
}

describe('serve --trust-proxy', () => {
  const healthz = (forwarded: string) => ask('/healthz', { 'x-forwarded-for': forwarded });

  it('logs the address that the proxy states', async () => {
    expect((await healthz('203.0.113.7')).address).toBe('203.0.113.7');
    expect((await ask('/healthz')).address).toBe('127.0.0.1');
  });

  it('logs the last address that no trusted proxy wrote: the client may have forged the earlier ones', async () => {
    expect((await healthz('198.51.100.66, 203.0.113.7, 10.1.2.3')).address).toBe('203.0.113.7');
  });

  it.each(['proxy.example.org', '10.0.0.0/99', ' '])('ends with 2 for the address %j', async (address) => {
    const options = ['--catalog', catalog.folder, '--port', '0', '--trust-proxy', address];
    const { status, stderr } = await commandLine(['serve', ...options]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--trust-proxy')]);
  });
});

describe('serve --log', () => {
  it('opens the file again after a SIGHUP, and loses no line', async () => {
    await ask('/healthz');
    const before = linesOf(log).length;
    const moved = `${log}.1`;
    renameSync(log, moved);
    // Until the signal the lines go into the moved file.
    await ask('/healthz', {}, moved);
    server.kill('SIGHUP');
    const ids: string[] = [];
    await expect
      .poll(async () => {
        const id = `after-${ids.length}`;
        ids.push(id);
        await (await client.request({ path: '/healthz', method: 'GET', headers: { 'x-request-id': id } })).body.dump();
        try {
          return linesOf(log).length;
        } catch {
          return 0;
        }
      })
      .toBeGreaterThan(0);
    const all = () => [...linesOf(moved), ...linesOf(log)].map(({ request_id }) => request_id);
    await expect.poll(() => all().filter((id) => ids.includes(id))).toEqual(ids);
    expect(linesOf(moved).length).toBeGreaterThan(before);
    expect(server.exitCode).toBe(null);
  });
});
