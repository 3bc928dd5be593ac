import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder, txtOf, writeFiles } from '../../../support/catalog/synthetic-filings.ts';

async function catalogOfThree(): Promise<string> {
  const files = temporaryFolder();
  const folder = join(temporaryFolder(), 'catalog');
  for (const n of [1, 2, 3]) {
    const bytes = txtOf({
      accession: `0000000007-24-00000${n}`,
      form: '8-K',
      date: '2024-05-06',
      parties: [{ cik: String(n), name: `Number ${n}` }],
      documents: [
        { content: `<html><body><p>Hello ${n}</p></body></html>`, filename: 'a.htm' },
        { content: `Plain ${n}` },
      ],
    });
    writeFiles(files, { [`${n}.txt`]: bytes });
  }
  await ingest([files], folder, { threads: 0 });
  return folder;
}

const change = (folder: string, sql: string) => {
  const db = new DatabaseSync(join(folder, 'catalog.db'));
  db.exec(sql);
  db.close();
};
const codes = (folder: string) => [...new Set(checkCatalog(folder).problems.map((problem) => problem.code))].sort();

describe('catalog check', () => {
  it('finds nothing wrong with a sound catalog', async () => {
    const folder = await catalogOfThree();
    expect(checkCatalog(folder)).toMatchObject({
      ok: true,
      filings: 3,
      documents: 6,
      entities: 3,
      problems: [],
      unused_pack_bytes: 0,
    });
  });

  it('finds a changed byte anywhere in a pack', async () => {
    const folder = await catalogOfThree();
    const pack = join(folder, 'packs/000001.pack');
    const whole = readFileSync(pack);
    for (let at = 0; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x41;
      writeFileSync(pack, changed);
      const report = checkCatalog(folder);
      expect(report.ok, `byte ${at}`).toBe(false);
      expect(report.problems[0]!.code).toMatch(/^(document|text)-damaged$/);
    }
    writeFileSync(pack, whole);
    expect(checkCatalog(folder).ok).toBe(true);
  });

  it('finds a pack that is short, or gone', async () => {
    const folder = await catalogOfThree();
    const pack = join(folder, 'packs/000001.pack');
    renameSync(pack, `${folder}/kept`);
    expect(codes(folder)).toEqual(['document-damaged', 'pack-missing', 'text-damaged']);
    renameSync(`${folder}/kept`, pack);
    truncateSync(pack, readFileSync(pack).length - 1);
    expect(codes(folder)).toContain('pack-short');
  });

  it('finds rows without a filing, and filings without rows', async () => {
    const folder = await catalogOfThree();
    change(folder, "DELETE FROM filings WHERE accession LIKE '%1'");
    expect(codes(folder)).toContain('orphan');
    const other = await catalogOfThree();
    change(other, 'DELETE FROM documents WHERE sequence = 2; DELETE FROM entities WHERE cik = 2');
    expect(codes(other)).toEqual(['orphan', 'record-damaged', 'search-index-out-of-step']);
    const third = await catalogOfThree();
    change(third, "UPDATE filing_records SET record = '{}'");
    expect(codes(third)).toEqual(['record-damaged']);
  });

  it('finds a text index that is out of step, either way', async () => {
    const missing = await catalogOfThree();
    change(missing, 'DELETE FROM document_texts WHERE rowid = (SELECT min(id) FROM documents)');
    expect(codes(missing)).toEqual(['search-index-out-of-step']);
    const spare = await catalogOfThree();
    change(spare, "INSERT INTO document_texts (rowid, text) VALUES (5, 'nobody')");
    expect(codes(spare)).toEqual(['search-index-out-of-step']);
  });

  it('reports a missing catalog, or a folder that is not a catalog', async () => {
    expect(() => checkCatalog(temporaryFolder())).toThrow('there is no catalog');
    const folder = await catalogOfThree();
    rmSync(join(folder, 'catalog.db'));
    writeFileSync(join(folder, 'catalog.db'), 'no database at all, '.repeat(100));
    expect(() => checkCatalog(folder)).toThrow("can't be read");
    const newer = await catalogOfThree();
    change(newer, "UPDATE meta SET value = '999' WHERE key = 'schema_version'");
    expect(() => checkCatalog(newer)).toThrow('has version 999');
  });
});
