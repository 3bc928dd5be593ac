/** Counts on disk: for the next reader, and never for another catalog or in place of a count. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeSample } from '../../../../src/cli/sample/index.ts';
import { KeptCounts } from '../../../../src/service/catalog/counts/index.ts';
import { ingest } from '../../../../src/service/catalog/index.ts';
import { PackReader } from '../../../../src/service/catalog/packs/packs.ts';
import { embeddedEngine } from '../../../../src/service/catalog/queries/fulltext-engine.ts';
import { queriesOf } from '../../../../src/service/catalog/queries/index.ts';
import { Statements } from '../../../../src/service/catalog/rows/statements.ts';
import { identityOf, openToRead, openToWrite } from '../../../../src/service/catalog/store/schema.ts';
import { temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';

let folder: string;
beforeEach(async () => {
  folder = join(temporaryFolder(), 'catalog');
  const files = `${folder}-files`;
  await writeSample({ out: files, filings: 60, seed: 5 });
  await ingest([files], folder, { threads: 0 });
});

interface Counted {
  count: number;
  /** Ranges that were counted, not found on disk */
  ranges: number;
}

/** The filings without amendments, by a reader of its own. @param endAfter ranges, then the deadline is over */
function counted(of = folder, endAfter = Number.POSITIVE_INFINITY): Counted {
  const db = openToRead(of);
  let ranges = 0;
  const wanted = () => {
    if (ranges >= endAfter) throw new Error('the deadline');
  };
  const kept = new KeptCounts(of, identityOf(db)!, 0);
  const statements = new Statements(db, wanted, kept);
  const prepareArrays = statements.prepareArrays.bind(statements);
  statements.prepareArrays = (sql) => {
    if (sql.startsWith('SELECT count(*)')) ranges++;
    return prepareArrays(sql);
  };
  try {
    const packs = new PackReader(of);
    const fulltext = embeddedEngine(statements);
    const { count } = queriesOf({ folder: of, statements, packs, fulltext }).filingLookup({
      exclude_amendments: true,
      to: 0,
    });
    return { count, ranges };
  } finally {
    kept.close();
    db.close();
  }
}

const counts = () => join(folder, 'counts.db');

describe('counts on disk', () => {
  it('serve the next reader', () => {
    const first = counted();
    expect(first.ranges).toBeGreaterThan(1);
    expect(counted()).toEqual({ count: first.count, ranges: 0 });
  });

  it('keep what was counted before a deadline', () => {
    expect(() => counted(folder, 1)).toThrow('the deadline');
    const next = counted();
    rmSync(counts());
    const fresh = counted();
    expect(next.count).toBe(fresh.count);
    expect(next.ranges).toBeLessThan(fresh.ranges);
  });

  it('are those of the catalog and its copies alone', async () => {
    const { count } = counted();
    const other = `${folder}-other`;
    await writeSample({ out: `${other}-files`, filings: 45, seed: 5 });
    await ingest([`${other}-files`], other, { threads: 0 });
    // As after a catalog of the same days was put in place of this one.
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true });
    for (const catalog of [folder, other]) {
      const db = new DatabaseSync(join(catalog, 'catalog.db'));
      db.exec('DELETE FROM part_revisions');
      db.close();
    }
    counted();
    cpSync(join(other, 'catalog.db'), join(folder, 'catalog.db'));
    const replaced = counted();
    expect(replaced.count).not.toBe(count);
    expect(replaced).toEqual(counted(other));
    expect(counted(copy)).toEqual({ count, ranges: 0 });
  });

  it('are given up if their file is damaged, and made again', () => {
    const { count } = counted();
    for (const bytes of [Buffer.from('no database, but long enough for a header of a database'.repeat(99)), null]) {
      const damaged = bytes ?? readFileSync(counts()).fill(0xaa, 100);
      rmSync(`${counts()}-wal`, { force: true });
      writeFileSync(counts(), damaged);
      expect(counted().count).toBe(count);
      expect(counted().count).toBe(count);
      expect(counted()).toEqual({ count, ranges: 0 });
    }
  });

  it('are counted again while another process has locked them', () => {
    const { count } = counted();
    rmSync(counts());
    counted();
    const other = new DatabaseSync(counts());
    other.exec('BEGIN EXCLUSIVE; DELETE FROM ranges');
    expect(counted().count).toBe(count);
    other.close();
  });

  it('can be missing: a reader that can’t write counts for itself', () => {
    const { count } = counted();
    rmSync(counts());
    // A folder in its place: root can't open it either.
    mkdirSync(counts());
    expect(counted().count).toBe(count);
  });

  it('belong to a catalog by its identity, which the first write gives it', () => {
    const db = openToWrite(folder);
    const identity = identityOf(db);
    db.close();
    expect(identity).toMatch(/^[0-9a-f]{32}$/);
    const again = openToWrite(folder);
    expect(identityOf(again)).toBe(identity);
    again.close();
  });
});
