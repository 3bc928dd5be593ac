/** What a server has counted and not written yet: it goes with the next transaction. */
import type { UsageTicket } from '../keys/admission.ts';
import { add, type Batch } from '../keys/counting.ts';
import { KeyUses } from '../keys/key-uses.ts';
import { WorkMeter } from '../keys/work-meter.ts';
import { addRows, Deltas } from './deltas.ts';

export interface Taken {
  deltas: Deltas;
  work: ReturnType<WorkMeter['take']>;
  uses: ReadonlyMap<number, string>;
}

export class Unwritten {
  readonly uses = new KeyUses();
  readonly work = new WorkMeter();
  /** Counts of keys without limits, and corrections */
  deltas = new Deltas();

  get isEmpty(): boolean {
    return this.deltas.size + this.work.unwritten.size + this.uses.unwritten.size === 0;
  }

  /** An answer to a key without limits */
  addAnswer(ticket: UsageTicket, { bytes, operation = '' }: { bytes: number; operation?: string }): void {
    const batch: Batch = new Map();
    add(batch, ticket, { bytes, operation });
    this.deltas.addAll(deltaOf(batch));
  }

  /** Gives it up, to write it. Uses of keys stay until `written`. */
  take(): Taken {
    const taken = { deltas: this.deltas, work: this.work.take(), uses: new Map(this.uses.unwritten) };
    this.deltas = new Deltas();
    return taken;
  }

  /** It was not written. */
  putBack({ deltas, work }: Taken): void {
    this.deltas.addAll(deltas);
    this.work.putBack(work);
  }

  written({ uses }: Taken): void {
    this.uses.written(uses);
  }
}

/** Statements that write work and uses. Rows are in one order for all servers, so that none waits for another in a circle. */
export function writesOf({ work, uses }: Taken) {
  const works = [...work.values()].sort((a, b) => a.meter - b.meter);
  const days = [...uses].sort(([a], [b]) => a - b);
  const used = `INSERT INTO key_uses (key, day) SELECT * FROM unnest(?::bigint[], ?::text[])
    ON CONFLICT (key) DO UPDATE SET day = greatest(key_uses.day, excluded.day)`;
  return [
    addRows('work', { meter: 'bigint', month: 'text' }, { ms: 'bigint' }, [
      works.map(({ meter }) => meter),
      works.map(({ month }) => month),
      works.map(({ ms }) => Math.ceil(ms)),
    ]),
    { sql: used, values: [days.map(([key]) => key), days.map(([, day]) => day)] },
  ].filter(({ values }) => values[0]!.length > 0);
}

export function deltaOf(batch: Batch): Deltas {
  const delta = new Deltas();
  for (const { keyId: meter, month, day, operation, requests, bytes } of batch.values()) {
    delta.addMonth({ meter, month, requests, bytes });
    if (operation !== undefined) delta.addDay({ meter, day, operation, requests, bytes });
  }
  return delta;
}
