/** What a lake says of the exports that filled it: the check of their records, the repair of their losses, the report. */
export { checkLake, type LakeCheckReport } from './check.ts';
export type { UnprovenWindow, WindowsReport } from './check-windows.ts';
export { incompleteFilings, PLAN_TABLES, plannedSteps } from './expected-steps.ts';
export type { OlderRevisions } from './older-revisions.ts';
export { repairLake } from './repair.ts';
export { type LakeReport, lakeReport } from './report/figures.ts';
export { reportPage } from './report/page.ts';
