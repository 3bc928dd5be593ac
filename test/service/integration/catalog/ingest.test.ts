import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import tar from 'tar-stream';
import { describe, expect, it } from 'vitest';
import type { Entity } from '../../../../src/filings/api/index.ts';
import { Catalog, checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import { CatalogWriter } from '../../../../src/service/catalog/writer.ts';
import {
  contentOf,
  type MadeUpSubmission,
  ncOf,
  submissionsJsonOf,
  temporaryFolder,
  tickersJsonOf,
  txtOf,
  writeFiles,
} from '../../../support/catalog/synthetic-filings.ts';
import { zipOf } from '../../../support/edgar/zip.ts';
import { runs } from '../../../support/property-runs.ts';

function submission(n: number, changes: Partial<MadeUpSubmission> = {}): MadeUpSubmission {
  return {
    accession: `0000000007-24-${String(n).padStart(6, '0')}`,
    form: '8-K',
    date: '2024-05-06',
    acceptance: '2024-05-06T10:11:12',
    parties: [{ cik: '7', name: 'Seven Seas Inc', sic: '4400', state: 'DE', city: 'PORT' }],
    documents: [
      { content: `Item 8.01 Other Events. Number ${n} says hello.` },
      { content: `Exhibit of ${n}`, description: 'PRESS RELEASE' },
    ],
    ...changes,
  };
}

async function tarOf(files: Record<string, Buffer>): Promise<Buffer> {
  const pack = tar.pack();
  for (const [name, bytes] of Object.entries(files)) pack.entry({ name }, bytes);
  pack.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of pack) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A file of a .zip that was written to a pipe: its sizes follow. */
function streamedEntry(name: string, bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes);
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 'latin1');
  head.writeUInt16LE(8, 6);
  head.writeUInt16LE(8, 8);
  head.writeUInt16LE(name.length, 26);
  const tail = Buffer.alloc(16);
  tail.write('PK\x07\x08', 'latin1');
  tail.writeUInt32LE(crc32(bytes), 4);
  tail.writeUInt32LE(packed.length, 8);
  tail.writeUInt32LE(bytes.length, 12);
  return Buffer.concat([head, Buffer.from(name), packed, tail]);
}

const quick = { threads: 0 };

