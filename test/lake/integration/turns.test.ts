/** Two writers of one lake in every order of their steps: no row is lost, none comes twice, and who lost its turn can't write. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FilinglakeError } from '../../../src/core/index.ts';
import { type Lake, openLake, openStorage } from '../../../src/lake/index.ts';
import { readCommit } from '../../../src/lake/log/log.ts';
import { commandLine } from '../../support/command-line.ts';
import { accession, bring, FEW_TABLES, filingRows, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { seeded } from '../../support/seeded-chance.ts';
import { IN_SLOW_TIER } from '../../support/tier-cases.ts';

const TABLES = FEW_TABLES.filter(({ name }) => ['filings', 'documents', 'coverage'].includes(name));
const STEPS = ['take', 'plan', 'commit', 'end'] as const;
const ALL: number = STEPS.length;

/** An export in small: it wants some filings, and brings those that the lake lacks. */
class Writer {
  readonly name: string;
  readonly #wants: readonly number[];
  readonly #lake: Lake;
  /** Whether it takes the turn of another writer for lost. */
  readonly #isImpatient: boolean;
  #term: number | null = null;
  #plan: { base: number; numbers: number[]; batch: string } | null = null;
  #plans = 0;
  /** The next entry of the log: the store does not answer, and writes it when `arrive` is called. */
  isLate = false;
  #late: (() => Promise<unknown>) | null = null;

  private constructor(name: string, lake: Lake, wants: readonly number[], isImpatient: boolean) {
    this.name = name;
    this.#lake = lake;
    this.#wants = wants;
    this.#isImpatient = isImpatient;
    const { storage } = lake;
    const put = storage.putIfAbsent.bind(storage);
    storage.putIfAbsent = async (path, bytes) => {
      if (!this.isLate || !/^_lake\/\d+\.json$/.test(path)) return put(path, bytes);
      this.isLate = false;
      this.#late = () => put(path, bytes);
      throw new FilinglakeError('lake-unreachable', 'no answer');
    };
  }

  static async of(folder: string, name: string, wants: readonly number[], isImpatient: boolean): Promise<Writer> {
    const lake = await openLake(folder, { create: true, tables: TABLES, storage: openStorage(folder) });
    return new Writer(name, lake, wants, isImpatient);
  }

