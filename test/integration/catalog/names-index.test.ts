/** Parts of names are found by an index, which is in step with the entities, whatever writes them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { entityConditions } from '../../../src/catalog/filters.ts';
import { Catalog, ingest } from '../../../src/catalog/index.ts';
import { Statements } from '../../../src/catalog/statements.ts';
import { temporaryFolder, txtOf, writeFiles } from '../../support/catalog/synthetic-filings.ts';

const folder = temporaryFolder();
const catalogFolder = join(folder, 'catalog');
const NAMES = ['Acme "Steel" Co', 'ACME TOOLS', 'Ångström Ltd', '日本製鉄株式会社', 'AB', 'x*y OR z', 'Zürich NEAR Re'];

function filing(cik: number, name: string, year = 24) {
  return {
    ...{ accession: `${String(cik).padStart(10, '0')}-${year}-000001`, form: '10-K', date: `20${year}-03-01` },
    documents: [{ type: '10-K', content: 'Text.' }],
    parties: [{ cik: String(cik), name, state: 'DE', sic: '3571', role: 'FILER' as const }],
  };
}

async function store(part: string, filings: ReturnType<typeof filing>[]): Promise<void> {
  const files = Object.fromEntries(filings.map((one) => [`${part}-${one.accession}.txt`, txtOf(one)]));
  mkdirSync(join(folder, part));
  writeFiles(join(folder, part), files);
  await ingest([join(folder, part)], catalogFolder);
}

function found(...name_includes: string[]): string[] {
  const catalog = Catalog.open(catalogFolder);
  try {
    const { records } = catalog.entityLookup({ name_includes });
    return records.map((record) => (JSON.parse(record) as { name: string }).name);
  } finally {
    catalog.close();
  }
}

function inDatabase<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(catalogFolder, 'catalog.db'));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

beforeAll(() =>
  store(
    'first',
    NAMES.map((name, i) => filing(i + 1, name)),
  ),
);

describe('a part of a name', () => {
  it.each<[string[], string[]]>([
    [['acme'], ['Acme "Steel" Co', 'ACME TOOLS']],
    [['"Steel"'], ['Acme "Steel" Co']],
    [['acme', 'ools'], ['ACME TOOLS']],
    [['ÅNG'], ['Ångström Ltd']],
    [['ström ltd'], ['Ångström Ltd']],
    [['製鉄株'], ['日本製鉄株式会社']],
    [['製鉄'], ['日本製鉄株式会社']],
    [['a'], ['Acme "Steel" Co', 'ACME TOOLS', 'AB', 'Zürich NEAR Re']],
    [['x*y OR'], ['x*y OR z']],
    [['NEAR'], ['Zürich NEAR Re']],
    [['acme OR zürich'], []],
    [['ACM*'], []],
  ])('%j finds %j', (parts, names) => {
    expect(found(...parts).toSorted()).toEqual(names.toSorted());
  });

  it('is found through the index, not by a look at every name', () => {
    const plan = inDatabase((db) => {
      db.function('still_wanted', () => 1);
      // SQLite rightly scans a table of seven rows.
      db.exec(`WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
        INSERT INTO entities (cik, name_key, facts, record) SELECT i, 'COMPANY ' || i, '{}', '{}' FROM n`);
      db.exec('ANALYZE');
      const where = entityConditions({ name_includes: ['acme'] }, new Statements(db));
      return db
        .prepare(
          `EXPLAIN QUERY PLAN SELECT e.record FROM entities e WHERE ${where.interruptibleSql('e.cik')} ORDER BY e.cik LIMIT 100`,
        )
        .all(...where.values)
        .map((row) => String(row.detail));
    });
    inDatabase((db) => db.exec('DELETE FROM entities WHERE cik >= 1000'));
    expect(plan.join('\n')).toMatch(/SEARCH e USING INTEGER PRIMARY KEY/);
  });
});

describe('the index of names', () => {
  it('follows a name that changes, an entity that goes, and writers that do not know it', async () => {
    await store('second', [filing(1, 'Renamed Industries', 25)]);
    expect([found('acme'), found('renamed')]).toEqual([['ACME TOOLS'], ['Renamed Industries']]);
    inDatabase((db) => {
      db.exec("UPDATE entities SET name_key = 'ANOTHER NAME' WHERE cik = 2");
      db.exec('DELETE FROM entities WHERE cik = 1');
    });
    expect([found('renamed'), found('acme'), found('another')]).toEqual([[], [], ['ACME TOOLS']]);
  });

  it('is made in a catalog that lacks it; until then every name is looked at', async () => {
    inDatabase((db) => {
      for (const event of ['insert', 'update', 'delete']) db.exec(`DROP TRIGGER entity_names_${event}`);
      db.exec('DROP TABLE entity_names');
    });
    expect(found('ström')).toEqual(['Ångström Ltd']);
    await store('third', [filing(9, 'Newcomer Inc')]);
    expect([found('ström'), found('newcomer')]).toEqual([['Ångström Ltd'], ['Newcomer Inc']]);
    const counts = inDatabase((db) =>
      db
        .prepare(
          'SELECT (SELECT count(*) FROM entities WHERE name_key IS NOT NULL) AS a, (SELECT count(*) FROM entity_names) AS b',
        )
        .get(),
    ) as { a: number; b: number };
    expect(counts.a).toBe(counts.b);
  });
});
