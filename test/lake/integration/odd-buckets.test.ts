/** Buckets as they may be: shared, read-only, in another region, with another clock, overloaded, with leftovers. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { S3Storage } from '../../../src/lake/storage/s3/s3-storage.ts';
import { commandLine } from '../../support/command-line.ts';
import { type S3Stub, startS3Stub } from '../../support/lake/s3-stub.ts';
import { bring, FEW_TABLES, filingRows, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { serve } from '../../support/local-server.ts';
import { quickIt as it, slowIt } from '../../support/tier-cases.ts';

const SECRET = 'a-secret-that-nobody-may-see';
const DAY_MS = 86_400_000;

describe('a bucket', () => {
  let stub: S3Stub;
  let place: string;
  let cache: string;
  let env: Record<string, string>;
  const lakes: Lake[] = [];

  beforeAll(async () => {
    stub = await startS3Stub();
  });
  afterAll(() => stub.stop());
  beforeEach(() => {
    place = `s3://bucket/${randomUUID()}`;
    cache = temporaryFolder();
    env = { ...stub.env(cache), AWS_SECRET_ACCESS_KEY: SECRET };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    stub.rule = () => null;
  });
  afterEach(async () => {
    stub.rule = () => null;
    for (const lake of lakes.splice(0)) await lake.close();
    vi.unstubAllEnvs();
  });

  async function opened(at = place, create = false, endpoint = stub.url): Promise<Lake> {
    const storage = new S3Storage(at, { ...env, AWS_ENDPOINT_URL_S3: endpoint });
    const lake = await openLake(at, { create, tables: FEW_TABLES, storage });
    lakes.push(lake);
    return lake;
  }

  const numberOf = async (lake: Lake) => Number((await lake.query('SELECT count(*) AS n FROM filings'))[0]!.n);

  it('is read on with renewed credentials, though the answer to a HEAD does not say that the old ones have expired', async () => {
    await bring(await opened(place, true), { batch: 'b' }, filingRows(1));
    const file = path.join(cache, 'credentials');
    const write = (key: string) =>
      writeFileSync(file, `[lab]\naws_access_key_id=${key}\naws_secret_access_key=s\naws_session_token=${key}\n`);
    write('FIRST');
    env = { ...env, ...stub.env(temporaryFolder()) };
    const { AWS_ACCESS_KEY_ID: _, AWS_SECRET_ACCESS_KEY: __, ...others } = env;
    env = { ...others, AWS_PROFILE: 'lab', AWS_SHARED_CREDENTIALS_FILE: file };
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
    for (const name of ['AWS_PROFILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, env[name]!);
    const lake = await opened();
    write('SECOND');
    let refused = 0;
    stub.rule = ({ method, url, keyId }) => {
      if (keyId !== 'FIRST' || !/part-/.test(url)) return null;
      if (method === 'HEAD') refused++;
      return { refused: 'ExpiredToken' };
    };
    expect(await numberOf(lake)).toBe(1);
    expect(refused).toBeGreaterThan(0);
  });

  it('that refuses to hand out a part is not called damaged', async () => {
    await bring(await opened(place, true), { batch: 'b' }, filingRows(1));
    env = { ...env, ...stub.env(temporaryFolder()) };
    const lake = await opened();
    let refused = 0;
    stub.rule = ({ method, url }) =>
      method === 'GET' && /part-/.test(url) && refused++ === 0 ? { refused: 'AccessDenied' } : null;
    const error = await numberOf(lake).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'lake-unreadable', message: expect.stringContaining('AccessDenied') });
  });

  it('needs no region: us-east-1 is the default, and another one is named by the store', async () => {
    delete env.AWS_REGION;
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', path.join(cache, 'none'));
    const lake = await opened(place, true);
    await bring(lake, { batch: 'one' }, filingRows(1));
    expect(await lake.query('SELECT count(*)::INTEGER AS n FROM filings')).toEqual([{ n: 1 }]);
  });

  it('is read by copies without httpfs, and doctor names the file that httpfs needs', async () => {
    vi.stubEnv('HOME', cache);
    const how = (more: Record<string, string>, at = place) => new S3Storage(at, { ...env, ...more }).howItIsRead();
    const auto = await how({ FILINGLAKE_S3_READ: 'auto' });
    expect(auto).toMatch(/^DuckDB reads copies/);
    expect(auto).toMatch(
      /\.duckdb\/extensions\/v[\d.]+\/\w+\/httpfs\.duckdb_extension, which FILINGLAKE_S3_READ=httpfs downloads$/,
    );
    expect(await how({ FILINGLAKE_S3_READ: 'auto' }, `${place}/a*`)).toContain('a pattern to httpfs');
    expect(await how({ FILINGLAKE_S3_READ: 'copies' })).not.toContain('httpfs');
    // What a machine without a network has: a file of another version, or none.
    const file = /by (\/.*httpfs\.duckdb_extension)/.exec(auto)![1]!;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'of another version');
    expect(await how({ FILINGLAKE_S3_READ: 'auto' })).toBe(auto);
  });

  it('with objects of killed probes loses them at the next one, except for young ones', async () => {
    const storage = new S3Storage(place, env);
    const [, prefix] = /^s3:\/\/bucket\/(.*)$/.exec(place)!;
    stub.seed('bucket', `${prefix}/_probe-left`, Buffer.from('1'));
    await storage.proveFit();
    expect(stub.keys('bucket').filter((key) => key.startsWith(prefix!))).toEqual([`${prefix}/_probe-left`]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY_MS });
    try {
      await storage.proveFit();
    } finally {
      vi.useRealTimers();
    }
    expect(stub.keys('bucket').filter((key) => key.startsWith(prefix!))).toEqual([]);
  });

  slowIt('holds lakes whose prefixes begin alike, and one within another, without touching each other', async () => {
    const places = [`${place}/lake`, `${place}/lake-2`, `${place}/lake/inner`, `${place}/lake2`];
    for (const [n, at] of places.entries()) {
      const lake = await opened(at, true);
      for (let batch = 0; batch <= n + 1; batch++) await bring(lake, { batch: `b${batch}` }, filingRows(batch));
      await bring(lake, { batch: 'again' }, filingRows(0, 'r2'), wholeFiling(0));
    }
    for (const lake of lakes) {
      await lake.compact();
      await lake.dropStaging('run');
      await lake.vacuum({ nowMs: Date.now() + 30 * DAY_MS });
    }
    for (const [n, at] of places.entries()) {
      const lake = await opened(at);
      expect(await numberOf(lake)).toBe(n + 2);
      expect((await checkLake(lake)).problems).toEqual([]);
    }
  });

  slowIt(
    'with patterns and umlauts in its prefix is read, checked, compacted and vacuumed by the commands',
    async () => {
      const odd = `${place}/Über*?[a-z]{1} ’n’ Café%20`;
      const lake = await opened(odd, true);
      for (let n = 0; n < 5; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
      const run = async (...words: string[]) => {
        const { status, stdout, stderr } = await commandLine([...words, '--lake', odd]);
        expect(status, stdout + stderr).toBe(0);
        return stdout;
      };
      expect(
        await run(
          'sql',
          'SELECT count(*) AS n FROM filings JOIN documents USING (accession_number)',
          '--format',
          'csv',
        ),
      ).toContain('10');
      expect((await checkLake(await opened(odd))).problems).toEqual([]);
      expect(await run('lake', 'compact')).toContain('became');
      await run('lake', 'vacuum', '--keep', '0d');
      await run('lake', 'log', '--delta');
      expect(await numberOf(await opened(odd))).toBe(5);
    },
  );

  it('that may only be read serves readers, and names the missing right to a writer', async () => {
    const lake = await opened(place, true);
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    stub.rule = ({ method }) => (method === 'GET' || method === 'HEAD' ? null : 403);
    const reader = await opened();
    expect(await numberOf(reader)).toBe(3);
    expect(await reader.query('SELECT count(*)::INT AS n FROM filings', { at: 0 })).toEqual([{ n: 1 }]);
    expect((await checkLake(reader)).problems).toEqual([]);
    const refused = { code: 'lake-unwritable', remedy: expect.stringContaining('s3:PutObject') };
    await expect(reader.proveWritable()).rejects.toMatchObject(refused);
    await expect(bring(reader, { batch: 'new' }, filingRows(9))).rejects.toMatchObject(refused);
    const { status, stderr } = await commandLine(['lake', 'compact', '--lake', place]);
    expect(status).toBe(1);
    expect(stderr).toContain("can't be written");
    stub.rule = () => null;
    expect(await numberOf(await opened())).toBe(3);
  });

  slowIt('that answers each request with 503 three times holds every batch once', async () => {
    const lake = await opened(place, true);
    const asked = new Map<string, number>();
    stub.rule = ({ method, url }) => {
      const times = (asked.get(`${method} ${url}`) ?? 0) + 1;
      asked.set(`${method} ${url}`, times);
      return times <= 3 ? 503 : null;
    };
    for (let n = 0; n < 2; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    expect(asked.size).toBeGreaterThan(20);
    stub.rule = () => null;
    const other = await opened();
    expect([await numberOf(other), await other.currentVersion()]).toEqual([2, 1]);
    expect((await checkLake(other)).problems).toEqual([]);
  });

  it.each([
    [
      'whose clock is an hour ahead',
      // The date of a signature; stores accept a quarter of an hour.
      ({ headers }: IncomingMessage) => {
        const [, year, month, day, hour, minute, second] =
          /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date'])) ?? [];
        const signed = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
        const now = Date.now() + 3_600_000;
        if (Math.abs(now - signed) < 900_000) return null;
        return { status: 403, code: 'RequestTimeTooSkewed', headers: { date: new Date(now).toUTCString() } };
      },
    ],
    [
      'of another region',
      ({ headers }: IncomingMessage) =>
        String(headers.authorization).includes('/eu-central-1/')
          ? null
          : { status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'eu-central-1' } },
    ],
  ])('%s holds a lake', async (kind, refuse) => {
    let refusals = 0;
    const date = () => new Date(Date.now() + (kind.includes('clock') ? 3_600_000 : 0)).toUTCString();
    await using server = await serve((incoming, outgoing) => {
      const refused = refuse(incoming);
      if (refused) {
        refusals++;
        incoming.resume();
        outgoing.writeHead(refused.status, { 'content-type': 'application/xml', ...refused.headers });
        outgoing.end(`<Error><Code>${refused.code}</Code><Message>of the test</Message></Error>`);
      } else passOn(stub.url, incoming, outgoing, date());
    });
    const lake = await opened(place, true, server.url);
    for (let n = 0; n < 2; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    expect(await numberOf(lake)).toBe(2);
    expect(refusals).toBeGreaterThan(0);
  });

  slowIt(
    'leaves its secret in no object, no file of this machine, and no message, also when requests fail',
    async () => {
      const lake = await opened(place, true);
      let asked = 0;
      stub.rule = () => ([503, 'lose', null, 'cut', null] as const)[asked++ % 5]!;
      for (let n = 0; n < 2; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
      stub.rule = () => 403;
      const { stdout, stderr } = await commandLine(['lake', 'check', '--lake', place]);
      const refused = await bring(lake, { batch: 'c' }, filingRows(7)).catch((error: unknown) => error as Error);
      stub.rule = () => null;
      const objects = await new S3Storage(place, env).list('_lake');
      const texts = [stdout, stderr, String((refused as Error).stack), JSON.stringify(refused)];
      for (const { name } of objects) texts.push(String(await new S3Storage(place, env).read(`_lake/${name}`)));
      texts.push(String(await new S3Storage(place, env).read('lake.sql')));
      const files = readdirSync(cache, { recursive: true, encoding: 'utf8' }).map((name) => path.join(cache, name));
      for (const file of files) if (statSync(file).isFile()) texts.push(readFileSync(file).toString('latin1'));
      expect(texts.length).toBeGreaterThan(8);
      for (const text of texts) expect(text).not.toContain(SECRET);
    },
  );
});

function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse, date: string): void {
  const { hostname, port } = new URL(target);
  const { method, url, headers } = incoming;
  const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, date });
    answer.pipe(outgoing);
  });
  onward.once('error', () => incoming.socket.destroy());
  incoming.pipe(onward);
}
