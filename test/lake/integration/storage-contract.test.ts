/** Requirements of every storage of lakes, tested for each of them: on disk, and in a bucket of an S3 server. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openStorage } from '../../../src/lake/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { putOnce } from '../../../src/lake/storage/put-once.ts';
import { S3Storage } from '../../../src/lake/storage/s3/s3-storage.ts';
import type { LakeStorage } from '../../../src/lake/storage/storage.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/lake/faulty-proxy.ts';
import { type S3Server, s3Server } from '../../support/lake/s3-server.ts';
import { bytesOf, type StorageKind, storageContract } from '../../support/lake/storage-contract.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { seededChance } from '../../support/seeded-chance.ts';
import { IN_SLOW_TIER, quickIt as it, slowIt } from '../../support/tier-cases.ts';

const s3 = s3Server();
if ('missing' in s3) console.warn(`lakes in buckets are not tested: ${s3.missing}`);
let server: S3Server;
let bucket: string;
let proxy: FaultyProxy;

async function start(): Promise<void> {
  if ('missing' in s3 || proxy) return;
  server = await s3.start();
  bucket = await server.makeBucket();
  proxy = await startFaultyProxy(server.url);
}
afterAll(() => proxy?.stop());

function inBucket(url = `s3://${bucket}/${randomUUID()}/lake`, endpoint?: string): LakeStorage {
  return new S3Storage(url, setTo(server.env(endpoint)));
}

/** The SDK reads credentials from the process's own environment. */
function setTo(env: Record<string, string>): Record<string, string> {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'AWS_EC2_METADATA_DISABLED']) {
    process.env[name] = env[name];
  }
  return env;
}

const KINDS: readonly StorageKind[] = [
  {
    name: 'a folder on disk',
    sharesNames: false,
    make: () => {
      const folder = temporaryFolder();
      return { one: new LocalStorage(folder), other: new LocalStorage(folder) };
    },
  },
  ...('missing' in s3
    ? []
    : [
        {
          name: 'a bucket',
          start,
          sharesNames: true,
          make: () => {
            const url = `s3://${bucket}/${randomUUID()}/lake`;
            return { one: inBucket(url), other: inBucket(url) };
          },
        },
        {
          name: 'a bucket whose store fails one time in twenty',
          start,
          sharesNames: true,
          make: () => {
            const chance = seededChance();
            proxy.rule = () =>
              chance() < 0.05 ? ([500, 503, 'cut', 'lose'] as const)[Math.floor(chance() * 4)]! : null;
            const url = `s3://${bucket}/${randomUUID()}/lake`;
            return { one: inBucket(url, proxy.url), other: inBucket(url, proxy.url) };
          },
        },
      ]),
];

if (!IN_SLOW_TIER) KINDS.forEach(storageContract);

describe.skipIf('missing' in s3)('a bucket', () => {
  beforeAll(start);
  const there = (url?: string, endpoint?: string) => inBucket(url, endpoint);

  slowIt('lists and removes more files than a page holds', async () => {
    const storage = there();
    const names = Array.from({ length: 1_050 }, (_, n) => `part-${String(n).padStart(5, '0')}`);
    for (let from = 0; from < names.length; from += 50) {
      await Promise.all(names.slice(from, from + 50).map((name) => storage.replace(`many/${name}`, bytesOf(name))));
    }
    expect(await storage.listNames('many')).toEqual(names);
    await storage.removeFolder('many');
    expect(await storage.listNames('many')).toEqual([]);
  });

  it('recognises its own file when the answer to its put was lost, and another’s', async () => {
    const url = `s3://${bucket}/${randomUUID()}`;
    const [mine, others] = [there(url, proxy.url), there(url)];
    let lost = 0;
    proxy.rule = ({ method, url: asked }) =>
      method === 'PUT' && asked.includes('mine') && lost++ === 0 ? 'lose' : null;
    expect(await putOnce(mine, 'mine', bytesOf('m'))).toBe(true);
    expect(lost).toBe(2);
    await others.replace('theirs', bytesOf('t'));
    expect(await putOnce(mine, 'theirs', bytesOf('m'))).toBe(false);
    proxy.rule = ({ method }) => (method === 'PUT' ? 503 : null);
  });

  it('retries after a conflict, and accepts a refusal only if a file exists', async () => {
    const storage = there(undefined, proxy.url);
    let conflicts = 0;
    proxy.rule = ({ method }) => (method === 'PUT' && conflicts++ < 3 ? 409 : null);
    expect(await putOnce(storage, 'f', bytesOf('f'))).toBe(true);
    expect(conflicts).toBe(4);
    proxy.rule = ({ method }) => (method === 'PUT' ? 409 : null);
    expect(await putOnce(storage, 'f', bytesOf('other'))).toBe(false);
  });

  it('is refused as a place for lakes if two writers get the answer that they were first', async () => {
    const storage = there(undefined, proxy.url);
    // A store that ignores the condition.
    proxy.rule = ({ method }) => (method === 'PUT' ? 200 : null);
    await expect(storage.proveFit()).rejects.toMatchObject({ code: 'lake-place-unfit' });
    proxy.rule = ({ method }) => (method === 'PUT' ? 501 : null);
    await expect(storage.proveFit()).rejects.toMatchObject({ code: 'lake-place-unfit' });
    proxy.rule = () => null;
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
    const storage = there(undefined, proxy.url);
    proxy.rule = () => 403;
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
