/** Changes of usage that go into the database together: by month, and by day and operation. */
import type { StepResult, Value } from '../store/operation.ts';

interface MonthDelta {
  meter: number;
  month: string;
  requests: number;
  bytes: number;
}
type DayDelta = Omit<MonthDelta, 'month'> & { day: string; operation: string };

export class Deltas {
  readonly #months = new Map<string, MonthDelta>();
  readonly #days = new Map<string, DayDelta>();

  get size(): number {
    return this.#months.size + this.#days.size;
  }

  addMonth({ meter, month, requests, bytes }: MonthDelta): void {
    const name = `${meter} ${month}`;
    const before = this.#months.get(name) ?? { requests: 0, bytes: 0 };
    this.#months.set(name, { meter, month, requests: before.requests + requests, bytes: before.bytes + bytes });
  }

  addDay({ meter, day, operation, requests, bytes }: DayDelta): void {
    const name = `${meter} ${day} ${operation}`;
    const before = this.#days.get(name) ?? { requests: 0, bytes: 0 };
    this.#days.set(name, { meter, day, operation, requests: before.requests + requests, bytes: before.bytes + bytes });
  }

  /** @param sign -1 takes them back */
  addAll(others: Deltas, sign: 1 | -1 = 1): void {
    for (const row of others.#months.values()) {
      this.addMonth({ ...row, requests: sign * row.requests, bytes: sign * row.bytes });
    }
    for (const row of others.#days.values()) {
      this.addDay({ ...row, requests: sign * row.requests, bytes: sign * row.bytes });
    }
  }

  /** Statements that write them. Rows are in one order for all servers, so that none waits for another in a circle. */
  writes(): { sql: string; values: Value[][] }[] {
    const months = [...this.#months.values()].sort((a, b) => a.meter - b.meter || compare(a.month, b.month));
    const days = [...this.#days.values()].sort(
      (a, b) => a.meter - b.meter || compare(a.day, b.day) || compare(a.operation, b.operation),
    );
    return [
      addRows('usage', { key: 'bigint', month: 'text' }, { requests: 'bigint', bytes: 'bigint' }, [
        months.map(({ meter }) => meter),
        months.map(({ month }) => month),
        months.map(({ requests }) => requests),
        months.map(({ bytes }) => bytes),
      ]),
      addRows(
        'usage_days',
        { meter: 'bigint', day: 'text', operation: 'text' },
        { requests: 'bigint', bytes: 'bigint' },
        [
          days.map(({ meter }) => meter),
          days.map(({ day }) => day),
          days.map(({ operation }) => operation),
          days.map(({ requests }) => requests),
          days.map(({ bytes }) => bytes),
        ],
      ),
    ].filter(({ values }) => values[0]!.length > 0);
  }
}

/** Adds to rows, or makes them. @param columns values of each column, of the key and then of the sums */
export function addRows(
  table: string,
  key: Readonly<Record<string, string>>,
  sums: Readonly<Record<string, string>>,
  columns: Value[][],
): { sql: string; values: Value[][] } {
  const names = [...Object.keys(key), ...Object.keys(sums)].join(', ');
  const types = [...Object.values(key), ...Object.values(sums)].map((type) => `?::${type}[]`).join(', ');
  const added = Object.keys(sums).map((name) => `${name} = ${table}.${name} + excluded.${name}`);
  const sql = `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${types})
    ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET ${added.join(', ')}`;
  return { sql, values: columns };
}

/** In the order of their codes. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export type Send = (sql: string, values: readonly (Value | readonly Value[])[]) => Promise<StepResult>;
