/** Requirements of every storage of lakes, tested for each of them: on disk, and in a bucket of an S3 server. */
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openStorage } from '../../../src/lake/index.ts';
import { rowsOf } from '../../../src/lake/query/duckdb.ts';
import { Engines } from '../../../src/lake/query/duckdb-instances.ts';
import { quoteText } from '../../../src/lake/query/quoting.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { putOnce } from '../../../src/lake/storage/put-once.ts';
import { S3Storage } from '../../../src/lake/storage/s3/s3-storage.ts';
import type { LakeStorage } from '../../../src/lake/storage/storage.ts';
import { startFaultyProxy } from '../../support/lake/faulty-proxy.ts';
import { startS3Server } from '../../support/lake/s3-server.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = await startS3Server();
const isMissing = 'missing' in server;
if (isMissing) console.warn(`lakes in buckets are not tested: ${server.missing}`);
const bucket = isMissing ? '' : await server.makeBucket();
const proxy = isMissing ? null : await startFaultyProxy(server.url);

afterAll(async () => {
  await proxy?.stop();
  if (!isMissing) await server.stop();
});

const bytesOf = (text: string) => Buffer.from(text);
const textOf = async (storage: LakeStorage, file: string) => (await storage.read(file))?.toString('utf8') ?? null;

interface Kind {
  name: string;
  /** A new place, and another opener of the same. */
  make: () => { one: LakeStorage; other: LakeStorage };
}

function inBucket(url = `s3://${bucket}/${randomUUID()}/lake`, endpoint?: string): LakeStorage {
  return new S3Storage(url, isMissing ? {} : (setTo(server.env(endpoint)) as Record<string, string>));
}

/** The SDK reads credentials from the process's own environment. */
function setTo(env: Record<string, string>): Record<string, string> {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'AWS_EC2_METADATA_DISABLED']) {
    process.env[name] = env[name];
  }
  return env;
}

const KINDS: readonly Kind[] = [
  {
    name: 'a folder on disk',
    make: () => {
      const folder = temporaryFolder();
      return { one: new LocalStorage(folder), other: new LocalStorage(folder) };
    },
  },
  ...(isMissing
    ? []
    : [
        {
          name: 'a bucket',
          make: () => {
            const url = `s3://${bucket}/${randomUUID()}/lake`;
            return { one: inBucket(url), other: inBucket(url) };
          },
        },
        {
          name: 'a bucket whose store fails one time in twenty',
          make: () => {
            proxy!.rule = () =>
              Math.random() < 0.05 ? ([500, 503, 'cut', 'lose'] as const)[Math.floor(Math.random() * 4)]! : null;
            const url = `s3://${bucket}/${randomUUID()}/lake`;
            return { one: inBucket(url, proxy!.url), other: inBucket(url, proxy!.url) };
          },
        },
      ]),
];

