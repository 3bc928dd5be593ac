/** Exports into a bucket, by real workers that share nothing with each other but the bucket and Temporal. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonReaders } from '../../support/lake/python-readers.ts';
import { type S3Server, s3Server } from '../../support/lake/s3-server.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

const FILINGS = 24;
const s3 = temporalExecutable ? s3Server() : { missing: 'there is no Temporal server' };
if ('missing' in s3) console.warn(`exports into buckets are not tested: ${s3.missing}`);

describe.skipIf('missing' in s3)('an export into a bucket', () => {
  let server: S3Server;
  let road: Road;
  let env: Record<string, string>;
  let bucket: string;
  let undisturbed: Record<string, unknown[]>;
  let requests = 0;

  beforeAll(async () => {
    if ('missing' in s3) return;
    server = await s3.start();
    road = await buildRoad(FILINGS, { delayMs: 25 });
    bucket = await server.makeBucket();
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited'), ...server.env() };
    const lake = join(road.folder, 'lake-on-disk');
    const command = runCommand(['export', road.definition('on-disk'), '--lake', lake, '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    requests = road.proxy.requests;
    Object.assign(process.env, server.env());
  }, 180_000);
  afterAll(async () => {
    await road?.stop();
  });

  /** A worker on a machine of its own: another cache, another folder for temporary files. */
  function machine(): Record<string, string> {
    return { ...env, FILINGLAKE_S3_CACHE: temporaryFolder(), TMPDIR: temporaryFolder() };
  }

  async function said(...args: string[]): Promise<string> {
    const command = runCommand(args, machine());
    const chunks: Buffer[] = [];
    command.process.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk));
    expect(await command.ended, command.stderr()).toBe(0);
    return Buffer.concat(chunks).toString('utf8');
  }

  it('brings what one onto the disk brings, and every command takes its URL', async () => {
    const lake = `s3://${bucket}/research/annual reports`;
    const doctor = runCommand(['doctor', road.definition('first'), '--lake', lake, '--json'], machine());
    await doctor.ended;
    expect(JSON.stringify(doctor.events)).toContain('not made yet');
    const command = runCommand(['export', road.definition('first'), '--lake', lake, '--json'], machine());
    expect(await command.ended, command.stderr()).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
    expect(await said('sql', 'SELECT count(*) AS n FROM filings', '--lake', lake, '--format', 'json')).toContain(
      String(FILINGS),
    );
    await said('lake', 'check', '--lake', lake);
    await said('lake', 'compact', '--lake', lake);
    await said('lake', 'vacuum', '--lake', lake);
    await said('lake', 'check', '--lake', lake);
    const page = join(road.folder, 'report.html');
    await said('report', '--lake', lake, '--output', page);
    expect(readFileSync(page, 'utf8')).toContain('Lake annual reports');
    expect(await contentsOf(lake)).toEqual(undisturbed);
    expect(existsSync('s3:')).toBe(false);
  }, 240_000);

  it('brings the same when the worker is killed and another machine resumes, and shows no key', async () => {
    const lake = `s3://${bucket}/killed`;
    const before = road.proxy.requests;
    const first = runCommand(['worker', '--json'], machine());
    await first.event((event) => 'task_queue' in event);
    const killAt = before + Math.floor(requests / 2);
    const killed = road.proxy.atRequest(killAt, () => first.process.kill('SIGKILL'));
    const command = runCommand(
      ['export', road.definition('killed'), '--lake', lake, '--json', '--no-worker'],
      machine(),
    );
    await killed;
    await first.ended;
    const second = runCommand(['worker', '--json'], machine());
    expect(await command.ended, command.stderr()).toBe(0);
    second.process.kill('SIGTERM');
    expect(await second.ended, second.stderr()).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
    await said('lake', 'check', '--lake', lake);
    const texts = [command.stderr(), second.stderr(), first.stderr(), JSON.stringify([command.events, second.events])];
    for (const name of readdirSync(road.home, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) texts.push(readFileSync(join(name.parentPath, name.name), 'latin1'));
    }
    const secret = server.env().AWS_SECRET_ACCESS_KEY!;
    for (const text of texts) expect(text.includes(secret)).toBe(false);
  }, 240_000);

  it('is read from the bucket by deltalake and polars', async () => {
    const python = pythonReaders();
    if ('missing' in python) return console.warn(`not read by other tools: ${python.missing}`);
    const code = `
import json, os
from deltalake import DeltaTable
import polars
url = f"s3://${bucket}/killed/filings"
options = {"AWS_ENDPOINT_URL": os.environ["AWS_ENDPOINT_URL_S3"], "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1"}
delta = DeltaTable(url, storage_options=options).to_pyarrow_table().num_rows
rows = polars.scan_delta(url, storage_options=options).collect().height
print(json.dumps([delta, rows]))
`;
    const { spawn } = await import('node:child_process');
    const reader = spawn(python.command, ['-c', code], {
      env: { ...process.env, ...env, PYTHONPATH: python.modules },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    reader.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    const [status] = (await once(reader, 'close')) as [number];
    expect(status).toBe(0);
    expect(JSON.parse(text)).toEqual([FILINGS, FILINGS]);
  }, 120_000);
});
