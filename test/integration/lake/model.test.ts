import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake-report/index.ts';
import {
  accession,
  bring,
  FEW_TABLES,
  filingRows,
  type Rows,
  together,
  wholeFiling,
} from '../../support/lake/small-lake.ts';
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
  brought: { n: number; revision: string; documents: number }[];
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
const UNIT_TABLES: readonly Table[] = ['filings', 'documents', 'coverage'];

/** The lake's rules, in the simplest form: a map for each table from key to revision, and who wrote which key at which version. */
class Model {
  readonly tables: Record<Table, Map<string, { n: number; revision: string }>> = {
    filings: new Map(),
    documents: new Map(),
    coverage: new Map(),
  };
  readonly #history: { run: string; table: Table; key: string; n: number; revision: string }[][] = [];

  get version(): number {
    return this.#history.length - 1;
  }

  commit({ run, behind, brought, replacing }: Step): void {
    const base = Math.max(-1, this.version - behind);
    const since = this.#history.slice(base + 1).flat();
    const taken = (n: number, revision: string) =>
      since.some((row) => row.run !== run && row.table === 'coverage' && row.n === n && row.revision !== revision);
    const changes: (typeof since)[number][] = [];
    const coming = brought.filter(({ n, revision }) => !taken(n, revision));
    const broughtByOthers = (table: Table, n: number) =>
      since.some((row) => row.run !== run && row.table === table && row.n === n);
    if (replacing) {
      for (const table of UNIT_TABLES) {
        for (const [key, row] of this.tables[table]) {
          if (coming.some(({ n }) => n === row.n) && !broughtByOthers(table, row.n)) this.tables[table].delete(key);
        }
      }
    }
    for (const { n, revision, documents } of coming) {
      for (const [table, rows] of Object.entries(filingRows(n, revision, documents)) as [Table, Rows[string]][]) {
        for (const row of rows) {
          const key = String(row.document_id ?? row.accession_number);
          const keyTaken = since.some((other) => other.table === table && other.key === key);
          if (broughtByOthers(table, n) || (!replacing && keyTaken)) continue;
          this.tables[table].set(key, { n, revision });
          changes.push({ run, table, key, n, revision });
        }
      }
    }
    this.#history.push(changes);
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
    return brought.every(({ n }) => !this.tables.filings.has(accession(n)) || since.some((row) => row.n === n));
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
                // The runs are active: parts since their start must stay for batches planned before.
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
              await bring(lake, { run: one.run, batch: `b${i}`, base }, rows, replace);
              model.commit(one);
            }
            for (const [table, key, revision] of [
              ['filings', 'accession_number', 'entity_name'],
              ['documents', 'document_id', 'description'],
              ['coverage', 'accession_number', 'revision'],
            ] as const) {
              const got = await lake.query(`SELECT ${key} AS key, ${revision} AS revision FROM ${table} ORDER BY 1`);
              const expected = [...model.tables[table]].map(([k, row]) => ({ key: k, revision: row.revision }));
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
