/** Repair of a lake whose rows come from exports. */
import type { Lake, RepairReport } from '../lake/index.ts';
import { checkLake } from './check.ts';
import { LOSS_POLICY } from './repair-marks.ts';

/**
 * Removes missing or damaged parts from the newest version, and marks their rows in coverage, so that the next export fetches them
 * again. Brings Delta logs and lake.sql up to date. Reads every part to its end.
 * @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-newer`, `lake-busy`: nothing is damaged
 */
export function repairLake(lake: Lake, options: { dryRun?: boolean } = {}): Promise<RepairReport> {
  return lake.repair({ ...options, policy: LOSS_POLICY, check: () => checkLake(lake) });
}
