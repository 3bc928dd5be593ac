/** Packs in a bucket while the catalog is written, copied, and served by several processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseAccessionNumber } from '../../../../src/filings/api/index.ts';
import { KeyRegister } from '../../../../src/service/accounts/index.ts';
import { backupCatalog, Catalog, checkCatalog, ingest, movePacks } from '../../../../src/service/catalog/index.ts';
import { filings, packNames, startPack } from '../../../support/catalog/full-packs.ts';
import { contentOf, temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';
import { type S3Server, s3Server } from '../../../support/lake/s3-server.ts';
import { type S3Stub, startS3Stub } from '../../../support/lake/s3-stub.ts';
import { PLANS, TestService } from '../../../support/service/running-service.ts';

const s3 = s3Server();
if ('missing' in s3) console.warn(`packs in a bucket are not tested: ${s3.missing}`);

const number = (i: number) => `0000000001-24-${String(i).padStart(6, '0')}`;
const packOf = (catalog: string, pack: number) => join(catalog, 'packs', `00000${pack}.pack`);
const noteOf = (catalog: string, pack: number) => join(catalog, 'packs', `00000${pack}.moved`);

/** Bytes of a folder. */
function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe.skipIf('missing' in s3)('a catalog whose packs were moved', () => {
  const folder = temporaryFolder();
  const catalog = join(folder, 'catalog');
  let server: S3Server;
  let place: string;

  beforeAll(async () => {
    if ('missing' in s3) return;
    server = await s3.start();
    place = `s3://${await server.makeBucket()}/archive`;
    Object.assign(process.env, server.env());
    await ingest([filings(folder, 0, 6)], catalog, { threads: 0 });
    startPack(catalog, 2);
    await ingest([filings(folder, 6, 8)], catalog, { threads: 0 });
    // Only one of two moves at once.
    const moves = await Promise.allSettled([movePacks(catalog, place), movePacks(catalog, place)]);
    expect(moves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(moves).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'catalog-busy' }) });
  });

  it('takes new and corrected filings into the pack that stays, and the next move takes only what is new', async () => {
    const corrected = filings(folder, 5, 9, { version: ' corrected' });
    await ingest([corrected], catalog, { threads: 0 });
    expect(checkCatalog(catalog)).toMatchObject({ problems: [], filings: 9 });
    startPack(catalog, 3);
    await ingest([filings(folder, 9, 10)], catalog, { threads: 0 });
    const before = contentOf(catalog);
    const bytes = statSync(packOf(catalog, 2)).size;
    expect(await movePacks(catalog, place)).toMatchObject({ moved: 1, bytes, in_bucket: 2 });
    expect(packNames(catalog)).toEqual(['000001.moved', '000002.moved', '000003.pack']);
    expect(contentOf(catalog)).toEqual(before);
    expect(checkCatalog(catalog)).toMatchObject({ problems: [], filings: 10 });
    expect(await ingest([corrected], catalog, { threads: 0 })).toMatchObject({ filings: { new: 0, replaced: 0 } });
  });

  it('is copied whole while its packs are moved', async () => {
    const [source, copy] = [join(folder, 'source'), join(folder, 'copy')];
    for (const [i, from] of [0, 6, 9].entries()) {
      if (i > 0) startPack(source, i + 1);
      await ingest([join(folder, `files-${from}`)], source, { threads: 0 });
    }
    const before = contentOf(source);
    const whole = [1, 2].map((pack) => readFileSync(packOf(source, pack)));
    await movePacks(source, place);
    const note = readFileSync(noteOf(source, 2));
    // As if the second were moved only now, after the first was copied.
    for (const [i, bytes] of whole.entries()) {
      writeFileSync(packOf(source, i + 1), bytes);
      rmSync(noteOf(source, i + 1));
    }
    const summary = await backupCatalog(source, copy, {
      onProgress: () => {
        writeFileSync(noteOf(source, 2), note);
        rmSync(packOf(source, 2), { force: true });
      },
    });
    expect(summary).toMatchObject({ bucket_bytes: whole[1]!.length });
    expect(packNames(copy)).toEqual(['000001.pack', '000002.moved', '000003.pack']);
    expect(contentOf(copy)).toEqual(before);
    expect(checkCatalog(copy)).toMatchObject({ problems: [], filings: 9 });
  });

  it('is written further from a copy whose database is older than the move of its last pack', async () => {
    const [source, older] = [join(folder, 'longer'), join(folder, 'older')];
    await ingest([join(folder, 'files-0')], source, { threads: 0 });
    await backupCatalog(source, older);
    startPack(source, 2);
    await ingest([join(folder, 'files-6')], source, { threads: 0 });
    await movePacks(source, place);
    rmSync(packOf(older, 1));
    writeFileSync(noteOf(older, 1), readFileSync(noteOf(source, 1)));
    await ingest([join(folder, 'files-6')], older, { threads: 0 });
    expect(packNames(older)).toEqual(['000001.moved', '000002.pack']);
    expect(contentOf(older)).toEqual(contentOf(source));
    expect(checkCatalog(older).problems).toEqual([]);
  });

  it('keeps what is in the bucket if a file that differs was put in the place of a pack', async () => {
    const before = contentOf(catalog);
    const source = join(folder, 'source');
    const right = readFileSync(packOf(join(folder, 'copy'), 1));
    writeFileSync(packOf(catalog, 1), Buffer.alloc(right.length, 'x'));
    await expect(movePacks(catalog, place)).rejects.toMatchObject({ code: 'pack-damaged' });
    rmSync(packOf(catalog, 1));
    expect(contentOf(catalog)).toEqual(before);
    // A pack that is whole is moved again, to another place too.
    writeFileSync(packOf(source, 1), right);
    const other = `s3://${await server.makeBucket()}`;
    expect(await movePacks(source, other)).toMatchObject({ moved: 1, in_bucket: 2 });
    expect(readFileSync(noteOf(source, 1), 'utf8')).toContain(other);
    expect(checkCatalog(source).problems).toEqual([]);
  });

  it('is read on if a pack is moved after a reader was opened', async () => {
    const source = join(folder, 'read');
    await ingest([join(folder, 'files-0')], source, { threads: 0 });
    startPack(source, 2);
    await ingest([join(folder, 'files-6')], source, { threads: 0 });
    const [opened, used] = [Catalog.open(source), Catalog.open(source)];
    const read = (of: typeof opened) =>
      of
        .mainDocument(parseAccessionNumber(number(1))!)!
        .read()
        .toString();
    const before = read(used);
    await movePacks(source, place);
    expect([read(opened), read(used)]).toEqual([before, before]);
    for (const one of [opened, used]) one.close();
  });

  it('says that the bucket is away, and calls no document damaged', () => {
    rmSync(process.env.FILINGLAKE_S3_CACHE!, { recursive: true, force: true });
    const endpoint = process.env.AWS_ENDPOINT_URL_S3;
    process.env.AWS_ENDPOINT_URL_S3 = 'http://127.0.0.1:1';
    try {
      expect(() => checkCatalog(catalog)).toThrow(expect.objectContaining({ code: 'pack-unreachable' }));
    } finally {
      process.env.AWS_ENDPOINT_URL_S3 = endpoint;
    }
    expect(checkCatalog(catalog).problems).toEqual([]);
  });

  it('keeps what was used last, within the limit', () => {
    const cache = join(process.env.FILINGLAKE_S3_CACHE!, 'packs');
    const read = (i: number) => {
      const opened = Catalog.open(catalog);
      opened.mainDocument(parseAccessionNumber(number(i))!)!.read();
      opened.close();
    };
    const blocks = () => readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = () => blocks().map(({ parentPath, name }) => join(parentPath, name));
    rmSync(cache, { recursive: true, force: true });
    process.env.FILINGLAKE_S3_CACHE_GB = '0.002';
    try {
      read(0);
      const first = names();
      expect(first.length).toBeGreaterThan(1);
      for (const file of first) utimesSync(file, 1, 1);
      read(0);
      const unused = join(cache, 'unused');
      writeFileSync(unused, Buffer.alloc(1_500_000));
      utimesSync(unused, 2, 2);
      for (const i of [5, 6, 7]) read(i);
      expect(names()).toEqual(expect.arrayContaining(first));
      expect(names()).not.toContain(unused);
      expect(bytesIn(cache)).toBeLessThanOrEqual(2_000_000);
    } finally {
      delete process.env.FILINGLAKE_S3_CACHE_GB;
    }
  });
});

