import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { backupCatalog, checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import { contentOf, temporaryFolder, txtOf, writeFiles } from '../../../support/catalog/synthetic-filings.ts';

const program = join(import.meta.dirname, 'backup-process.ts');

describe('a backup that shares with an earlier copy', () => {
  it('leaves no half copy and the earlier one whole, at whichever call SIGKILL ends it', async () => {
    const folder = temporaryFolder();
    const [catalog, first, second] = ['catalog', 'first', 'second'].map((name) => join(folder, name)) as [
      ...[string, string, string],
    ];
    const submission = (n: number) =>
      txtOf({
        accession: `0000000001-24-${String(n).padStart(6, '0')}`,
        form: '8-K',
        date: '2024-03-01',
        parties: [{ cik: '1', name: 'Acme' }],
        documents: [{ content: `Words of ${n}. `.repeat(50) }],
      });
    const files = (name: string, from: number, to: number) => {
      mkdirSync(join(folder, name));
      const range = Array.from({ length: to - from }, (_, i) => from + i);
      writeFiles(join(folder, name), Object.fromEntries(range.map((n) => [`${n}.txt`, submission(n)])));
      return join(folder, name);
    };
    await ingest([files('old', 0, 300)], catalog, { threads: 0 });
    for (let pack = 2; pack < 8; pack++) {
      writeFileSync(join(catalog, 'packs', `00000${pack}.pack`), '');
      const db = new DatabaseSync(join(catalog, 'catalog.db'));
      db.prepare('INSERT INTO packs (pack, bytes) VALUES (?, 0)').run(pack);
      db.close();
      await ingest([files(`middle-${pack}`, 300 + pack, 301 + pack)], catalog, { threads: 0 });
    }
    await backupCatalog(catalog, join(folder, 'plain'));
    await backupCatalog(catalog, first, { previous: join(folder, 'plain') });
    const restored = join(folder, 'restored');
    const restoredContent = async (copy: string) => {
      rmSync(restored, { recursive: true, force: true });
      await backupCatalog(copy, restored);
      return contentOf(restored);
    };
    const before = await restoredContent(first);
    await ingest([files('new', 308, 313)], catalog, { threads: 0 });

    let killed = 0;
    for (let nth = 1; ; nth++) {
      const ended = spawnSync(process.execPath, [program, catalog, second, first, String(nth)], { encoding: 'utf8' });
      if (ended.signal !== 'SIGKILL') {
        expect([ended.status, ended.stderr]).toEqual([0, '']);
        break;
      }
      killed++;
      // The last call syncs the name of the copy, which is whole then.
      if (existsSync(second)) expect(checkCatalog(second)).toMatchObject({ ok: true, filings: 311 });
      rmSync(second, { recursive: true, force: true });
      if (nth % 5 === 0) expect(checkCatalog(first)).toMatchObject({ ok: true, filings: 306 });
    }
    expect(killed).toBeGreaterThan(20);
    expect(await restoredContent(first)).toEqual(before);
    expect(await restoredContent(second)).toEqual(contentOf(catalog));
    // What a killed backup left has a name that says so.
    const left = readdirSync(folder).filter((name) => name.startsWith('second.partial-'));
    expect(left.length).toBeGreaterThan(0);
  });
});
