/** `filinglake catalog backup`: a copy of one moment, made while the catalog is written. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyRegister, loadPlans } from '../../../../src/service/accounts/index.ts';
import { backupCatalog, Catalog, checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import { contentOf, temporaryFolder, txtOf, writeFiles } from '../../../support/catalog/synthetic-filings.ts';
import { mountSmallDisk } from '../../../support/chaos/small-disk.ts';
import { commandLine } from '../../../support/command-line.ts';

const folder = temporaryFolder();
/** Parses on this thread: to start another costs more. */
const quick = { threads: 0 };
const catalog = join(folder, 'catalog');
let apiKey: string;

function submissions(from: number, to: number): string {
  const into = join(folder, `files-${from}`);
  mkdirSync(into);
  const files: Record<string, Buffer> = {};
  for (let i = from; i < to; i++) {
    const accession = `0000000001-24-${String(i).padStart(6, '0')}`;
    files[`${accession}.txt`] = txtOf({
      accession,
      form: '8-K',
      date: '2024-03-01',
      parties: [{ cik: '1', name: 'Acme', state: 'DE', sic: '3571' }],
      documents: [{ type: '8-K', content: `Report ${i}. ${'Words. '.repeat(200)}` }],
    });
  }
  writeFiles(into, files);
  return into;
}

const pack = (of: string, number: number) => join(of, 'packs', `00000${number}.pack`);

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1;
  writeFileSync(file, bytes);
}

/** As if the pack before were full. */
function startPack(of: string, number: number): void {
  writeFileSync(pack(of, number), '');
  const db = new DatabaseSync(join(of, 'catalog.db'));
  db.prepare('INSERT INTO packs (pack, bytes) VALUES (?, 0)').run(number);
  db.close();
}

beforeAll(async () => {
  await ingest([submissions(0, 40)], catalog, quick);
  const accounts = KeyRegister.open(catalog, loadPlans());
  apiKey = accounts.createKey('free').api_key;
  accounts.close();
});

