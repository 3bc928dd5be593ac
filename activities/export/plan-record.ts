/** What plans of all kinds of windows have in common: the name of their batch, and the window's row in export_windows. */
import { windowRecord } from '../../src/export/index.ts';
import type { PlanWindowRequest } from './types.ts';

export function planBatchId({ window, plan }: PlanWindowRequest): string {
  return `plan-${window}-${plan}`;
}

export function windowRow(run_id: string, { window, read }: NonNullable<PlanWindowRequest['record']>) {
  const { promised, found, proven } = read;
  return { run_id, ...windowRecord(window), promised, found, proven };
}
