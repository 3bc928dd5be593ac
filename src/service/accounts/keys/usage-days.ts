/** Usage of a month by day and operation. */
import type { Usage } from '../../../filings/api/index.ts';
import { all, get, type Operation } from '../store/operation.ts';

/** `work_seconds`: of threads that read the catalog. */
export type MonthUsage = Pick<Usage, 'month' | 'requests' | 'bytes' | 'work_seconds' | 'days'>;

/** @param meter of a key, or an account's number with a minus */
export function* usageOfMeter(meter: number, month: string): Operation<MonthUsage> {
  const total = yield* get<{ requests: number; bytes: number }>(
    'SELECT requests, bytes FROM usage WHERE key = ? AND month = ?',
    ...([meter, month] as const),
  );
  const days = yield* all<MonthUsage['days'][number]>(
    'SELECT day, operation, requests, bytes FROM usage_days WHERE meter = ? AND day BETWEEN ? AND ? ORDER BY day, operation',
    ...([meter, `${month}-01`, `${month}-31`] as const),
  );
  const work = yield* get<{ ms: number }>('SELECT ms FROM work WHERE meter = ? AND month = ?', meter, month);
  return {
    month,
    requests: total?.requests ?? 0,
    bytes: total?.bytes ?? 0,
    work_seconds: (work?.ms ?? 0) / 1_000,
    days,
  };
}
