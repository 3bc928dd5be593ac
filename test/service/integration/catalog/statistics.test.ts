/** A reader that is open while a catalog grows, as a service's, plans its statements as one that opens it afterwards. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import type { Cik } from '../../../../src/filings/api/index.ts';
import { Catalog, ingest } from '../../../../src/service/catalog/index.ts';
import { openToWrite } from '../../../../src/service/catalog/store/schema.ts';
import { temporaryFolder, txtOf, writeFiles } from '../../../support/catalog/synthetic-filings.ts';

/** Some look-ups. @returns the statements that SQLite had not seen from this catalog, and its connection */
function lookUp(catalog: Catalog): { db: DatabaseSync; asked: string[] } {
  const asked: string[] = [];
  let db: DatabaseSync | null = null;
  const { prepare } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    sql,
    ...more
  ) {
    // Counts are kept in a database of their own, in `ranges`.
    if (/^\s*SELECT\b.*\b(filings|entities)\b/s.test(sql) && !sql.includes('ranges')) {
      db = this;
      asked.push(sql);
    }
    return prepare.call(this, sql, ...more);
  });
  catalog.filingLookup({ entity_query: { states: ['DE'] }, form_types: ['10-K'], to: 10 });
  catalog.filingLookup({ entity_query: { ciks: ['7' as Cik], name_excludes: ['trust'] }, sort_by: 'size', to: 10 });
  catalog.entityLookup({ states: ['DE'], to: 10 });
  spy.mockRestore();
  return { db: db!, asked };
}

it('a catalog of two filings has twenty thousand', async () => {
  const folder = temporaryFolder();
  const catalog = join(folder, 'catalog');
  const store = async (name: string, cik: number) => {
    mkdirSync(join(folder, name));
    const accession = `${String(cik).padStart(10, '0')}-24-000001`;
    const parties = [{ cik: String(cik), name: `Company ${cik}`, state: 'DE', sic: '3571', role: 'FILER' as const }];
    const documents = [{ type: '10-K', content: 'Text.' }];
    const bytes = txtOf({ accession, form: '10-K', date: '2024-03-01', documents, parties });
    writeFiles(join(folder, name), { [`${accession}.txt`]: bytes });
    await ingest([join(folder, name)], catalog, { threads: 0 });
  };
  await store('first', 1);
  const open = Catalog.open(catalog);
  const { db: reader } = lookUp(open);

  const db = openToWrite(catalog);
  db.exec(`WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 20000)
      INSERT INTO filings (id, accession, form_type, form_key, amendment, filing_date, size, dialect, corrected, has_series, sha256)
        SELECT k, k, '10-K', '10-K', 0, '2024-01-01', 1, 'txt', 0, 0, zeroblob(32) FROM n;
      INSERT INTO entities (cik, name_key, state, facts, record) SELECT id, 'E', 'DE', '{}', '{}' FROM filings WHERE id BETWEEN 2 AND 9000;
      INSERT INTO filing_records SELECT id, '{}' FROM filings WHERE id <= 20000;
      INSERT INTO filing_parties SELECT id, 0, 'FILER', id % 9000, NULL FROM filings WHERE id <= 20000`);
  db.close();
  await store('second', 10_000);

  const afterwards = Catalog.open(catalog);
  const { db: fresh, asked } = lookUp(afterwards);
  lookUp(open);
  const plansBy = (one: DatabaseSync) =>
    asked.map((sql) =>
      one
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    );
  expect(plansBy(fresh).flat().length).toBeGreaterThan(10);
  expect(plansBy(reader)).toEqual(plansBy(fresh));
  afterwards.close();
  open.close();
});
