import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
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
const CLAIMED_TABLES = TABLES.filter((table) => FEW_TABLES.includes(table) || table.name === 'export_plans');

/** Upkeep between commits: it makes a version or removes files, and changes no row. */
type Upkeep = 'compact' | 'vacuum';

interface Step {
  run: string;
  /** How many versions behind the newest the batch was planned. */
  behind: number;
  brought: Brought[];
  /** Whether the batch replaces existing rows. */
  replacing: boolean;
  /** Whether it is committed only as a whole, as a plan is. */
  whole: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  run: fc.constantFrom('a', 'b'),
  behind: fc.integer({ min: 0, max: 2 }),
  brought: fc.uniqueArray(
    fc.record({
      n: fc.integer({ min: 0, max: FILINGS - 1 }),
      revision: fc.constantFrom('r1', 'r2'),
      documents: fc.integer({ min: 0, max: 3 }),
      claims: fc.boolean(),
    }),
    { selector: ({ n }) => n, maxLength: 5 },
  ),
  replacing: fc.boolean(),
  whole: fc.boolean(),
});

const upkeep: fc.Arbitrary<Upkeep> = fc.constantFrom('compact', 'vacuum');
/** Later than any file of the test is young. */
const LATER_MS = 30 * 24 * 3600 * 1000;

type Table = 'filings' | 'documents' | 'coverage' | 'claims';
interface Brought {
  n: number;
  revision: string;
  documents: number;
  /** Only claims the filing, as a plan does. */
  claims: boolean;
}

function rowsOfFiling({ n, revision, documents, claims }: Brought, run: string): Rows {
  if (!claims) return filingRows(n, revision, documents);
  const of = { accession_number: accession(n), pass: 'info', steps: 'info', revision, window: 'w' };
  return { claims: [{ export: run, ...of, run_id: run }] };
}

/** The lake's name for the rows that claim a filing. */
function named({ claims = [], ...rows }: Rows): Rows {
  return { ...rows, export_plans: claims };
}

/** The lake's rules, in the simplest form: a map for each table from key to revision, and who wrote which key at which version. */
class Model {
  readonly tables: Record<Table, Map<string, { n: number; revision: string }>> = {
    filings: new Map(),
    documents: new Map(),
    coverage: new Map(),
    claims: new Map(),
  };
  readonly #history: { run: string; table: Table; key: string; n: number }[][] = [];

  get version(): number {
    return this.#history.length - 1;
  }

  /** @returns false if it is refused as a whole */
  commit({ run, behind, brought, replacing, whole }: Step): boolean {
    const base = Math.max(-1, this.version - behind);
    const since = this.#history.slice(base + 1).flat();
    const hasPassed = (n: number) =>
      since.some((row) => row.run !== run && row.n === n && (row.table === 'coverage' || row.table === 'claims'));
    const changes: (typeof since)[number][] = [];
    const coming = brought.filter(({ n }) => !hasPassed(n));
    if (coming.length < brought.length && whole) return false;
    if (replacing) {
      for (const rows of Object.values(this.tables)) {
        for (const [key, row] of rows) if (coming.some(({ n }) => n === row.n)) rows.delete(key);
      }
    }
    for (const one of coming) {
      for (const [table, rows] of Object.entries(rowsOfFiling(one, run)) as [Table, Rows[string]][]) {
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
    return brought.every(({ n, claims }) => {
      const table = claims ? 'claims' : 'filings';
      return !this.tables[table].has(accession(n)) || since.some((row) => row.table === table && row.n === n);
    });
  }
}

describe('any sequence of commits, compactions and vacuums', () => {
  it('gives what a map of rows gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: step }, upkeep), { minLength: 1, maxLength: 9 }),
        async (steps) => {
          const lake = await openLake(temporaryFolder(), { create: true, tables: CLAIMED_TABLES });
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
              const rows = named(together(...one.brought.map((brought) => rowsOfFiling(brought, one.run))));
              const values = one.brought.map(({ n }) => [accession(n)]);
              const ofClaims = { table: 'export_plans', columns: ['accession_number'], values };
              const replace = one.replacing ? [...wholeFiling(...one.brought.map(({ n }) => n)), ofClaims] : [];
              const { run, whole } = one;
              const brings = bring(lake, { run, batch: `b${i}`, base, whole }, rows, replace);
              if (model.commit(one)) await brings;
              else await expect(brings).rejects.toMatchObject({ code: 'plan-outdated' });
            }
            for (const [table, key, revision] of [
              ['filings', 'accession_number', 'entity_name'],
              ['documents', 'document_id', 'description'],
              ['coverage', 'accession_number', 'revision'],
              ['export_plans', 'accession_number', 'revision'],
            ] as const) {
              const got = await lake.query(`SELECT ${key} AS key, ${revision} AS revision FROM ${table} ORDER BY 1`);
              const expected = [...model.tables[table === 'export_plans' ? 'claims' : table]].map(([k, row]) => ({
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
