/** Parts of names are found by an index, which is in step with the entities, whatever writes them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { EntityFilter } from '../../../../src/filings/api/index.ts';
import { Catalog, ingest } from '../../../../src/service/catalog/index.ts';
import { entityConditions } from '../../../../src/service/catalog/rows/filters.ts';
import { Statements } from '../../../../src/service/catalog/rows/statements.ts';
import { temporaryFolder, txtOf, withoutTriggers, writeFiles } from '../../../support/catalog/synthetic-filings.ts';

const folder = temporaryFolder();
const catalogFolder = join(folder, 'catalog');
const NAMES = ['Acme "Steel" Co', 'ACME TOOLS', 'Ångström Ltd', '日本製鉄株式会社', 'AB', 'x*y OR z', 'Zürich NEAR Re'];

function filing(cik: number, name: string, year = 24) {
  return {
    accession: `${String(cik).padStart(10, '0')}-${year}-000001`,
    form: '10-K',
    date: `20${year}-03-01`,
    documents: [{ type: '10-K', content: 'Text.' }],
    parties: [{ cik: String(cik), name, state: 'DE', sic: '3571', role: 'FILER' as const }],
  };
}

async function store(part: string, filings: ReturnType<typeof filing>[]): Promise<void> {
  const files = Object.fromEntries(filings.map((one) => [`${part}-${one.accession}.txt`, txtOf(one)]));
  mkdirSync(join(folder, part));
  writeFiles(join(folder, part), files);
  await ingest([join(folder, part)], catalogFolder, { threads: 0 });
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
      const statements = new Statements(db);
      const list = vi.spyOn(statements, 'list');
      entityConditions({ name_includes: ['acme'] }, statements);
      const [sql, values] = list.mock.calls[0]!;
      return db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
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
});

describe('a filter that more than a thousand entities match', () => {
  const ENTITIES = 3_000;
  const FILINGS = 6_000;
  const STATES = ['DE', 'NY', 'CA'];
  const broad = join(folder, 'broad');
  /** Filing number → its parties, of which the second may be missing */
  const parties = Array.from({ length: FILINGS }, (_, k) =>
    [(k * 7919) % ENTITIES, (k * 104_729) % ENTITIES].slice(0, 1 + (k % 2)),
  );
  const stateOf = (cik: number) => STATES[cik % 3]!;
  const nameOf = (cik: number) => `COMPANY ${cik} ${cik % 5 === 0 ? 'TRUST' : 'INC'}`;

  beforeAll(async () => {
    mkdirSync(join(folder, 'one'));
    writeFiles(join(folder, 'one'), { 'one.txt': txtOf(filing(999_999, 'Template Inc')) });
    await ingest([join(folder, 'one')], broad, { threads: 0 });
    const db = new DatabaseSync(join(broad, 'catalog.db'));
    db.exec(
      'BEGIN; DELETE FROM entities; DELETE FROM filing_parties; DELETE FROM filing_records; DELETE FROM filings;',
    );
    const entity = db.prepare(
      "INSERT INTO entities (cik, name_key, state, facts, record) VALUES (?, ?, ?, '{}', '{}')",
    );
    for (let cik = 0; cik < ENTITIES; cik++) entity.run(cik, nameOf(cik), stateOf(cik));
    const row = db.prepare(
      `INSERT INTO filings (id, accession, form_type, form_key, amendment, filing_date, size, dialect, corrected, has_series, sha256)
       VALUES (?, ?, '10-K', '10-K', 0, '2024-01-01', 1, 'txt', 0, 0, zeroblob(32))`,
    );
    const record = db.prepare('INSERT INTO filing_records VALUES (?, ?)');
    const party = db.prepare("INSERT INTO filing_parties VALUES (?, ?, 'FILER', ?, NULL)");
    for (let k = 0; k < FILINGS; k++) {
      row.run(k, String(k).padStart(20, '0'));
      record.run(k, String(k));
      for (const [position, cik] of parties[k]!.entries()) party.run(k, position, cik);
    }
    // As after an ingest: by the statistics of one filing, SQLite takes seconds for a page.
    db.exec('COMMIT; ANALYZE');
    db.close();
  });

  it.each<[EntityFilter, (cik: number) => boolean]>([
    [{ states: ['DE'] }, (cik) => stateOf(cik) === 'DE'],
    [{ states: ['DE', 'NY'], name_excludes: ['trust'] }, (cik) => stateOf(cik) !== 'CA' && cik % 5 !== 0],
    [
      { name_excludes: Array.from({ length: 30 }, (_, k) => `COMPANY ${k}1`) },
      (cik) => !Array.from({ length: 30 }, (_, k) => `${k}1`).some((head) => String(cik).startsWith(head)),
    ],
    [{ name_excludes: ['trust'] }, (cik) => cik % 5 !== 0],
  ])('%j gives the filings of each party that matches, once', (entity_query, matches) => {
    const expected = parties.flatMap((ciks, k) => (ciks.some(matches) ? [k] : []));
    expect(expected.length).toBeGreaterThan(1_000);
    const catalog = Catalog.open(broad);
    try {
      const page = catalog.filingLookup({ entity_query, to: 10_000 });
      const found = JSON.parse(`[${Buffer.concat(page.pieces).toString()}]`) as number[];
      expect([page.count, found]).toEqual([expected.length, expected]);
    } finally {
      catalog.close();
    }
  });

  it('by names is compared once, and again after a commit of another connection', () => {
    const catalog = Catalog.open(broad);
    const db = new DatabaseSync(join(broad, 'catalog.db'));
    const counts = () => [1, 2, 3, 4, 5, 6].map((k) => catalog.entityLookup({ name_excludes: [`NY ${k}`] }).count);
    try {
      const before = counts();
      // Some of them were forgotten for others, and are made again.
      expect(counts()).toEqual(before);
      db.exec(
        "INSERT INTO entities (cik, name_key, facts, record) VALUES (900000, 'NY 1', '{}', '{}'), (900001, 'NY 2', '{}', '{}')",
      );
      expect(counts()).toEqual(before.map((count, k) => count + (k < 2 ? 1 : 2)));
      db.exec('DELETE FROM entities WHERE cik >= 900000');
      expect(counts()).toEqual(before);
    } finally {
      db.close();
      catalog.close();
    }
  });

  it('is refused before it runs if it has so many parts of names that it could not end', () => {
    const catalog = Catalog.open(broad);
    const parts = (count: number) => ({ name_excludes: Array.from({ length: count }, (_, k) => `x${k}`) });
    // 50 million comparisons over 3,000 entities are 16,666 parts: more than an array may have. Made smaller by entities:
    const db = new DatabaseSync(join(broad, 'catalog.db'));
    withoutTriggers(db, () =>
      db.exec(
        `WITH RECURSIVE n(k) AS (SELECT 1000001 UNION ALL SELECT k + 1 FROM n WHERE k < 1057000)
         INSERT INTO entities (cik, name_key, facts, record) SELECT k, 'E', '{}', '{}' FROM n`,
      ),
    );
    db.close();
    const refused = expect.objectContaining({
      code: 'search-too-wide',
      message: expect.stringContaining('833 are the most'),
    });
    try {
      expect(() => catalog.entityLookup(parts(834))).toThrow(refused);
      expect(() => catalog.filingLookup({ entity_query: parts(834) })).toThrow(refused);
      expect(() => catalog.entityLookup({ ...parts(834), states: ['NY'] })).not.toThrow();
      expect(catalog.entityLookup({ ...parts(8), to: 1 }).count).toBe(60_000);
    } finally {
      catalog.close();
    }
  });
});
