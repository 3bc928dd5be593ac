/** `lake check` after runs of several exports over filings that move, appear and change: a sound lake is sound, and a lost row is found. */
import { afterEach, describe, expect, it } from 'vitest';
import type { RunReference } from '../../../../src/export/pipeline/index.ts';
import { stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import type { ExportWindow } from '../../../../src/export/windows/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { random } from '../../../support/documents/rearrange.ts';
import { bring } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import {
  definitionOf,
  filingOfLookup,
  finishDriven,
  planDriven,
  runOf,
} from '../../../support/pipeline/activity-harness.ts';
import { runs } from '../../../support/property-runs.ts';

const FORMS = ['10-K', '10-Q', '8-K'];
const dayOf = (n: number) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);

interface Select {
  date_from?: string;
  date_to?: string;
  form_types?: string[];
}

/** Filings of 60 days, whose dates and forms change. */
class Register {
  readonly filings: Filing[] = [];
  readonly #chance: () => number;

  constructor(chance: () => number) {
    this.#chance = chance;
    this.file(30);
  }

  file(count: number): void {
    for (let i = 0; i < count; i++)
      this.filings.push(
        filingOfLookup(this.filings.length + 1, { form_type: this.one(FORMS), filing_date: dayOf(this.#day()) }),
      );
  }

  move(count: number): void {
    for (let i = 0; i < count; i++) {
      const filing = this.one(this.filings);
      if (this.#chance() < 0.6) filing.filing_date = dayOf(this.#day());
      else filing.form_type = this.one([...FORMS, `${filing.form_type}/A`]);
    }
  }

  matching({ date_from = '', date_to = '9', form_types }: Select): Filing[] {
    const matches = ({ filing_date, form_type }: Filing) =>
      filing_date! >= date_from && filing_date! <= date_to && (form_types?.includes(form_type!) ?? true);
    return this.filings.filter(matches).map((filing) => ({ ...filing }));
  }

  one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#chance() * list.length)]!;
  }

  #day(): number {
    return Math.floor(this.#chance() * 60);
  }
}

let started = 0;

/** A run of an export, window by window. */
class Run {
  readonly #lake: Lake;
  readonly #run: RunReference;
  readonly #parts: Select[];
  readonly #started = new Date().toISOString();

  constructor(lake: Lake, name: string, select: Select, cuts: readonly string[]) {
    this.#lake = lake;
    this.#run = runOf(definitionOf(name, 'filings'), `2024${String(++started).padStart(6, '0')}-${name}`, lake);
    const { date_from = dayOf(0), date_to = dayOf(60) } = select;
    const inside = [...cuts].sort().filter((cut) => cut > date_from && cut <= date_to);
    const before = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    this.#parts = [date_from, ...inside].map((from, i) => ({
      ...select,
      date_from: from,
      date_to: i < inside.length ? before(inside[i]!) : date_to,
    }));
  }

  get isRead(): boolean {
    return this.#parts.length === 0;
  }

