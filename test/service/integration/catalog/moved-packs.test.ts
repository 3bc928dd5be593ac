/** `filinglake catalog packs --move`: full packs in a bucket. The catalog answers the same, or says that it can't. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parsePlace, S3Objects, S3Requests, s3Settings } from '../../../../src/core/bucket/index.ts';
import { backupCatalog, checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import { filings, packNames, startPack, words } from '../../../support/catalog/full-packs.ts';
import { contentOf, temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';
import { commandLine } from '../../../support/command-line.ts';
import { type S3Server, s3Server } from '../../../support/lake/s3-server.ts';
import { type S3Stub, startS3Stub } from '../../../support/lake/s3-stub.ts';
import { type Asked, TestService } from '../../../support/service/running-service.ts';

const s3 = s3Server();
if ('missing' in s3) console.warn(`packs in a bucket are not tested: ${s3.missing}`);

describe.skipIf('missing' in s3)('a catalog whose full packs lie in a bucket', () => {
  const folder = temporaryFolder();
  const catalog = join(folder, 'catalog');
  let server: S3Server;
  let place: string;
  let before: ReturnType<typeof contentOf>;

  beforeAll(async () => {
    if ('missing' in s3) return;
    server = await s3.start();
    place = `s3://${await server.makeBucket()}/archive`;
    Object.assign(process.env, server.env());
    await ingest([filings(folder, 0, 20)], catalog, { threads: 0 });
    startPack(catalog, 2);
    await ingest([filings(folder, 20, 22)], catalog, { threads: 0 });
    before = contentOf(catalog);
  });

  it('has the same content, and is sound', async () => {
    const bytes = statSync(join(catalog, 'packs', '000001.pack')).size;
    expect(bytes).toBeGreaterThan(3 * 2 ** 20);
    const { status, stdout } = await commandLine(['catalog', 'packs', '--catalog', catalog, '--move', place, '--json']);
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ moved: 1, bytes, in_bucket: 1 })]);
    expect(packNames(catalog)).toEqual(['000001.moved', '000002.pack']);
    expect(contentOf(catalog)).toEqual(before);
    expect(checkCatalog(catalog)).toMatchObject({ problems: [], filings: 22 });
    expect(await commandLine(['catalog', 'packs', '--catalog', catalog, '--move', place])).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('0 packs moved'),
    });
  });

  it('is written further, copied and restored', async () => {
    await ingest([filings(folder, 22, 24)], catalog, { threads: 0 });
    const [plain, shared, restored] = ['plain', 'shared', 'restored'].map((name) => join(folder, name)) as string[];
    const summary = await backupCatalog(catalog, plain!);
    expect(summary.bucket_bytes).toBeGreaterThan(3 * 2 ** 20);
    expect(packNames(plain!)).toEqual(['000001.moved', '000002.pack']);
    await backupCatalog(catalog, shared!, { previous: plain! });
    expect(checkCatalog(shared!)).toMatchObject({ problems: [], filings: 24 });
    await backupCatalog(shared!, restored!);
    expect(contentOf(restored!)).toEqual(contentOf(catalog));
    expect(checkCatalog(restored!)).toMatchObject({ problems: [], filings: 24 });
  });

  it('is not sound if the bucket has other bytes', async () => {
    const requests = new S3Requests(parsePlace(place), s3Settings());
    const objects = new S3Objects(requests);
    const { files } = await new S3Objects(new S3Requests(parsePlace(place.replace('/archive', '')), s3Settings())).list(
      'archive',
    );
    const name = files[0]!.name;
    const whole = (await objects.read(name))!;
    const damaged = Buffer.from(whole);
    damaged[300_000]! ^= 1;
    await objects.put(name, damaged);
    const forgetBlocks = () =>
      rmSync(join(process.env.FILINGLAKE_S3_CACHE!, 'packs'), { recursive: true, force: true });
    forgetBlocks();
    const { problems } = checkCatalog(catalog);
    expect(problems.map(({ code, message }) => [code, message])).toContainEqual([
      'document-damaged',
      expect.stringContaining('is not what was moved there'),
    ]);
    // Too short: the store refuses ranges behind the end.
    await objects.put(name, whole.subarray(0, 300_000));
    forgetBlocks();
    expect(checkCatalog(catalog).problems.map(({ code }) => code)).toContain('document-damaged');
    await objects.put(name, whole);
    expect(checkCatalog(catalog)).toMatchObject({ problems: [] });
  });

  it('refuses a damaged note of the place, and a place that is none', async () => {
    const note = join(folder, 'plain', 'packs', '000001.moved');
    writeFileSync(note, readFileSync(note, 'utf8').replace('digests":"A', 'digests":"').slice(0, -9));
    await expect(ingest([join(folder, 'files-22')], join(folder, 'plain'))).rejects.toMatchObject({
      code: 'pack-damaged',
    });
    expect(await commandLine(['catalog', 'packs', '--catalog', catalog, '--move', './there'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('s3://BUCKET/PREFIX'),
    });
  });
});

describe('a service over packs in a bucket', () => {
  const folder = temporaryFolder();
  let stub: S3Stub;
  let service: TestService;
  let key: string;
  let pack: Buffer;
  let paths: string[];
  const local: Asked[] = [];

  const forgetKept = () => rmSync(join(folder, 'cache'), { recursive: true, force: true });
  /** What a caller sees of an answer, without what differs from request to request. */
  const shown = ({ status, bytes, headers: { etag, 'content-type': type, 'content-encoding': coding } }: Asked) => ({
    status,
    etag,
    type,
    coding,
    bytes: hash('sha256', bytes),
  });
  const askAll = async (some: readonly string[] = paths) => {
    const answers: Asked[] = [];
    for (const path of some) {
      const headers = { accept: path.endsWith('#raw') ? '*/*' : 'application/json' };
      const [name, query] = path.replace('#raw', '').split('?') as [string, string];
      let answer = await service.get(name, query, { headers });
      // On a busy machine the bucket may look slow.
      for (; answer.status === 503; await sleep(200)) answer = await service.get(name, query, { headers });
      answers.push(answer);
    }
    return answers;
  };

  beforeAll(async () => {
    stub = await startS3Stub();
    Object.assign(process.env, stub.env(join(folder, 'cache')));
    const large = '0000100009-21-000001-2';
    // Larger than what a service answers as JSON at once; most of it compresses well.
    const body = `${words(7, 2 ** 20)} ${'zirconium '.repeat(1.6 * 2 ** 20)}`;
    const document = { type: '8-K', filename: 'first.htm', body: `<html><p>zirconium ${words(8, 400_000)}</p></html>` };
    const filing = { accession: '0000100009-21-000001', form: '8-K', filed: '20210115', cik: '0000100009' };
    service = await TestService.start({
      more: 12,
      others: [
        {
          ...filing,
          name: 'MANY NOTES INC',
          documents: [document, { type: 'EX-99', filename: 'large.txt', body }],
        },
      ],
    });
    const { folder: catalog } = service.catalog;
    startPack(catalog, 2);
    await ingest([filings(folder, 0, 1)], catalog, { threads: 0 });
    const db = new DatabaseSync(join(catalog, 'catalog.db'));
    const ids = db
      .prepare("SELECT f.accession || '-' || d.sequence AS id FROM documents d JOIN filings f ON f.id = d.filing")
      .all()
      .map(({ id }) => String(id));
    db.close();
    paths = [
      ...ids.filter((id) => id !== large).map((id) => `document?document_id=${id}`),
      ...ids.map((id) => `document?document_id=${id}#raw`),
      ...ids.slice(0, 3).map((id) => `document?document_id=${id}&text_format=markdown`),
      'fulltext_search?query=note&to=10',
      'fulltext_search?query=zirconium&include_text=true',
      'filing_sections?accession_number=0000100001-24-000001',
    ];
    local.push(...(await askAll()));
    expect(local.filter(({ status }) => status === 200).length).toBeGreaterThan(ids.length);
    pack = readFileSync(join(catalog, 'packs', '000001.pack'));
    expect(await commandLine(['catalog', 'packs', '--catalog', catalog, '--move', 's3://archive'])).toMatchObject({
      status: 0,
    });
    key = stub.keys('archive')[0]!;
    expect(existsSync(join(catalog, 'packs', '000001.pack'))).toBe(false);
    // A service that has the pack open reads on.
    expect((await askAll()).map(shown)).toEqual(local.map(shown));
    await service.stop();
    service = await TestService.start({ over: service.catalog });
  });
  afterEach(() => void Object.assign(stub, { rule: () => null, delayMs: 0 }));
  afterAll(async () => {
    await service.stop();
    await stub.stop();
  });

  it('answers byte for byte as before, with nothing kept, and kept', async () => {
    forgetKept();
    expect((await askAll()).map(shown)).toEqual(local.map(shown));
    stub.clear();
    expect((await askAll()).map(shown)).toEqual(local.map(shown));
    expect(stub.seen).toEqual([]);
  });

  it.each([
    ['is away', () => ({ rule: () => 'cut' as const })],
    ['is overloaded', () => ({ rule: () => 503 as const })],
    ['is too slow', () => ({ delayMs: 60_000 })],
    ['refuses', () => ({ rule: () => ({ refused: 'AccessDenied' }) })],
  ])('answers 503 if the bucket %s, and rightly afterwards', async (_, fault) => {
    forgetKept();
    Object.assign(stub, fault());
    const at = paths.indexOf('document?document_id=0000100009-21-000001-1');
    const path = paths[at]!.split('?') as [string, string];
    const answer = await service.get(...path);
    expect(answer.status).toBe(503);
    expect(answer.json).toEqual({ error: 'the service can not read documents now' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    // Look-ups need no bucket.
    expect(await service.get('filing_lookup', 'to=3')).toMatchObject({ status: 200 });
    Object.assign(stub, { rule: () => null, delayMs: 0 });
    await expect.poll(async () => shown(await service.get(...path))).toEqual(shown(local[at]!));
  });

  it.each([
    ['a changed bit', () => Buffer.from(pack.map((byte, i) => (i % 1_000 === 0 ? byte ^ 1 : byte)))],
    ['other bytes of the same length', () => Buffer.alloc(pack.length, 'x')],
    ['an end too early', () => pack.subarray(0, 100)],
    ['nothing', () => Buffer.alloc(0)],
  ])('gives no wrong or empty document if the object has %s', async (_, damaged) => {
    forgetKept();
    stub.seed('archive', key, damaged());
    const answers = await askAll();
    for (const [i, answer] of answers.entries()) {
      if (answer.status === 200) expect(shown(answer)).toEqual(shown(local[i]!));
      else if (local[i]!.status === 200) expect(answer.status).toBe(500);
    }
    expect(answers.filter(({ status }) => status >= 500).length).toBeGreaterThan(paths.length / 2);
    stub.seed('archive', key, pack);
    // Nothing wrong was kept. The next test asks for all of them.
    const first = paths.slice(0, 3);
    expect((await askAll(first)).map(shown)).toEqual(local.slice(0, 3).map(shown));
  });

  it('fetches a kept block again if it was damaged on the disk', async () => {
    for (const entry of readdirSync(join(folder, 'cache'), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) writeFileSync(join(entry.parentPath, entry.name), Buffer.alloc(100));
    expect((await askAll()).map(shown)).toEqual(local.map(shown));
  });
});
