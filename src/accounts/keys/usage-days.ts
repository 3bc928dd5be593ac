/** Usage of a month by day and operation. */
import type { DatabaseSync } from 'node:sqlite';

interface UsageDay {
  /** `YYYY-MM-DD`, UTC */
  day: string;
  /** Name of the operation; empty: unknown */
  operation: string;
  requests: number;
  bytes: number;
}

export interface MonthUsage {
  /** `YYYY-MM` */
  month: string;
  requests: number;
  bytes: number;
  /** Of threads that read the catalog */
  work_seconds: number;
  days: UsageDay[];
}

/** @param meter of a key, or an account's number with a minus */
export function usageOfMeter(db: DatabaseSync, meter: number, month: string): MonthUsage {
  const total = db.prepare('SELECT requests, bytes FROM usage WHERE key = ? AND month = ?').get(meter, month) as
    | { requests: number; bytes: number }
    | undefined;
  const days = db
    .prepare(
      `SELECT day, operation, requests, bytes FROM usage_days WHERE meter = ? AND day BETWEEN ? AND ? ORDER BY day, operation`,
    )
    .all(meter, `${month}-01`, `${month}-31`) as unknown as UsageDay[];
  const work = db.prepare('SELECT ms FROM work WHERE meter = ? AND month = ?').get(meter, month);
  return {
    ...{ month, requests: total?.requests ?? 0, bytes: total?.bytes ?? 0, work_seconds: Number(work?.ms ?? 0) / 1_000 },
    days: days.map((day) => ({ ...day })),
  };
}