describe.each(KINDS)('$name', ({ make }) => {
  it('reads the whole file, and null if there is none', async () => {
    const { one, other } = make();
    expect(await one.read('lake.json')).toBeNull();
    expect(await one.size('lake.json')).toBeNull();
    expect(await putOnce(one, 'a/b/lake.json', bytesOf('first'))).toBe(true);
    expect(await textOf(other, 'a/b/lake.json')).toBe('first');
    expect(await other.size('a/b/lake.json')).toBe(5);
    await other.replace('a/b/lake.json', bytesOf('second'));
    expect(await textOf(one, 'a/b/lake.json')).toBe('second');
    await one.replace('empty', new Uint8Array());
    expect(await one.size('empty')).toBe(0);
    expect((await one.read('empty'))?.length).toBe(0);
  });

  it('keeps the existing file when it is put again', async () => {
    const { one, other } = make();
    expect(await putOnce(one, 'f', bytesOf('first'))).toBe(true);
    expect(await putOnce(other, 'f', bytesOf('second'))).toBe(false);
    expect(await textOf(one, 'f')).toBe('first');
  });

  it('lets one of 32 parallel writers be first', async () => {
    const { one, other } = make();
    for (const file of ['_lake/0.json', '_lake/1.json']) {
      const writers = Array.from({ length: 32 }, (_, n) => putOnce(n % 2 ? one : other, file, bytesOf(`writer ${n}`)));
      const won = (await Promise.all(writers)).flatMap((first, n) => (first ? [n] : []));
      expect(won.length).toBe(1);
      expect(await textOf(one, file)).toBe(`writer ${won[0]}`);
    }
  });

  it('proves itself, and leaves nothing behind', async () => {
    const { one, other } = make();
    await one.proveFit();
    await one.proveWritable(['_lake', 'filings/_delta_log']);
    expect(await other.listNames('.').catch(() => [])).toEqual([]);
  });

  it('lists files and folders directly in a folder, with any names, sorted', async () => {
    const { one, other } = make();
    const names = ['*.json', 'a?b', 'b[0-9]', 'blank here', 'hash#1', 'perc%2Fent', 'plus+', 'tilde~', 'umläut', '€'];
    for (const name of names) await one.replace(`odd/${name}`, bytesOf(name));
    await one.replace('odd/under/x', bytesOf('x'));
    await one.replace('odd/ümlaut/x', bytesOf('x'));
    await one.replace('odder', bytesOf('x'));
    expect(await other.listNames('odd')).toEqual([...names].sort());
    expect(await other.listFolders('odd')).toEqual(['under', 'ümlaut']);
    expect((await other.list('odd')).map(({ name, bytes }) => [name, bytes])).toEqual(
      [...names].sort().map((name) => [name, Buffer.byteLength(name)]),
    );
    expect(Math.abs((await other.list('odd'))[0]!.modifiedAtMs - Date.now())).toBeLessThan(600_000);
    for (const name of names) expect(await textOf(other, `odd/${name}`)).toBe(name);
    expect(await other.listNames('nothing')).toEqual([]);
    expect(await other.listFolders('nothing')).toEqual([]);
  });

  it('deletes files and folders, and nothing beside them', async () => {
    const { one, other } = make();
    for (const file of ['s/run/a', 's/run/b/c', 's/run2/a', 's/run']) {
      if (file !== 's/run' || !(one instanceof LocalStorage)) await one.replace(file, bytesOf('x'));
    }
    await other.remove('s/run/a');
    await other.remove('s/run/a');
    expect(await one.listNames('s/run')).toEqual([]);
    await other.removeFolder('s/run');
    await other.removeFolder('s/nothing');
    expect(await one.size('s/run/b/c')).toBeNull();
    expect(await textOf(one, 's/run2/a')).toBe('x');
    expect(await one.listFolders('s')).toEqual(['run2']);
  });

  it('adopts built files, even those of DuckDB, and gives DuckDB their paths', async () => {
    const { one, other } = make();
    const lines = one.openScratch();
    lines.append(bytesOf('{"n": 1}\n'));
    lines.append(bytesOf('{"n": 2}\n'));
    await one.adopt(lines, 't/lines.ndjson');
    await lines.discard();
    const built = one.openScratch();
    writeFileSync(built.localPath, randomBytes(40 * 2 ** 20));
    await one.adopt(built, 't/large');
    expect(await other.size('t/large')).toBe(40 * 2 ** 20);
    for (const storage of [one, other]) {
      await storage.makeReadable(['t/lines.ndjson', 't/absent.ndjson']);
      const engines = new Engines(storage, 2 ** 28);
      const connection = await (await engines.reader()).connect();
      const file = quoteText(storage.url('t/lines.ndjson'));
      expect(await rowsOf(connection, `SELECT sum(n)::INT AS n FROM read_json(${file})`)).toEqual([{ n: 3 }]);
      const seen = await rowsOf(connection, `SELECT DISTINCT filename FROM read_json(${file}, filename = true)`);
      expect(seen).toEqual([{ filename: storage.url('t/lines.ndjson') }]);
      const absent = quoteText(storage.url('t/absent.ndjson'));
      await expect(rowsOf(connection, `FROM read_json(${absent})`)).rejects.toThrow(/absent\.ndjson/);
      connection.closeSync();
      await engines.close();
    }
    const large = await other.read('t/large');
    expect(large?.length).toBe(40 * 2 ** 20);
    expect(await one.scratchFiles()).toEqual([]);
  });

  it('reads the current file, however often it was read before', async () => {
    const { one, other } = make();
    const read = async () => {
      await other.makeReadable(['f.ndjson']);
      const engines = new Engines(other, 2 ** 28);
      const connection = await (await engines.reader()).connect();
      const rows = await rowsOf(connection, `FROM read_json(${quoteText(other.url('f.ndjson'))})`).catch(() => null);
      connection.closeSync();
      await engines.close();
      return rows?.map(({ n }) => Number(n)) ?? null;
    };
    await one.replace('f.ndjson', bytesOf('{"n": 1}\n'));
    expect(await read()).toEqual([1]);
    await one.replace('f.ndjson', bytesOf('{"n": 2}\n'));
    expect(await read()).toEqual([2]);
    await one.remove('f.ndjson');
    expect(await read()).toBeNull();
  });

  it('shows others the synced bytes of a growing file', async () => {
    const { one, other } = make();
    const file = one.openGrowing('s/grows');
    file.append(bytesOf('a'));
    await file.sync();
    expect(await textOf(other, 's/grows')).toMatch(/^a/);
    file.append(bytesOf('b'));
    file.append(bytesOf('c'));
    await Promise.all([file.sync(), file.sync()]);
    file.close();
    await file.sync();
    expect(await textOf(other, 's/grows')).toBe('abc');
    await one.makeReadable(['s/grows']);
    const never = one.openGrowing('s/never');
    never.close();
    await never.sync();
    expect(await other.size('s/never')).toBeNull();
  });

  it('has a name that opens it from anywhere', () => {
    const { one } = make();
    expect(openStorage(one.name).name).toBe(one.name);
    expect(path.isAbsolute(one.scratchFolder)).toBe(true);
  });
});

