/** `filinglake catalog backup`: a copy of one moment, made while the catalog is written. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyRegister, loadPlans } from '../../../src/accounts/index.ts';
import { backupCatalog, Catalog, checkCatalog, ingest } from '../../../src/catalog/index.ts';
import { contentOf, temporaryFolder, txtOf, writeFiles } from '../../support/catalog/synthetic-filings.ts';
import { commandLine } from '../../support/command-line.ts';

const folder = temporaryFolder();
const catalog = join(folder, 'catalog');
let apiKey: string;

function submissions(from: number, to: number): string {
  const into = join(folder, `files-${from}`);
  mkdirSync(into);
  const files: Record<string, Buffer> = {};
  for (let i = from; i < to; i++) {
    const accession = `0000000001-24-${String(i).padStart(6, '0')}`;
    files[`${accession}.txt`] = txtOf({
      ...{
        accession,
        form: '8-K',
        date: '2024-03-01',
        parties: [{ cik: '1', name: 'Acme', state: 'DE', sic: '3571' }],
      },
      documents: [{ type: '8-K', content: `Report ${i}. ${'Words. '.repeat(200)}` }],
    });
  }
  writeFiles(into, files);
  return into;
}

beforeAll(async () => {
  await ingest([submissions(0, 40)], catalog);
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
    await ingest([join(folder, 'files-40')], last);
    const [restored, original] = [Catalog.open(last), Catalog.open(catalog)];
    expect(restored.totals()).toEqual(original.totals());
    restored.close();
    original.close();
    expect(checkCatalog(last)).toMatchObject({ ok: true, filings: 140 });
  });

  it('leaves nothing behind if it fails', async () => {
    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'mine.txt'), 'mine');
    await expect(backupCatalog(catalog, full)).rejects.toMatchObject({ code: 'backup-exists' });
    await expect(backupCatalog(join(folder, 'none'), join(folder, 'third'))).rejects.toMatchObject({
      code: 'catalog-missing',
    });
    const damaged = join(folder, 'damaged');
    await backupCatalog(catalog, damaged);
    rmSync(join(damaged, 'packs'), { recursive: true });
    await expect(backupCatalog(damaged, join(folder, 'third'))).rejects.toMatchObject({ code: 'pack-damaged' });
    expect(existsSync(join(folder, 'third'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });
});
