import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { accession, bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { runs } from '../../support/property-runs.ts';
import { IN_SLOW_TIER } from '../../support/tier-cases.ts';

const FILINGS = 12;

/** Upkeep between commits: it makes a version or removes files, and changes no row. */
type Upkeep = 'compact' | 'vacuum';

interface Step {
  run: string;
  /** How many versions behind the newest the batch was planned. */
  behind: number;
  brought: Brought[];
  /** Whether the batch replaces existing rows. */
  replacing: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  run: fc.constantFrom('a', 'b'),
  behind: fc.integer({ min: 0, max: 2 }),
  brought: fc.uniqueArray(
    fc.record({
      n: fc.integer({ min: 0, max: FILINGS - 1 }),
      revision: fc.constantFrom('r1', 'r2'),
      documents: fc.integer({ min: 0, max: 3 }),
    }),
    { selector: ({ n }) => n, maxLength: 5 },
  ),
  replacing: fc.boolean(),
});

const upkeep: fc.Arbitrary<Upkeep> = fc.constantFrom('compact', 'vacuum');
/** Later than any file of the test is young. */
const LATER_MS = 30 * 24 * 3600 * 1000;

type Table = 'filings' | 'documents' | 'coverage';
interface Brought {
  n: number;
  revision: string;
  documents: number;
}

/** The lake's rules, in the simplest form: a map for each table from key to revision, and who wrote which key at which version. */
class Model {
  readonly tables: Record<Table, Map<string, { n: number; revision: string }>> = {
    filings: new Map(),
    documents: new Map(),
    coverage: new Map(),
  };
  /** Without a key: a row that was deleted, which may be written again. */
  readonly #history: { run: string; table: Table; key: string | null; n: number }[][] = [];

  get version(): number {
    return this.#history.length - 1;
  }

  /** @returns false if it is refused: another run has changed a row since */
  commit({ run, behind, brought, replacing }: Step): boolean {
    const base = Math.max(-1, this.version - behind);
    const since = this.#history.slice(base + 1).flat();
    if (since.some((row) => row.run !== run)) return false;
    const changes: (typeof since)[number][] = [];
    if (replacing) {
      for (const [table, rows] of Object.entries(this.tables) as [Table, Map<string, { n: number }>][]) {
        for (const [key, row] of rows) {
          if (!brought.some(({ n }) => n === row.n)) continue;
          rows.delete(key);
          changes.push({ run, table, key: null, n: row.n });
        }
      }
    }
    for (const one of brought) {
      for (const [table, rows] of Object.entries(filingRows(one.n, one.revision, one.documents)) as [Table, Row[]][]) {
        for (const row of rows) {
          const key = String(row.document_id ?? row.accession_number);
          if (!replacing && since.some((other) => other.table === table && other.key === key)) continue;
          this.tables[table].set(key, one);
          changes.push({ run, table, key, n: one.n });
        }
      }
    }
    this.#history.push(changes);
    return true;
  }

  /** A version that changed no row. */
  compact(): void {
    this.#history.push([]);
  }

  /** Like an export: existing rows at the time of the plan are only written again as a replacement. */
  allows({ behind, brought, replacing }: Step): boolean {
    if (replacing) return true;
    const base = Math.max(-1, this.version - behind);
    const since = this.#history.slice(base + 1).flat();
    return brought.every(
      ({ n }) =>
        !this.tables.filings.has(accession(n)) ||
        since.some((row) => row.table === 'filings' && row.key !== null && row.n === n),
    );
  }
}

describe('any sequence of commits, compactions and vacuums', () => {
  it('gives what a map of rows gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: step }, upkeep), { minLength: 1, maxLength: 9 }),
        async (steps) => {
          const lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
          const model = new Model();
          try {
            for (const [i, one] of steps.entries()) {
              if (one === 'vacuum') {
                await lake.vacuum({ keepMs: 0, nowMs: Date.now() + LATER_MS });
                continue;
              }
              if (one === 'compact') {
                if ((await lake.compact()).commits > 0) model.compact();
                expect(await lake.currentVersion()).toBe(model.version);
                continue;
              }
              if (!model.allows(one)) continue;
              const base = Math.max(-1, model.version - one.behind);
              const rows = together(
                ...one.brought.map(({ n, revision, documents }) => filingRows(n, revision, documents)),
              );
              const replace = one.replacing ? wholeFiling(...one.brought.map(({ n }) => n)) : [];
              const brings = bring(lake, { run: one.run, batch: `b${i}`, base }, rows, replace);
              if (model.commit(one)) await brings;
              else await expect(brings).rejects.toMatchObject({ code: 'plan-outdated' });
            }
            for (const [table, key, revision] of [
              ['filings', 'accession_number', 'entity_name'],
              ['documents', 'document_id', 'description'],
              ['coverage', 'accession_number', 'revision'],
            ] as const) {
              const got = await lake.query(`SELECT ${key} AS key, ${revision} AS revision FROM ${table} ORDER BY 1`);
              const expected = [...model.tables[table]].map(([k, row]) => ({
                key: k,
                revision: row.revision,
              }));
              expect(got).toEqual(expected.sort((a, b) => (a.key < b.key ? -1 : 1)));
            }
            expect((await checkLake(lake)).problems).toEqual([]);
          } finally {
            await lake.close();
          }
        },
      ),
      { numRuns: runs(IN_SLOW_TIER ? 12 : 4) },
    );
  });
});