describe('a backup', () => {
  it('is a sound catalog with the same content and keys', async () => {
    const to = join(folder, 'first');
    const { status, stdout } = await commandLine(['catalog', 'backup', '--catalog', catalog, '--to', to, '--json']);
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ folder: to, filings: 40 })]);
    expect(contentOf(to)).toEqual(contentOf(catalog));
    expect(checkCatalog(to)).toMatchObject({ ok: true, filings: 40 });
    const accounts = KeyRegister.open(to, loadPlans());
    expect(accounts.isActive(apiKey)).toBe(true);
    accounts.close();
  });

  it('of a catalog that is written meanwhile is of one moment, and can be written further', async () => {
    const to = join(folder, 'second');
    let done = false;
    const writing = ingest([submissions(40, 140)], catalog).finally(() => {
      done = true;
    });
    const copies: string[] = [];
    while (!done || copies.length === 0) {
      const copy = `${to}-${copies.length}`;
      await backupCatalog(catalog, copy);
      copies.push(copy);
    }
    await writing;
    for (const copy of copies) expect(checkCatalog(copy)).toMatchObject({ ok: true });
    const last = copies.at(-1)!;
    await ingest([join(folder, 'files-40')], last, quick);
    const [restored, original] = [Catalog.open(last), Catalog.open(catalog)];
    expect(restored.totals()).toEqual(original.totals());
    restored.close();
    original.close();
    expect(checkCatalog(last)).toMatchObject({ ok: true, filings: 140 });
  });

  it('shares full packs with an earlier one, and stays whole without it', async () => {
    const own = join(folder, 'own');
    await ingest([join(folder, 'files-0')], own, quick);
    startPack(own, 2);
    const [first, second, third] = ['day-1', 'day-2', 'day-3'].map((name) => join(folder, name));
    await backupCatalog(own, first!);
    await ingest([submissions(200, 210)], own, quick);
    const { status, stdout } = await commandLine([
      'catalog',
      'backup',
      '--catalog',
      own,
      '--to',
      second!,
      '--previous',
      first!,
      '--json',
    ]);
    const full = statSync(pack(own, 1)).size;
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ filings: 50, shared_bytes: full })]);
    expect(statSync(pack(second!, 1)).ino).toBe(statSync(pack(first!, 1)).ino);
    // What is written to a catalog that was made of a copy stays out of the others.
    const before = readFileSync(pack(first!, 1));
    const restored = join(folder, 'restored');
    expect(await commandLine(['catalog', 'restore', '--from', second!, '--to', restored])).toMatchObject({ status: 0 });
    expect(contentOf(restored)).toEqual(contentOf(second!));
    await ingest([submissions(210, 215)], second!, quick);
    await ingest([join(folder, 'files-210')], restored, quick);
    for (const one of [second!, restored]) expect(checkCatalog(one)).toMatchObject({ ok: true, filings: 55 });
    expect(readFileSync(pack(first!, 1))).toEqual(before);
    rmSync(first!, { recursive: true });
    expect(checkCatalog(second!)).toMatchObject({ ok: true, filings: 55 });
    expect(await backupCatalog(own, third!, { previous: second! })).toMatchObject({ shared_bytes: full });
    expect(checkCatalog(third!)).toMatchObject({ ok: true, filings: 50 });
  });

  it('shares nothing with a copy of another catalog whose packs are as long', async () => {
    const own = join(folder, 'one');
    await ingest([join(folder, 'files-0')], own, quick);
    startPack(own, 2);
    await ingest([submissions(300, 301)], own, quick);
    const length = statSync(pack(own, 1)).size;
    for (const [n, at] of [0, length >> 1, length - 1].entries()) {
      const other = join(folder, `other-${n}`);
      await backupCatalog(own, other);
      flip(pack(other, 1), at);
      const to = join(folder, `from-other-${n}`);
      expect(await backupCatalog(own, to, { previous: other })).toMatchObject({
        shared_bytes: 0,
        damaged_earlier: ['packs/000001.pack'],
      });
      expect(checkCatalog(to)).toMatchObject({ ok: true });
    }
    await expect(backupCatalog(own, join(folder, 'never'), { previous: join(folder, 'none') })).rejects.toMatchObject({
      code: 'catalog-missing',
    });
  });

  it.each([
    ['catalog.db', (file: string) => flip(file, statSync(file).size >> 1)],
    ['catalog.db', (file: string) => flip(file, statSync(file).size - 1)],
    ['catalog.db', (file: string) => truncateSync(file, statSync(file).size - 4096)],
    ['accounts.db', (file: string) => flip(file, statSync(file).size >> 1)],
    ['accounts.db', (file: string) => rmSync(file)],
    ['backup.json', (file: string) => truncateSync(file, 30)],
  ])('says that its %s is damaged, and a restore refuses it (%#)', async (name, damage) => {
    const damaged = join(folder, 'bad');
    await backupCatalog(catalog, damaged);
    damage(join(damaged, name));
    const to = join(folder, 'never');
    expect(await commandLine(['catalog', 'restore', '--from', damaged, '--to', to])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not as the backup wrote it'),
    });
    expect(existsSync(to)).toBe(false);
    expect(await commandLine(['catalog', 'check', '--catalog', damaged])).toMatchObject({ status: 1 });
    rmSync(damaged, { recursive: true });
  });

  it('on another disk is whole', async () => {
    const mounted = join(folder, 'other-disk');
    mkdirSync(mounted);
    const disk = mountSmallDisk(mounted, 16);
    if (disk === null) return;
    try {
      const summary = await backupCatalog(join(folder, 'day-3'), join(mounted, 'copy'), {
        previous: join(folder, 'day-3'),
      });
      expect(summary).toMatchObject({ shared_bytes: 0, damaged_earlier: [] });
      expect(checkCatalog(join(mounted, 'copy'))).toMatchObject({ ok: true, filings: 50 });
    } finally {
      disk.remove();
    }
  });

  it('leaves nothing behind if it fails', async () => {
    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'mine.txt'), 'mine');
    await expect(backupCatalog(catalog, full)).rejects.toMatchObject({ code: 'folder-taken' });
    await expect(backupCatalog(join(folder, 'none'), join(folder, 'third'))).rejects.toMatchObject({
      code: 'catalog-missing',
    });
    const damaged = join(folder, 'damaged');
    await backupCatalog(catalog, damaged);
    rmSync(join(damaged, 'packs'), { recursive: true });
    await expect(backupCatalog(damaged, join(folder, 'third'))).rejects.toMatchObject({ code: 'pack-damaged' });
    expect(existsSync(join(folder, 'third'))).toBe(false);
    const mounted = join(folder, 'mounted');
    mkdirSync(mounted);
    const disk = mountSmallDisk(mounted, 1);
    if (disk !== null)
      await expect(backupCatalog(catalog, mounted).finally(() => disk.remove())).rejects.toMatchObject({
        code: 'folder-taken',
        remedy: expect.stringContaining(join(mounted, 'NAME')),
      });
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('names what a killed backup left beside it, and deletes nothing: another machine may be writing it', async () => {
    const beside = join(folder, 'beside');
    const left = join(beside, 'monday.partial-1');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'catalog.db'), 'half');
    const args = ['catalog', 'backup', '--catalog', catalog, '--to', join(beside, 'tuesday'), '--json'];
    const { status, stdout, stderr } = await commandLine(args);
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { unfinished: [left] }]);
    expect(stderr).toBe(`warning: ${left} is unfinished. Delete it, unless another backup is writing it.\n`);
    expect(readdirSync(beside).sort()).toEqual(['monday.partial-1', 'tuesday']);
    expect(readFileSync(join(left, 'catalog.db'), 'utf8')).toBe('half');
  });
});
