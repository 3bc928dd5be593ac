/** `filinglake catalog backup --previous`: pages of databases and full packs that did not change are shared with the earlier copy. */
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
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
import { KeyRegister, loadPlans } from '../../../src/accounts/index.ts';
import { CopiedPages, writePages } from '../../../src/catalog/copied-pages.ts';
import { DatabaseSnapshot } from '../../../src/catalog/database-snapshot.ts';
import { backupCatalog, checkCatalog, ingest } from '../../../src/catalog/index.ts';
import { contentOf, temporaryFolder, txtOf, writeFiles } from '../../support/catalog/synthetic-filings.ts';
import { mountSmallDisk } from '../../support/chaos/small-disk.ts';
import { commandLine } from '../../support/command-line.ts';

const folder = temporaryFolder();
const catalog = join(folder, 'catalog');
const day = (number: number) => join(folder, `day-${number}`);
const pagesOf = (copy: string) => join(copy, 'databases', 'catalog.db');
let made = 0;

async function ingestMore(filings: number): Promise<void> {
  const into = join(folder, `files-${made}`);
  mkdirSync(into);
  const files: Record<string, Buffer> = {};
  for (const end = made + filings; made < end; made++) {
    const accession = `0000000001-24-${String(made).padStart(6, '0')}`;
    files[`${accession}.txt`] = txtOf({
      ...{ accession, form: '8-K', date: '2024-03-01', parties: [{ cik: '1', name: 'Acme', state: 'DE' }] },
      documents: [{ type: '8-K', content: `Report ${made}. ${'Words. '.repeat(200)}` }],
    });
  }
  writeFiles(into, files);
  await ingest([into], catalog, { threads: 0 });
}

/** As if the pack before were full. */
function startPack(number: number): void {
  writeFileSync(join(catalog, 'packs', `00000${number}.pack`), '');
  const db = new DatabaseSync(join(catalog, 'catalog.db'));
  db.prepare('INSERT INTO packs (pack, bytes) VALUES (?, 0)').run(number);
  db.close();
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1;
  writeFileSync(file, bytes);
}

const copy = (to: string, previous: string) =>
  commandLine(['catalog', 'backup', '--catalog', catalog, '--to', to, '--previous', previous, '--json']);

/** All rows of all tables, as SQL sees them. */
function rowsOf(db: DatabaseSync): string {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").all();
  return hash(
    'sha256',
    JSON.stringify(tables.map(({ name }) => db.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all())),
  );
}

describe('a copy that shares with an earlier one', () => {
  beforeAll(async () => {
    await ingestMore(600);
    startPack(2);
    const accounts = KeyRegister.open(catalog, loadPlans());
    accounts.createKey('free');
    accounts.close();
    await backupCatalog(catalog, day(0));
    await backupCatalog(catalog, day(1), { previous: day(0) });
    await ingestMore(5);
  });

  it('takes the space of what changed, and is restored without the earlier ones', async () => {
    const { status, stdout } = await copy(day(2), day(1));
    const whole = statSync(join(catalog, 'catalog.db')).size;
    const summary = JSON.parse(stdout);
    expect([status, summary]).toEqual([0, expect.objectContaining({ filings: 605, damaged_earlier: [] })]);
    expect(summary.written_bytes).toBeLessThan(whole / 4);
    expect(readdirSync(pagesOf(day(2))).sort()).toEqual(['0.whole', '1.changes', 'blocks.json']);
    expect(statSync(join(pagesOf(day(2)), '0.whole')).ino).toBe(statSync(join(pagesOf(day(1)), '0.whole')).ino);
    await ingestMore(5);
    const kept = contentOf(catalog);
    await copy(day(3), day(2));
    await ingestMore(1);
    for (const number of [0, 1, 2]) rmSync(day(number), { recursive: true });
    const restored = join(folder, 'restored');
    expect(await commandLine(['catalog', 'check', '--catalog', day(3)])).toMatchObject({ status: 0 });
    expect(await commandLine(['catalog', 'restore', '--from', day(3), '--to', restored])).toMatchObject({ status: 0 });
    expect(contentOf(restored)).toEqual(kept);
    expect(checkCatalog(restored)).toMatchObject({ ok: true, filings: 610 });
    const accounts = KeyRegister.open(restored, loadPlans());
    expect(accounts.listKeys()).toHaveLength(1);
    accounts.close();
    expect(readdirSync(day(3)).sort()).toEqual(['databases', 'packs']);
  });

  it('names the command that restores it, where a catalog is needed', async () => {
    const { status, stderr } = await commandLine(['keys', 'list', '--catalog', day(3)]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`filinglake catalog restore --from ${day(3)}`)]);
  });

  it.each([
    ['0.whole', (file: string) => flip(file, statSync(file).size >> 1)],
    ['0.whole', (file: string) => truncateSync(file, statSync(file).size - 4096)],
    ['3.changes', (file: string) => flip(file, 4 + 2000)],
    ['3.changes', (file: string) => flip(file, 3)],
    ['3.changes', (file: string) => truncateSync(file, statSync(file).size - 100)],
    ['3.changes', (file: string) => rmSync(file)],
    ['1.changes', (file: string) => rmSync(file)],
    ['blocks.json', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -3))],
  ])('takes nothing over from a damaged %s, and a restore refuses it (%#)', async (name, damage) => {
    const damaged = join(folder, 'damaged');
    await copy(damaged, day(3));
    const file = join(pagesOf(damaged), name);
    // A file of its own, not the one that other copies have too.
    if (existsSync(file)) {
      const bytes = readFileSync(file);
      rmSync(file);
      writeFileSync(file, bytes);
    }
    damage(file);
    const to = join(folder, 'never');
    expect(await commandLine(['catalog', 'restore', '--from', damaged, '--to', to])).toMatchObject({
      ...{ status: 1, stderr: expect.stringContaining('databases/catalog.db') },
    });
    expect(existsSync(to)).toBe(false);
    expect(await commandLine(['catalog', 'check', '--catalog', damaged])).toMatchObject({ status: 1 });
    const next = await commandLine(['catalog', 'backup', '--catalog', catalog, '--to', to, '--previous', damaged]);
    if (next.status === 0) {
      expect(next.stderr).toContain('databases/catalog.db');
      await backupCatalog(to, join(folder, 'healed'));
      expect(contentOf(join(folder, 'healed'))).toEqual(contentOf(catalog));
    } else expect([existsSync(to), next.stderr]).toEqual([false, expect.stringContaining('databases/catalog.db')]);
    for (const one of [damaged, to, join(folder, 'healed')]) rmSync(one, { recursive: true, force: true });
  });

  it('compares full packs byte by byte, and names one that differs', async () => {
    const [first, second] = [join(folder, 'pack-1'), join(folder, 'pack-2')];
    await backupCatalog(catalog, first);
    const file = join(first, 'packs', '000001.pack');
    flip(file, 5000);
    expect(await backupCatalog(catalog, second, { previous: first })).toMatchObject({
      ...{ shared_bytes: 0, damaged_earlier: ['packs/000001.pack'] },
    });
    expect(await commandLine(['catalog', 'check', '--catalog', second])).toMatchObject({ status: 0 });
  });

  it('on another disk is whole', async () => {
    const mounted = join(folder, 'mounted');
    mkdirSync(mounted);
    const disk = mountSmallDisk(mounted, 16);
    if (disk === null) return;
    try {
      const summary = await backupCatalog(catalog, join(mounted, 'copy'), { previous: day(3) });
      expect(summary).toMatchObject({ shared_bytes: 0, damaged_earlier: [] });
      expect(readdirSync(pagesOf(join(mounted, 'copy'))).sort()).toEqual(['0.whole', 'blocks.json']);
      expect(await commandLine(['catalog', 'check', '--catalog', join(mounted, 'copy')])).toMatchObject({ status: 0 });
    } finally {
      disk.remove();
    }
  });
});