  /** Reads and plans the next window. */
  async read(register: Register): Promise<void> {
    const filter = this.#parts.shift()!;
    const id = `w-${this.#parts.length}`;
    const records = register.matching(filter);
    await stagePage(this.#lake, this.#run.run_id, id, 0, { state: null, records, violations: [] });
    const window = { id, filter, today: dayOf(60), inexact: null } as ExportWindow;
    const read = { split: null, pages: 1, promised: records.length, found: records.length, proven: true };
    await planDriven(this.#lake, this.#run, { window: id, record: { window, read } });
  }

  async end(state: string): Promise<void> {
    await finishDriven(this.#lake, this.#run, { state, started_at: this.#started });
  }
}

let lake: Lake;
afterEach(() => lake.close());

const checked = async (about: string) => {
  const { problems, verdict } = await checkLake(lake);
  expect(problems, about).toEqual([]);
  return verdict;
};

/** Rows of a filing vanish with its coverage, as if they had never been written. */
async function lose(accession_number: string): Promise<void> {
  const of = { columns: ['accession_number'], values: [[accession_number]] };
  const replace = [
    { table: 'filings', ...of },
    { table: 'coverage', ...of },
  ];
  await bring(lake, { run: `loss ${accession_number}`, batch: 'b' }, {}, replace);
}

describe('lake check', () => {
  it('never calls a sound lake wrong, whatever moves between and during runs; and finds each lost filing', async () => {
    for (let seed = 1; seed <= runs(1); seed++) {
      const chance = random(seed * 49_979_687);
      const register = new Register(chance);
      lake = await openLake(temporaryFolder(), { create: true });
      const cuts = () => Array.from({ length: Math.floor(chance() * 3) }, () => dayOf(Math.floor(chance() * 60)));
      const about = `seed ${seed}`;
      for (let day = 20; day < 26; day++) {
        const some: [string, Select][] = [
          ['daily', { date_from: dayOf(day), date_to: dayOf(day + 10) }],
          ['forms', { form_types: ['10-Q'] }],
          ['month', { date_from: dayOf(0), date_to: dayOf(30) }],
          ['all', {}],
        ];
        // One run after the other, or two at the same time.
        const active = some.filter(() => chance() < 0.5).map(([name, select]) => new Run(lake, name, select, cuts()));
        const open: Run[] = [];
        while (active.length + open.length > 0) {
          if (active.length > 0 && (open.length === 0 || (open.length < 2 && chance() < 0.4)))
            open.push(active.shift()!);
          const run = register.one(open);
          if (!run.isRead) await run.read(register);
          else {
            open.splice(open.indexOf(run), 1);
            await run.end(chance() < 0.2 ? register.one(['cancelled', 'failed']) : 'completed');
          }
          if (chance() < 0.4) register.move(1 + Math.floor(chance() * 2));
        }
        register.file(Math.floor(chance() * 4));
        await checked(about);
      }
      // Nothing moves any more: all exports are complete.
      for (const [name, select] of [
        ['forms', { form_types: ['10-Q'] }],
        ['month', { date_from: dayOf(0), date_to: dayOf(30) }],
        ['all', {}],
      ] as const) {
        const run = new Run(lake, name, select as Select, cuts());
        while (!run.isRead) await run.read(register);
        await run.end('completed');
      }
      const daily = new Run(lake, 'daily', {}, []);
      await daily.read(register);
      await daily.end('completed');
      expect(await checked(about), about).toBe('complete');
      await lose(register.one(register.filings).accession_number);
      const { problems, verdict } = await checkLake(lake);
      expect([verdict, problems.some(({ code }) => code === 'window-short')], about).toEqual(['wrong', true]);
      if (seed < runs(1)) await lake.close();
    }
  });

  it('finds a loss though another export has added filings outside the filter since', async () => {
    const register = new Register(random(7));
    lake = await openLake(temporaryFolder(), { create: true });
    const first = new Run(lake, 'forms', { form_types: ['10-Q'] }, []);
    await first.read(register);
    await first.end('completed');
    const all = new Run(lake, 'others', { form_types: ['10-K', '8-K'] }, []);
    await all.read(register);
    await all.end('completed');
    expect(await checked('')).toBe('complete');
    await lose(register.matching({ form_types: ['10-Q'] })[0]!.accession_number);
    expect((await checkLake(lake)).verdict).toBe('wrong');
  });

  it('says that a lake is not complete if a run was cancelled, or has no end', async () => {
    const register = new Register(random(3));
    lake = await openLake(temporaryFolder(), { create: true });
    const cancelled = new Run(lake, 'all', {}, [dayOf(30)]);
    await cancelled.read(register);
    expect(await checkLake(lake)).toMatchObject({ verdict: 'incomplete', unfinished: [{ export: null, state: null }] });
    await cancelled.end('cancelled');
    expect(await checkLake(lake)).toMatchObject({
      verdict: 'incomplete',
      unfinished: [{ export: 'all', state: 'cancelled' }],
    });
    const whole = new Run(lake, 'all', {}, []);
    await whole.read(register);
    await whole.end('completed');
    expect(await checked('')).toBe('complete');
  });
});
