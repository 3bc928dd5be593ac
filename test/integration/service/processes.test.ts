/** `serve --processes 2`: one port, one catalog, one count of each month, one text of metrics. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { KeyRegister } from '../../../src/accounts/index.ts';
import { mergeMetrics } from '../../../src/service/processes/merge-metrics.ts';
import { PLANS } from '../../support/service/running-service.ts';
import { ANNUAL, makeSmallCatalog, type SmallCatalog } from '../../support/service/small-catalog.ts';

const main = resolve(import.meta.dirname, '../../../src/cli/main.ts');
const scratch = mkdtempSync(join(tmpdir(), 'filinglake-processes-'));
const log = join(scratch, 'service.log');
let catalog: SmallCatalog;
let accounts: KeyRegister;
let server: ChildProcess;
let pool: Pool;
let port: number;

beforeAll(async () => {
  catalog = await makeSmallCatalog();
  accounts = KeyRegister.open(catalog.folder, PLANS);
  const plans = join(scratch, 'plans.yaml');
  writeFileSync(plans, stringify(PLANS));
  const options = ['--catalog', catalog.folder, '--port', '0', '--plans', plans, '--log', log, '--json'];
  server = spawn(process.execPath, [main, 'serve', '--processes', '2', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(server.stdout!.setEncoding('utf8'), 'data'),
    once(server, 'exit').then(([code]) => Promise.reject(new Error(`serve ended with ${code}`))),
  ])) as [string];
  const listening = JSON.parse(line) as { url: string; port: number };
  port = listening.port;
  pool = new Pool(listening.url, { connections: 16, allowH2: false });
});
afterAll(async () => {
  await pool.close();
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  accounts.close();
  catalog.remove();
  rmSync(scratch, { recursive: true, force: true });
});

async function ask(path: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await pool.request({ path, method: 'GET' });
  return { status: statusCode, text: await body.text() };
}

/** One request on a connection of its own. @returns its first line; rejects if the connection closes without one */
function askOnNewConnection(): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.on('data', (bytes) => resolve(bytes.toString('latin1').split('\r\n', 1)[0]!));
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the connection was closed without an answer')));
  return promise;
}

/** Process ids in the lines of the access log. */
function servingProcesses(): Set<number> {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return new Set(lines.filter((line) => line !== '').map((line) => (JSON.parse(line) as { pid: number }).pid));
}

/** Requests that /metrics counts. */
function counted(text: string): number {
  const lines = text.matchAll(/^filinglake_requests_total\{operation="\w+",status="(?:200|429)"\} (\d+)/gm);
  return [...lines].reduce((sum, match) => sum + Number(match[1]), 0);
}

describe('a service of two processes', () => {
  it('admits exactly 100 of 200 calls at once on a key with 100 left', async () => {
    const key = accounts.createKey('free').api_key;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        ask(
          i % 2 === 0
            ? `/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`
            : `/v2/filing_lookup?api_key=${key}&to=1`,
        ),
      ),
    );
    const of = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([of(200), of(429)]).toEqual([100, 100]);
    const used = accounts.listKeys().find(({ prefix }) => key.startsWith(prefix))!;
    const bytes = answers
      .filter(({ status }) => status === 200)
      .reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect([used.requests, used.bytes]).toEqual([100, bytes]);
    expect(servingProcesses().size).toBe(2);
  });

  it('adds up the metrics of both', async () => {
    const { text } = await ask('/metrics');
    expect(counted(text)).toBeGreaterThanOrEqual(200);
    expect(text).toMatch(/^filinglake_accounts_writable 1$/m);
    expect(text).toMatch(/^filinglake_catalog_records\{kind="filings"\} 6$/m);
  });

  it('opens its log file again after a SIGHUP', async () => {
    renameSync(log, `${log}.1`);
    server.kill('SIGHUP');
    await expect
      .poll(async () => {
        await ask('/healthz');
        try {
          return readFileSync(log, 'utf8').length;
        } catch {
          return 0;
        }
      })
      .toBeGreaterThan(0);
  });

  it('replaces a process that dies, and serves meanwhile', async () => {
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 16 }, askOnNewConnection));
        return servingProcesses().size;
      })
      .toBe(2);
    const requestsBefore = counted((await ask('/metrics')).text);
    const before = servingProcesses();
    const victim = [...before][0]!;
    // No connection is given to a process that can't take it: all of these are answered, though the victim never runs again.
    process.kill(victim, 'SIGSTOP');
    const answers = await Promise.all(Array.from({ length: 32 }, askOnNewConnection));
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
    process.kill(victim, 'SIGKILL');
    const key = accounts.createKey('unlimited').api_key;
    await expect
      .poll(async () => {
        // A connection to the process that died breaks: its client asks again.
        await Promise.allSettled(Array.from({ length: 16 }, () => ask(`/v2/filing_lookup?api_key=${key}&to=1`)));
        return servingProcesses().size;
      })
      .toBe(3);
    // A sum that falls would look like a restart of all, and all requests like new ones.
    expect(counted((await ask('/metrics')).text)).toBeGreaterThanOrEqual(requestsBefore);
  });

  it('listens on the same port again after all of its processes died', async () => {
    const known = servingProcesses();
    for (const pid of known) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has died before.
      }
    }
    await expect
      .poll(async () => {
        await Promise.allSettled(Array.from({ length: 16 }, askOnNewConnection));
        return servingProcesses().size - known.size;
      })
      .toBe(2);
  });
});

describe('serve --processes', () => {
  it.each([
    ['a catalog that is not there', ['--catalog', join(scratch, 'none'), '--port', '0'], 2, /there is no catalog/],
  ])('ends with the error of one process for %s', async (_what, options, code, message) => {
    const failing = spawn(process.execPath, [main, 'serve', '--processes', '2', ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    failing.stderr!.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    const [exitCode] = (await once(failing, 'exit')) as [number];
    expect([exitCode, text]).toEqual([code, expect.stringMatching(message)]);
  });
});

describe('metrics of several processes', () => {
  it('are one text: counts added, shared values once, what must hold everywhere at its least', () => {
    const a = [
      '# HELP filinglake_requests_total Requests',
      '# TYPE filinglake_requests_total counter',
      'filinglake_requests_total{operation="a",status="200"} 3',
      '# HELP filinglake_catalog_records Records',
      'filinglake_catalog_records{kind="filings"} 6',
      '# HELP filinglake_accounts_writable W',
      'filinglake_accounts_writable 1',
    ];
    const b = [
      ...a.slice(0, 2),
      'filinglake_requests_total{operation="b",status="200"} 2',
      'filinglake_requests_total{operation="a",status="200"} 4',
      ...['filinglake_catalog_records{kind="filings"} 5', 'filinglake_accounts_writable 0'],
    ];
    expect(
      mergeMetrics([`${a.join('\n')}\n`, `${b.join('\n')}\n`])
        .trim()
        .split('\n'),
    ).toEqual([
      ...a.slice(0, 2),
      'filinglake_requests_total{operation="a",status="200"} 7',
      'filinglake_requests_total{operation="b",status="200"} 2',
      ...a.slice(3, 6),
      'filinglake_accounts_writable 0',
    ]);
  });
});
