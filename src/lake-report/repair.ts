/** Repair of a lake whose rows are those of exports. */
import type { Lake, RepairReport } from '../lake/index.ts';
import { checkLake } from './check.ts';
import { LOSS_POLICY } from './repair-marks.ts';

/**
 * Drops parts that are missing or damaged from the newest version, and marks in coverage what they held, so that the next export
 * fetches it again. Makes Delta logs and lake.sql level. Reads every part to its end.
 * @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-newer`, `lake-busy`: nothing is harmed
 */
export function repairLake(lake: Lake, options: { dryRun?: boolean } = {}): Promise<RepairReport> {
  return lake.repair({ ...options, policy: LOSS_POLICY, check: () => checkLake(lake) });
}