/** Commits at random, as fast as it can: rows come, go and change; the log is copied back, begun again and cut. */
const WRITER = `
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(process.argv[1], { timeout: 20000 });
const pick = (n) => Math.floor(Math.random() * n);
for (let n = 0; ; n++) {
  db.exec('BEGIN IMMEDIATE');
  for (let i = pick(40); i >= 0; i--) {
    db.prepare('INSERT OR REPLACE INTO a VALUES (?, ?, ?)').run(pick(3000), n, 'x'.repeat(pick(3000)));
    db.prepare('DELETE FROM a WHERE id = ?').run(pick(3000));
  }
  db.exec('UPDATE sums SET n = (SELECT count(*) FROM a), bytes = (SELECT total(length(text)) FROM a)');
  db.exec(pick(10) ? 'COMMIT' : 'ROLLBACK');
  if (pick(15) === 0) db.exec(['PRAGMA wal_checkpoint', 'PRAGMA wal_checkpoint(RESTART)', 'PRAGMA wal_checkpoint(TRUNCATE)', 'VACUUM'][pick(4)]);
  if (n === 50) console.log('ready');
}`;

describe('pages of a database', () => {
  it('are those of one commit, while another process writes, copies its log back and begins it again', async () => {
    const file = join(folder, 'busy.db');
    const db = new DatabaseSync(file);
    db.exec(`PRAGMA journal_mode=WAL; PRAGMA page_size=1024; CREATE TABLE a (id INTEGER PRIMARY KEY, n, text);
      CREATE INDEX a_text ON a (text); CREATE TABLE sums (n, bytes); INSERT INTO sums VALUES (0, 0)`);
    db.close();
    const writer = spawn(process.execPath, ['-e', WRITER, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((settle) => writer.stdout.once('data', settle));
    const seen = new Set<string>();
    let previous: CopiedPages | null = null;
    let shared = 0;
    for (let n = 0; n < 60; n++) {
      const snapshot = new DatabaseSnapshot(file);
      const to = join(folder, `busy-${n}`);
      const { writtenBytes, damagedBlocks } = await writePages(snapshot, to, previous);
      if (writtenBytes < snapshot.bytes) shared++;
      const rows = rowsOf(snapshot.db);
      snapshot.close();
      previous?.close();
      previous = new CopiedPages(to);
      await previous.restore(`${to}.db`);
      const restored = new DatabaseSync(`${to}.db`);
      expect(restored.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      expect(rowsOf(restored)).toBe(rows);
      restored.close();
      expect(damagedBlocks).toBe(0);
      seen.add(rows);
      for (const one of [`${to}.db`, `${to}.db-wal`, `${to}.db-shm`, join(folder, `busy-${n - 1}`)])
        rmSync(one, { recursive: true, force: true });
    }
    writer.kill('SIGKILL');
    previous!.close();
    expect(seen.size).toBeGreaterThan(30);
    expect(shared).toBeGreaterThan(5);
  });
});
