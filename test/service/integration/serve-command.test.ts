import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../../support/command-line.ts';
import { makeSmallCatalog, type SmallCatalog } from '../../support/service/small-catalog.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/cli/main.ts');

interface Run {
  child: ChildProcess;
  output: { out: string; err: string };
  /** Its exit code */
  ended: Promise<number | null>;
}

function serve(...options: string[]): Run {
  const child = spawn(process.execPath, [MAIN, 'serve', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  return { child, output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function firstLine(run: Run): Promise<string> {
  while (!run.output.out.includes('\n')) {
    const ended = await Promise.race([once(run.child.stdout!, 'data').then(() => false), run.ended.then(() => true)]);
    if (ended) throw new Error(`it ended: ${run.output.err}`);
  }
  return run.output.out.split('\n')[0]!;
}

let catalog: SmallCatalog;
beforeAll(async () => {
  catalog = await makeSmallCatalog();
});

describe('filinglake serve', () => {
  it('hides /metrics and /readyz from users at --metrics', async () => {
    const metricsPort = await freePort();
    const options = ['--catalog', catalog.folder, '--port', '0', '--json'];
    const run = serve(...options, '--metrics', String(metricsPort));
    const { url } = JSON.parse(await firstLine(run)) as { url: string };
    const watched = `http://127.0.0.1:${metricsPort}`;
    const statusOf = async (of: string) => {
      const { statusCode, body } = await request(of);
      return { status: statusCode, text: await body.text() };
    };
    for (const path of ['/metrics', '/readyz']) expect((await statusOf(`${url}${path}`)).status).toBe(404);
    expect((await statusOf(`${url}/healthz`)).status).toBe(200);
    expect(JSON.parse((await statusOf(`${watched}/readyz`)).text)).toMatchObject({ status: 'ok' });
    expect((await statusOf(`${watched}/metrics`)).text).toMatch(/^filinglake_requests_total\{.*"\} [1-9]/m);
    for (const path of ['/', '/v2/filing_info', '/healthz', '/docs'])
      expect((await statusOf(`${watched}${path}`)).status).toBe(404);
    const other = await commandLine([
      'serve',
      '--catalog',
      catalog.folder,
      '--port',
      '0',
      '--metrics',
      String(metricsPort),
    ]);
    expect(other.status).toBe(2);
    expect(other.stderr).toContain(`metrics can't be served at 127.0.0.1:${metricsPort}`);
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  });

  it('prints {"url", "port"} once it listens, refuses a taken port that was named, and ends by SIGTERM', async () => {
    const first = serve('--catalog', catalog.folder, '--port', '0', '--json');
    const { url, port } = JSON.parse(await firstLine(first)) as { url: string; port: number };
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await request(`${url}/healthz`)).statusCode).toBe(200);

    const second = serve('--catalog', catalog.folder, '--port', '0');
    const line = await firstLine(second);
    expect(line).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ serves 6 filings of 1997-03-28 to 2024-05-04, 10 documents, 4 entities$/,
    );
    const third = await commandLine(['serve', '--catalog', catalog.folder, '--port', String(port)]);
    expect(third.status).toBe(2);
    expect(third.stderr).toContain(`port ${port} of 127.0.0.1 is taken`);

    first.child.kill('SIGTERM');
    second.child.kill('SIGINT');
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
    expect(second.output.err).toContain('no key yet: filinglake keys create');
  });

  it('takes the next free port if none was named and the default is taken, unless that is to be an error', async () => {
    const blocker = createServer();
    blocker.listen(8080, '127.0.0.1');
    // If another program has it already, everything is as it should be.
    await once(blocker, 'listening').catch(() => undefined);
    const run = serve('--catalog', catalog.folder);
    expect(await firstLine(run)).not.toContain(':8080 ');
    expect(run.output.err).toMatch(/port 8080 is taken; port \d+ is used instead/);
    expect((await commandLine(['serve', '--catalog', catalog.folder, '--strict-port'])).status).toBe(2);
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    blocker.close();
  });

  it('ends with 2 and a remedy without a catalog', async () => {
    const { status, stdout, stderr } = await commandLine(['serve', '--catalog', `${catalog.folder}-not-there`]);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/there is no catalog in .*\n.*filinglake ingest/);
  });

  it('ends with 2 for an option that nobody knows and a port that is none', async () => {
    const unknown = await commandLine(['serve', '--catalog', catalog.folder, '--prot', '80']);
    const wrong = await commandLine(['serve', '--catalog', catalog.folder, '--port', '70000']);
    expect([unknown.status, wrong.status]).toEqual([2, 2]);
    expect(unknown.stderr).toContain('Did you mean --port?');
    expect(wrong.stderr).toContain('must be a whole number from 0 to 65,535');
  });
});