  async take(): Promise<void> {
    const { turn, isMine } = await this.#lake.turns.take(
      { holder: this.name, what: this.name },
      () => this.#isImpatient,
    );
    this.#term = isMine ? turn.term : null;
  }

  async plan(): Promise<void> {
    if (this.#term === null) return;
    const base = await this.#lake.currentVersion();
    const numbers = await this.lacks();
    this.#plan = numbers.length === 0 ? null : { base, numbers, batch: `${this.name}-${this.#plans++}` };
  }

  async commit(): Promise<void> {
    if (this.#plan === null || this.#term === null) return;
    const { base, numbers, batch } = this.#plan;
    try {
      const id = { run: this.name, batch, base, term: this.#term, again: true } as const;
      // Each brings another number of documents: filings of two writers would be mixed.
      const documents = this.name === 'A' ? 2 : 3;
      await bring(this.#lake, id, together(...numbers.map((n) => filingRows(n, this.name, documents))));
      this.#plan = null;
    } catch (error) {
      const { code } = error as FilinglakeError;
      // The same batch is tried again, but for one whose plan is out of date.
      if (code === 'plan-outdated') this.#plan = null;
      else if (code !== 'lake-unreachable') throw error;
    }
  }

  async end(): Promise<void> {
    if (this.#term !== null) await this.#lake.turns.end(this.#term);
    this.#term = null;
  }

  async arrive(): Promise<void> {
    await this.#late?.();
    this.#late = null;
  }

  async lacks(): Promise<number[]> {
    const there = await this.#lake.query('SELECT accession_number AS n FROM coverage');
    const known = new Set(there.map(({ n }) => String(n)));
    return this.#wants.filter((n) => !known.has(accession(n)));
  }

  close(): Promise<void> {
    return this.#lake.close();
  }
}

/** Every order of the steps of two writers. */
function orders(a = ALL, b = ALL): string[] {
  if (a === 0 && b === 0) return [''];
  const first = a > 0 ? orders(a - 1, b).map((rest) => `A${rest}`) : [];
  return [...first, ...(b > 0 ? orders(a, b - 1).map((rest) => `B${rest}`) : [])];
}

interface World {
  /** A is alive, and its signs of life are lost: B takes its turn. */
  isLost: boolean;
  /** The store answers A's first commit late: its entry is written just before B commits, or after all. */
  late: 'never' | 'before the other' | 'after all';
}

async function play(order: string, { isLost, late }: World): Promise<void> {
  const folder = temporaryFolder();
  const a = await Writer.of(folder, 'A', [1, 2, 3], false);
  const b = await Writer.of(folder, 'B', [2, 3, 4], isLost);
  const chance = seeded(order.length + [...order].reduce((sum, one, i) => sum + (one === 'A' ? 2 ** i : 0), 0));
  const done = { A: 0, B: 0 };
  a.isLate = late !== 'never';
  for (const who of order) {
    // Clocks jump by days, in both directions.
    vi.setSystemTime(Date.parse('2026-11-28T10:00:00Z') + Math.floor((chance() - 0.5) * 10 * 86_400_000));
    const step = STEPS[done[who as 'A' | 'B']++]!;
    if (who === 'B' && step === 'commit' && late === 'before the other') await a.arrive();
    await (who === 'A' ? a : b)[step]();
  }
  await a.arrive();
  a.isLate = false;
  for (let round = 0; round < 4 && [...(await a.lacks()), ...(await b.lacks())].length > 0; round++) {
    for (const writer of [a, b]) for (const step of STEPS) await writer[step]();
  }
  const lake = await openLake(folder, { tables: TABLES });
  const rows = await lake.query(
    'SELECT accession_number AS filing, count(*)::INT AS n FROM filings GROUP BY 1 ORDER BY 1',
  );
  expect(rows, order).toEqual([1, 2, 3, 4].map((n) => ({ filing: accession(n), n: 1 })));
  const mixed = await lake.query(
    `SELECT 1 FROM documents d JOIN filings f USING (accession_number) WHERE d.description <> f.entity_name`,
  );
  expect(mixed, order).toEqual([]);
  const terms: number[] = [];
  for (let version = 0; version <= (await lake.currentVersion()); version++)
    terms.push((await readCommit(lake.storage, version))!.term);
  // Nobody writes after a later turn.
  expect(terms, order).toEqual(terms.toSorted((one, other) => one - other));
  await Promise.all([lake.close(), a.close(), b.close()]);
}

describe('two writers of one lake, in each of the 70 orders of their steps', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => vi.useRealTimers());

  it.each<[string, World]>([
    ['wait for each other', { isLost: false, late: 'never' }],
    ['and one loses its turn while it sleeps', { isLost: true, late: 'never' }],
    [
      'and the store writes late, between the plan of the other and its commit',
      { isLost: false, late: 'before the other' },
    ],
    ['and the store writes when the writer has given up', { isLost: false, late: 'after all' }],
    ['and the store writes when the turn was lost', { isLost: true, late: 'after all' }],
  ])('%s', async (_, world) => {
    const all = orders();
    expect(all).toHaveLength(70);
    for (const [i, order] of all.entries()) if (IN_SLOW_TIER || i % 10 === 0) await play(order, world);
  });
});

describe('a turn', () => {
  it('that was given back leaves no version, and a lost one is shut out by a version', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: TABLES });
    const take = (holder: string, isGone = false) => lake.turns.take({ holder, what: holder }, () => isGone);
    const { turn } = await take('a');
    expect(await take('b')).toMatchObject({ isMine: false, turn: { holder: 'a', term: 1 } });
    expect(await lake.turns.sign(1)).toBe('wanted');
    await lake.turns.end(1);
    expect(await lake.turns.current()).toBeNull();
    expect(await take('b')).toMatchObject({ isMine: true, turn: { term: 2, shuts_out: false } });
    expect(await lake.currentVersion()).toBe(-1);
    expect(await take('c', true)).toMatchObject({ isMine: true, turn: { term: 3, shuts_out: true } });
    expect(await lake.currentVersion()).toBe(0);
    // The sleeper wakes.
    const rows = filingRows(1);
    await expect(bring(lake, { run: 'b', batch: 'late', term: 2 }, rows)).rejects.toMatchObject({
      code: 'plan-outdated',
    });
    await bring(lake, { run: 'c', batch: 'own', term: 3 }, rows);
    expect(turn.term).toBe(1);
  });

  it('of another writer is waited for, or refused', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: TABLES });
    await lake.turns.take({ holder: 'run-1', what: 'export a' }, () => false);
    const refused = lake.turns.during({ what: 'filinglake lake compact', wait: false }, async () => {});
    await expect(refused).rejects.toMatchObject({
      code: 'lake-busy',
      message: expect.stringContaining('export a (run-1)'),
    });
    const seen: string[] = [];
    const waiting = (turn: { what: string }) => {
      seen.push(turn.what);
      void lake.turns.end(1);
    };
    expect(await lake.turns.during({ what: 'filinglake lake compact', waiting }, async (term) => term)).toBe(2);
    expect(seen).toEqual(['export a']);
  });

  it('is named by a command that does not wait, and by the check', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true });
    await bring(lake, { batch: 'b' }, filingRows(1));
    await lake.turns.take({ holder: 'run-1', what: 'export a' }, () => false);
    const refused = await commandLine(['lake', 'compact', '--lake', folder, '--no-wait']);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('export a (run-1) has the lake since'),
    ]);
    expect((await commandLine(['lake', 'check', '--lake', folder])).stdout).toContain('export a (run-1) has the lake');
  });

  it('of a command that was killed on this machine is free at once', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: TABLES });
    const { hostname } = await import('node:os');
    await lake.turns.take({ holder: `process 4194305 of ${hostname()}`, what: 'killed' }, () => false);
    expect(await lake.turns.take({ holder: 'b', what: 'b' }, () => false)).toMatchObject({ isMine: true });
  });
});
