/** The rows of the meters that a transaction counts, taken so that no other server counts there before it ends. */
import type pg from 'pg';
import type { UsageRow } from '../keys/admission.ts';
import type { Connections } from './connections.ts';

const HOLD = `INSERT INTO usage AS held (key, month, requests, bytes)
  SELECT meter, month, 0, 0 FROM unnest(?::bigint[], ?::text[]) AS wanted (meter, month) ORDER BY meter, month
  ON CONFLICT (key, month) DO UPDATE SET requests = held.requests RETURNING key, month, requests, bytes`;
const WORKED = `SELECT work.meter, work.month, ms FROM work
  JOIN unnest(?::bigint[], ?::text[]) AS wanted (meter, month) ON wanted.meter = work.meter AND wanted.month = work.month`;

interface MeterMonth {
  meter: number;
  month: string;
}

/** What meters have used, by `METER MONTH`. */
export interface HeldMeters {
  meters: Map<string, UsageRow>;
  /** Milliseconds */
  work: ReadonlyMap<string, number>;
}

export class WantedMeters {
  readonly #counted = new Map<string, MeterMonth>();
  readonly #working = new Map<string, MeterMonth>();

  count(meter: number, month: string): void {
    this.#counted.set(`${meter} ${month}`, { meter, month });
  }

  work(meter: number, month: string): void {
    this.#working.set(`${meter} ${month}`, { meter, month });
  }

  /** @param client within a transaction, which holds the rows to its end */
  async hold(connections: Connections, client: pg.PoolClient): Promise<HeldMeters> {
    const read = async (sql: string, pairs: ReadonlyMap<string, MeterMonth>) => {
      const list = [...pairs.values()];
      if (list.length === 0) return [];
      const values = [list.map(({ meter }) => meter), list.map(({ month }) => month)];
      return (await connections.query(client, sql, values)).rows;
    };
    const [usage, worked] = await Promise.all([read(HOLD, this.#counted), read(WORKED, this.#working)]);
    const meters = new Map<string, UsageRow>();
    for (const { key, month, requests, bytes } of usage as (UsageRow & { key: number; month: string })[]) {
      meters.set(`${key} ${month}`, { requests, bytes });
    }
    const work = new Map<string, number>();
    for (const { meter, month, ms } of worked as (MeterMonth & { ms: number })[]) work.set(`${meter} ${month}`, ms);
    return { meters, work };
  }
}