describe('ingest', () => {
  it('unpacks files, folders and archives of them, also in one another', async () => {
    const files = temporaryFolder();
    const catalog = join(temporaryFolder(), 'catalog');
    const noise = Buffer.from('no such thing '.repeat(5_000));
    mkdirSync(join(files, 'deep/deeper'), { recursive: true });
    writeFiles(files, {
      '1.txt': txtOf(submission(1)),
      '2.txt.gz': gzipSync(txtOf(submission(2))),
      'deep/deeper/3.nc': ncOf(submission(3)),
      '4.tar': await tarOf({
        'a/4.txt': txtOf(submission(4)),
        'noise.bin': noise,
        '5.txt.gz': gzipSync(txtOf(submission(5))),
        'empty.txt': Buffer.alloc(0),
      }),
      '6.tar.gz': gzipSync(
        await tarOf({
          '6.txt': txtOf(submission(6)),
          'noise.bin.gz': gzipSync(noise),
          '7.zip': zipOf({ '7.txt': txtOf(submission(7)) }),
        }),
      ),
      '8.tgz': gzipSync(await tarOf({ '8.txt': txtOf(submission(8)) })),
      '9.zip': zipOf({
        'x/9.txt': txtOf(submission(9)),
        '10.txt.gz': gzipSync(txtOf(submission(10))),
        'noise.txt': noise,
      }),
      'page.htm': Buffer.from('<html><head><title>A page</title></head><body>text</body></html>'),
    });
    symlinkSync(files, join(files, 'deep/loop'));
    const summary = await ingest([files], catalog, quick);
    expect(summary.failures).toEqual([]);
    expect(summary.filings.new).toBe(10);
    expect(summary.skipped.unknown).toBe(4);
    expect(checkCatalog(catalog).problems).toEqual([]);
  });

  it('reports a broken file with its byte, stores nothing of it, and continues', async () => {
    const files = temporaryFolder();
    const catalog = join(temporaryFolder(), 'catalog');
    const good = txtOf(submission(1));
    const cut = txtOf(submission(2));
    const archive = gzipSync(
      await tarOf({
        '3.txt': txtOf(submission(3)),
        '4.txt': Buffer.concat([txtOf(submission(4)), Buffer.alloc(200_000, 'x')]),
      }),
      { level: 0 },
    );
    writeFiles(files, {
      'a-broken.txt': cut.subarray(0, cut.indexOf('</DOCUMENT>')),
      'b-good.txt': good,
      'c-cut.txt.gz': gzipSync(good).subarray(0, 200),
      'd-wrong.txt.gz': Buffer.from('this is not gzip'),
      'e-cut.tar.gz': archive.subarray(0, archive.length - 60_000),
      'f-wrong.zip': Buffer.from('this is not a zip'),
      'g-CIK0000000001.json': Buffer.from('{"cik":"1","entityType":"other","filings":'),
    });
    const summary = await ingest([files], catalog, quick);
    expect(summary.filings.new).toBe(2);
    const byName = new Map(summary.failures.map((f) => [f.path.slice(files.length + 1), f]));
    expect([...byName.keys()].map((name) => name[0])).toEqual(['a', 'c', 'd', 'e', 'e', 'f', 'g']);
    expect(byName.get('a-broken.txt')!.offset).toBeGreaterThan(0);
    expect(byName.get('c-cut.txt.gz')!.offset).toBe(200);
    const reader = Catalog.open(catalog);
    expect(reader.totals()).toMatchObject({ filings: 2, documents: 4 });
    reader.close();
    expect(checkCatalog(catalog).problems).toEqual([]);
  });

  it('stores the whole files of an archive before a cut, and reports the cut', async () => {
    const members = Object.fromEntries([1, 2, 3].map((n) => [`${n}.txt`, txtOf(submission(n))]));
    const [archive, zip, large] = [await tarOf(members), zipOf(members), txtOf(submission(4))];
    // The header of a file, its bytes, and zeros up to a block.
    const second = 2 * (512 + Math.ceil(members['1.txt']!.length / 512) * 512);
    const third = zip.lastIndexOf('PK\x03\x04');
    const streamed = Buffer.concat([streamedEntry('1.txt', members['1.txt']!), streamedEntry('4.txt', large)]);
    for (const [name, bytes, whole] of [
      ['within.tar', archive.subarray(0, second + 600), 2],
      ['between.tar', archive.subarray(0, second), 2],
      ['empty.tar', Buffer.alloc(0), 0],
      ['cut.tar.gz', gzipSync(archive, { level: 0 }).subarray(0, second + 600), 2],
      ['within.zip', zip.subarray(0, third + 200), 2],
      ['between.zip', zip.subarray(0, third), 2],
      ['directory.zip', zip.subarray(0, zip.indexOf('PK\x01\x02') + 60), 3],
      ['streamed.zip', streamed.subarray(0, streamed.length - 20), 1],
      ['nested.tar.gz', gzipSync(await tarOf({ 'inner.zip': zip.subarray(0, third + 200) })), 2],
    ] as const) {
      const files = temporaryFolder();
      const catalog = join(temporaryFolder(), 'catalog');
      writeFiles(files, { [name]: bytes });
      const { filings, failures } = await ingest([files], catalog, quick);
      expect([name, filings.new]).toEqual([name, whole]);
      const before = whole === 0 ? 'no whole file is' : whole === 1 ? '1 whole file' : `${whole} whole files`;
      expect(failures.at(-1)).toMatchObject({
        path: expect.stringMatching(/\.(tar|gz|zip)$/),
        message: expect.stringMatching(new RegExp(`^the archive is cut off here .*; ${before}`)),
      });
      expect(checkCatalog(catalog).problems).toEqual([]);
    }
  });

  it('stores no file of a cut .zip whose checksum is wrong', async () => {
    const zip = zipOf({ '1.txt': txtOf(submission(1)), '2.txt': txtOf(submission(2)) });
    zip[14]! ^= 1;
    const files = temporaryFolder();
    writeFiles(files, { 'a.zip': zip.subarray(0, zip.indexOf('PK\x01\x02')) });
    const { filings, failures } = await ingest([files], join(temporaryFolder(), 'catalog'), quick);
    expect(filings.new).toBe(1);
    expect(failures[0]).toMatchObject({ path: `${join(files, 'a.zip')}!1.txt`, message: 'its checksum is wrong' });
  });

  it('refuses a path that is not there before it reads anything', async () => {
    await expect(
      ingest([join(temporaryFolder(), 'nothing')], join(temporaryFolder(), 'c'), quick),
    ).rejects.toMatchObject({
      code: 'file-unreadable',
      exitCode: 2,
    });
  });

  it('refuses a path that is neither a file nor a folder, and a folder that can’t hold a catalog', async () => {
    const files = temporaryFolder();
    const pipe = join(files, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(ingest([pipe], join(temporaryFolder(), 'c'), quick)).rejects.toMatchObject({
      code: 'file-unreadable',
      exitCode: 2,
    });
    writeFiles(files, { '1.txt': txtOf(submission(1)) });
    await expect(ingest([files], join(files, '1.txt', 'c'), quick)).rejects.toMatchObject({
      code: 'catalog-unwritable',
    });
  });

  it('names a file whose name can’t be read', async () => {
    const files = temporaryFolder();
    writeFileSync(Buffer.concat([Buffer.from(`${files}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]), 'x');
    const { failures } = await ingest([files], join(temporaryFolder(), 'c'), quick);
    expect(failures).toEqual([
      { path: `${files}/caf\ufffd.txt`, offset: null, message: 'its name is not UTF-8; rename it' },
    ]);
  });

  it('does not take the catalog itself for input', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { '1.txt': txtOf(submission(1)) });
    await ingest([folder], join(folder, 'catalog'), quick);
    const again = await ingest([folder], join(folder, 'catalog'), quick);
    expect(again.filings.unchanged).toBe(1);
    expect(again.skipped).toEqual({});
  });

  it('replaces what changed with all its rows, and leaves the rest', async () => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    writeFiles(files, { '1.txt': txtOf(submission(1)), '2.txt': txtOf(submission(2)) });
    await ingest([files], folder, quick);
    const changed = submission(2, {
      documents: [{ content: 'Entirely rewritten' }],
      parties: [{ cik: '8', name: 'Eight' }],
      date: '2024-07-01',
    });
    writeFiles(files, { '2.txt': txtOf(changed) });
    const summary = await ingest([files], folder, quick);
    expect(summary.filings).toEqual({ new: 0, replaced: 1, unchanged: 1, deleted: 0 });
    const fresh = join(temporaryFolder(), 'fresh');
    await ingest([files], fresh, quick);
    expect(contentOf(folder)).toEqual(contentOf(fresh));
    const report = checkCatalog(folder);
    expect(report.problems).toEqual([]);
    expect(report.unused_pack_bytes).toBeGreaterThan(0);
  });

  it.each([1, 100])('settles on one of two files of the same filing, in batches of %i', async (batchFilings) => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    const second = txtOf(submission(1, { documents: [{ content: 'Second words' }] }));
    writeFiles(files, { '1.txt': txtOf(submission(1)), '2.txt': second, '3.txt': txtOf(submission(2)) });
    const first = await ingest([files], folder, { ...quick, batchFilings });
    expect(first.filings).toEqual({ new: 2, replaced: 1, unchanged: 0, deleted: 0 });
    const content = contentOf(folder);
    const again = await ingest([files], folder, { ...quick, batchFilings });
    expect(again.filings).toEqual({ new: 0, replaced: 0, unchanged: 2, deleted: 0 });
    expect(again.skipped).toEqual({ superseded_submission: 1 });
    expect(contentOf(folder)).toEqual(content);
  });

  it('stores a bare header as a filing without documents, and any file with documents in its place', async () => {
    const whole = txtOf(submission(1)).toString('latin1');
    const header = whole.slice(whole.indexOf('<SEC-HEADER>'), whole.indexOf('</SEC-HEADER>') + 14);
    const files = temporaryFolder();
    writeFiles(files, { 'a.txt': Buffer.from(header), 'b.txt': Buffer.from(whole), 'c.nc': ncOf(submission(1)) });
    const [bare, ...others] = ['a.txt', 'b.txt', 'c.nc'].map((name) => join(files, name));
    for (const other of others) {
      const folder = join(temporaryFolder(), 'catalog');
      expect(await ingest([bare!], folder, quick)).toMatchObject({ filings: { new: 1 }, documents: 0, failures: [] });
      expect((await ingest([other!], folder, quick)).filings).toMatchObject({ replaced: 1 });
      const content = contentOf(folder);
      expect((await ingest([bare!], folder, quick)).skipped).toEqual({ superseded_submission: 1 });
      expect(contentOf(folder)).toEqual(content);
      expect((await checkCatalog(folder)).problems ?? []).toEqual([]);
    }
  });

  it('stores earlier content again if its file was written since', async () => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    const changed = txtOf(submission(1, { documents: [{ content: 'Second words' }] }));
    for (const bytes of [txtOf(submission(1)), changed, txtOf(submission(1)), changed]) {
      writeFiles(files, { '1.txt': bytes });
      const later = new Date(Date.now() + 60_000);
      utimesSync(join(files, '1.txt'), later, later);
      const { filings } = await ingest([files], folder, quick);
      expect(filings.new + filings.replaced).toBe(1);
    }
    expect(checkCatalog(folder).problems).toEqual([]);
  });

  it('keeps the .txt, the correction, and the deletion, whichever comes first', async () => {
    const parts: Record<string, Buffer> = {
      txt: txtOf(submission(1)),
      nc: ncOf(submission(1, { documents: [{ content: 'from the feed' }] })),
      corrected: ncOf(submission(2, { documents: [{ content: 'as corrected' }] }), 'CORRECTION'),
      wrong: ncOf(submission(2, { documents: [{ content: 'as it was' }] })),
      deletion: ncOf(submission(3, { documents: [] }), 'DELETION'),
      deleted: txtOf(submission(3, { parties: [{ cik: '9', name: 'Nine' }] })),
    };
    const outcome = async (order: string[], batchFilings: number) => {
      const files = temporaryFolder();
      const folder = join(temporaryFolder(), 'catalog');
      writeFiles(files, parts);
      await ingest(
        order.map((name) => join(files, name)),
        folder,
        { ...quick, batchFilings },
      );
      expect(checkCatalog(folder).problems).toEqual([]);
      return contentOf(folder);
    };
    const expected = await outcome(Object.keys(parts), 100);
    expect(expected.filings.length).toBe(2);
    expect(expected.filings.map((f) => f.columns.dialect)).toEqual(['txt', 'nc']);
    expect(expected.entities.map((e) => e.cik)).toEqual([7]);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.keys(parts), { minLength: 6 }),
        fc.constantFrom(1, 2, 100),
        async (order, batch) => {
          expect(await outcome(order, batch)).toEqual(expected);
        },
      ),
      { numRuns: runs(8) },
    );
  });

  it('does not parse a superseded file again', async () => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    const nc = ncOf(submission(1, { documents: [{ content: 'from the feed' }] }));
    writeFiles(files, { 'a.txt': txtOf(submission(1)), 'b.nc': nc });
    for (let n = 0; n < 2; n++) {
      const { skipped } = await ingest([join(files, 'a.txt'), join(files, 'b.nc')], folder, quick);
      expect(skipped).toMatchObject({ superseded_submission: 1 });
    }
    const writer = new CatalogWriter(folder);
    try {
      expect(writer.wasSuperseded(hash('sha256', nc, 'buffer'), new Date(0))).toBe(true);
    } finally {
      writer.close();
    }
  });

  it('makes the same entities from any order of filings and SEC’s JSON', async () => {
    const files = temporaryFolder();
    const older = submission(1, {
      date: '2023-01-02',
      form: '10-K',
      parties: [{ cik: '7', name: 'Seven Old Seas', sic: '4400', state: 'DE', fiscalYearEnd: '1231' }],
    });
    const newer = submission(2, {
      parties: [
        { cik: '7', name: 'Seven Seas Inc', sic: '4412' },
        { cik: '5', name: 'Owner', role: 'REPORTING-OWNER' },
      ],
    });
    const fund = submission(3, { form: 'N-CSR', parties: [{ cik: '6', name: 'Six Fund' }] });
    const parts: Record<string, Buffer> = {
      older: txtOf(older),
      newer: txtOf(newer),
      fund: txtOf(fund),
      json2023: submissionsJsonOf({
        cik: '7',
        name: 'SEVEN',
        asOf: '2023-06-01',
        tickers: ['OLD'],
        exchanges: ['OTC'],
        category: 'Small',
        state: 'NV',
      }),
      json2024: submissionsJsonOf({
        cik: '7',
        name: 'SEVEN',
        asOf: '2024-06-01',
        tickers: ['SEV', 'SEV-P'],
        exchanges: ['NYSE'],
        category: 'Large',
        sic: '4412',
      }),
      plain: tickersJsonOf([
        { cik: 7, ticker: 'SEV' },
        { cik: 6, ticker: 'SIXX' },
      ]),
      table: tickersJsonOf([
        { cik: 6, ticker: 'SIXY', exchange: 'Nasdaq' },
        { cik: 4, ticker: 'FOUR', exchange: 'NYSE' },
      ]),
    };
    writeFiles(files, parts);
    const day = new Date('2024-08-01T00:00:00Z');
    for (const name of Object.keys(parts)) utimesSync(join(files, name), day, day);
    const outcome = async (order: string[], batchFilings: number) => {
      const folder = join(temporaryFolder(), 'catalog');
      await ingest(
        order.map((name) => join(files, name)),
        folder,
        { ...quick, batchFilings },
      );
      return contentOf(folder);
    };
    const expected = await outcome(Object.keys(parts), 100);
    const entities = new Map(expected.entities.map((row) => [row.cik, JSON.parse(row.record as string) as Entity]));
    expect([...entities.keys()]).toEqual([5, 6, 7]);
    expect(entities.get(7)).toEqual({
      cik: '7',
      name: 'Seven Seas Inc',
      tickers: ['SEV', 'SEV-P'],
      exchanges: ['NYSE', ''],
      sic: '4412',
      sic_description: 'MADE-UP INDUSTRY 4412',
      state_of_incorporation: 'DE',
      fiscal_year_end: '1231',
      entity_type: 'OPERATING',
      category: 'Large',
      addresses: {},
    });
    expect(entities.get(6)).toMatchObject({
      tickers: ['SIXY', 'SIXX'],
      exchanges: ['NASDAQ', ''],
      entity_type: 'INVESTMENT',
    });
    expect(entities.get(5)).toMatchObject({ name: 'Owner', entity_type: 'OTHER' });
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.keys(parts), { minLength: 7 }),
        fc.constantFrom(1, 3),
        async (order, batch) => {
          expect(await outcome(order, batch)).toEqual(expected);
        },
      ),
      { numRuns: runs(6) },
    );
  });

  it('replaces the whole ticker list by its newest file, so that dropped tickers disappear', async () => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    writeFiles(files, {
      '1.txt': txtOf(submission(1)),
      'new.json': tickersJsonOf([{ cik: 7, ticker: 'NEW', exchange: 'NYSE' }]),
      'old.json': tickersJsonOf([{ cik: 7, ticker: 'OLD', exchange: 'NYSE' }]),
    });
    utimesSync(join(files, 'old.json'), new Date('2020-01-01'), new Date('2020-01-01'));
    await ingest([files], folder, { ...quick, batchFilings: 1 });
    const catalog = Catalog.open(folder);
    expect(catalog.entityLookup({ tickers: ['NEW'] }).count).toBe(1);
    expect(catalog.entityLookup({ tickers: ['OLD'] }).count).toBe(0);
    catalog.close();
  });

  it('stops on request, with everything read so far committed', async () => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    for (let n = 1; n <= 20; n++) writeFiles(files, { [`${String(n).padStart(2, '0')}.txt`]: txtOf(submission(n)) });
    const interruption = new AbortController();
    const summary = await ingest([files], folder, {
      ...quick,
      signal: interruption.signal,
      onProgress: (p) => p.files === 5 && interruption.abort(),
    });
    expect(summary.interrupted).toBe(true);
    expect(summary.filings.new).toBe(5);
    expect((await ingest([files], folder, quick)).filings).toMatchObject({ new: 15, unchanged: 5 });
  });

  it('is seen by readers that were open before', async () => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    writeFiles(files, { '1.txt': txtOf(submission(1)) });
    await ingest([files], folder, quick);
    const catalog = Catalog.open(folder);
    writeFiles(files, { '2.txt': txtOf(submission(2)) });
    await ingest([files], folder, quick);
    expect(catalog.filingLookup({}).count).toBe(2);
    expect(catalog.fulltextSearch({ query: 'hello' }).total).toBe(2);
    catalog.close();
  });

  it('gives the same catalog whatever the number of threads', async () => {
    const files = temporaryFolder();
    for (let n = 1; n <= 30; n++)
      writeFiles(files, {
        [`${n}.txt`]: txtOf(submission(n, { date: `2024-05-${String((n % 9) + 1).padStart(2, '0')}` })),
      });
    const contents = [];
    for (const threads of [0, 2]) {
      const folder = join(temporaryFolder(), 'catalog');
      await ingest([files], folder, { threads });
      contents.push(contentOf(folder));
    }
    expect(contents[1]).toEqual(contents[0]);
  });

  it('cuts what a crash left behind the last commit, and refuses a pack that lost committed bytes', async () => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    writeFiles(files, { '1.txt': txtOf(submission(1)) });
    await ingest([files], folder, quick);
    const before = contentOf(folder);
    const pack = join(folder, 'packs/000001.pack');
    copyFileSync(pack, `${pack}.kept`);
    writeFileSync(pack, Buffer.alloc(999), { flag: 'a' });
    writeFileSync(join(folder, 'packs/000002.pack'), Buffer.alloc(10));
    await ingest([files], folder, quick);
    expect(contentOf(folder)).toEqual(before);
    truncateSync(pack, 10);
    await expect(ingest([files], folder, quick)).rejects.toMatchObject({ code: 'pack-damaged' });
  });
});