describe('services over packs in a bucket', () => {
  const folder = temporaryFolder();
  const catalog = { folder: join(folder, 'catalog'), remove: () => undefined };
  let stub: S3Stub;
  const cache = join(folder, 'cache');
  const ids = Array.from({ length: 30 }, (_, i) => `${number(i)}-1`);
  const document = (service: TestService, id: string) => service.get('document', `document_id=${id}`);
  /** On a busy machine the bucket may look slow. */
  const patiently = async (service: TestService, id: string) => {
    for (;;) {
      const answer = await document(service, id);
      if (answer.status !== 503) return answer;
      await sleep(200);
    }
  };

  beforeAll(async () => {
    stub = await startS3Stub();
    Object.assign(process.env, stub.env(cache));
    await ingest([filings(folder, 0, 30)], catalog.folder, { threads: 0 });
    startPack(catalog.folder, 2);
    await ingest([filings(folder, 30, 31)], catalog.folder, { threads: 0 });
    await movePacks(catalog.folder, 's3://archive');
  });
  afterEach(() => void Object.assign(stub, { rule: () => null, delayMs: 0 }));
  afterAll(() => stub.stop());

  it('keep within the limit of the disk while several threads read', async () => {
    process.env.FILINGLAKE_S3_CACHE_GB = '0.002';
    const service = await TestService.start({ over: catalog, limits: { readerThreads: 4 } });
    try {
      for (let round = 0; round < 2; round++) {
        const answers = await Promise.all(ids.map((id) => patiently(service, id)));
        expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
        expect(bytesIn(join(cache, 'packs'))).toBeLessThanOrEqual(2_000_000);
      }
    } finally {
      await service.stop();
      delete process.env.FILINGLAKE_S3_CACHE_GB;
    }
  });

  it('ask a bucket that hangs only a few times, say why, and answer everybody else', async () => {
    rmSync(cache, { recursive: true, force: true });
    const service = await TestService.start({ over: catalog, limits: { readerThreads: 4 } });
    stub.delayMs = 600_000;
    const hung = ids.map((id) => document(service, id));
    const others = Array.from({ length: 10 }, () => service.get('filing_lookup', 'to=5000'));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
    expect((await Promise.all(hung)).map(({ status }) => status)).toEqual(ids.map(() => 503));
    expect(service.logLines.join('')).toContain('did not answer for');
    stub.clear();
    const next = await Promise.all(ids.map((id) => document(service, id)));
    expect(next.map(({ status }) => status)).toEqual(ids.map(() => 503));
    expect(service.logLines.join('')).toContain('was not requested: its bucket did not answer before');
    // Each would send one of its own.
    expect(stub.seen.length).toBeLessThan(ids.length / 2);
    // What was read before is answered, and everything again once the bucket is back.
    stub.delayMs = 0;
    await expect.poll(async () => (await document(service, ids[0]!)).status).toBe(200);
    stub.delayMs = 600_000;
    expect((await document(service, ids[0]!)).status).toBe(200);
    await service.stop();
  });

  it('share the objects of two catalogs on two machines, and nobody notices if one is killed', async () => {
    const copy = join(folder, 'second');
    const { api_key: key } = keysOf(catalog.folder, (keys) => keys.createKey('unlimited'));
    await backupCatalog(catalog.folder, copy);
    const first = await serve(catalog.folder, join(folder, 'cache-1'));
    const second = await serve(copy, join(folder, 'cache-2'));
    const ask = async ({ url }: Served, id: string) => {
      for (;;) {
        const answer = await request(`${url}/v2/document?document_id=${id}&api_key=${key}`);
        const text = `${answer.statusCode} ${await answer.body.text()}`;
        if (answer.statusCode !== 503) return text;
        await sleep(200);
      }
    };
    const pairs = ids.map((id) => Promise.all([ask(first, id), ask(second, id)]));
    for (const [one, other] of await Promise.all(pairs)) {
      expect(one).toMatch(/^200 /);
      expect(other).toBe(one);
    }
    rmSync(join(folder, 'cache-2'), { recursive: true, force: true });
    const more = ids.map((id) => ask(second, id));
    first.child.kill('SIGKILL');
    for (const answer of await Promise.all(more)) expect(answer).toMatch(/^200 /);
  });
});

interface Served {
  child: ChildProcess;
  url: string;
}

async function serve(catalog: string, cacheFolder: string): Promise<Served> {
  const main = resolve(import.meta.dirname, '../../../../src/cli/main.ts');
  const child = spawn(process.execPath, [main, 'serve', '--catalog', catalog, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, FILINGLAKE_S3_CACHE: cacheFolder },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  return { child, url: (JSON.parse(line.split('\n')[0]!) as { url: string }).url };
}

function keysOf<Result>(folder: string, use: (keys: KeyRegister) => Result): Result {
  const keys = KeyRegister.open(folder, PLANS);
  try {
    return use(keys);
  } finally {
    keys.close();
  }
}