describe.runIf(!isMissing)('a bucket', () => {
  const there = (url?: string, endpoint?: string) => inBucket(url, endpoint);

  it('lists and removes more files than a page holds', async () => {
    const storage = there();
    const names = Array.from({ length: 1_050 }, (_, n) => `part-${String(n).padStart(5, '0')}`);
    for (let from = 0; from < names.length; from += 50) {
      await Promise.all(names.slice(from, from + 50).map((name) => storage.replace(`many/${name}`, bytesOf(name))));
    }
    expect(await storage.listNames('many')).toEqual(names);
    await storage.removeFolder('many');
    expect(await storage.listNames('many')).toEqual([]);
  }, 300_000);

  it('recognises its own file when the answer to its put was lost, and another’s', async () => {
    const url = `s3://${bucket}/${randomUUID()}`;
    const [mine, others] = [there(url, proxy!.url), there(url)];
    let lost = 0;
    proxy!.rule = ({ method, url: asked }) =>
      method === 'PUT' && asked.includes('mine') && lost++ === 0 ? 'lose' : null;
    expect(await putOnce(mine, 'mine', bytesOf('m'))).toBe(true);
    expect(lost).toBe(2);
    await others.replace('theirs', bytesOf('t'));
    expect(await putOnce(mine, 'theirs', bytesOf('m'))).toBe(false);
    proxy!.rule = ({ method }) => (method === 'PUT' ? 503 : null);
  });

  it('retries after a conflict, and accepts a refusal only if a file exists', async () => {
    const storage = there(undefined, proxy!.url);
    let conflicts = 0;
    proxy!.rule = ({ method }) => (method === 'PUT' && conflicts++ < 3 ? 409 : null);
    expect(await putOnce(storage, 'f', bytesOf('f'))).toBe(true);
    expect(conflicts).toBe(4);
    proxy!.rule = ({ method }) => (method === 'PUT' ? 409 : null);
    expect(await putOnce(storage, 'f', bytesOf('other'))).toBe(false);
  });

  it('is refused as a place for lakes if two writers get the answer that they were first', async () => {
    const storage = there(undefined, proxy!.url);
    // A store that ignores the condition.
    proxy!.rule = ({ method }) => (method === 'PUT' ? 200 : null);
    await expect(storage.proveFit()).rejects.toMatchObject({ code: 'lake-place-unfit' });
    proxy!.rule = ({ method }) => (method === 'PUT' ? 501 : null);
    await expect(storage.proveFit()).rejects.toMatchObject({ code: 'lake-place-unfit' });
    proxy!.rule = () => null;
    await storage.proveFit();
  });

  it('names the fault, and no key', async () => {
    const refused = async (call: Promise<unknown>) => {
      const error = (await call.then(
        () => null,
        (one: unknown) => one,
      )) as Error & { code?: string; remedy?: string; cause?: unknown };
      const all = JSON.stringify([
        error.message,
        error.remedy,
        error.stack,
        error.cause,
        Object.entries(error.cause ?? {}),
      ]);
      expect(all).not.toContain(process.env.AWS_SECRET_ACCESS_KEY);
      expect(all).not.toContain(process.env.AWS_ACCESS_KEY_ID);
      return error;
    };
    const nowhere = there(`s3://${bucket}-nowhere/lake`);
    expect(await refused(nowhere.read('lake.json'))).toMatchObject({
      code: 'lake-unreadable',
      message: expect.stringContaining(`there is no bucket ${bucket}-nowhere`),
    });
    const storage = there(undefined, proxy!.url);
    proxy!.rule = () => 403;
    expect(await refused(storage.replace('f', bytesOf('f')))).toMatchObject({
      code: 'lake-unwritable',
      remedy: expect.stringContaining('s3:ListBucket'),
    });
    const away = there(undefined, 'http://127.0.0.1:9');
    expect(await refused(away.read('f'))).toMatchObject({ code: 'lake-unreachable' });
    expect(
      await refused(
        away
          .openScratch()
          .discard()
          .then(() => away.proveFit()),
      ),
    ).toMatchObject({ code: 'lake-unreachable' });
  });

  it.each([
    ['s3://', 'lake-place-unknown'],
    ['s3:///lake', 'lake-place-unknown'],
    ['s3://bucket/../other', 'lake-place-unknown'],
    ['s3://b', 'lake-place-unknown'],
  ])('%s is not a place', (url, code) => {
    expect(() => openStorage(url)).toThrow(expect.objectContaining({ code, exitCode: 2 }));
  });

  it('is the same with a slash at its end', () => {
    expect(openStorage('s3://bucket/lake/').name).toBe(openStorage('s3://bucket/lake').name);
  });
});
