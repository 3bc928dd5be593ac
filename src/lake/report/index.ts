/** What a lake records of its exports: the check of these records, the repair of losses, the report. */
export { readManifest, type VerifyReport, verifyRelease } from '../release/verify-release.ts';
export { checkLake, type LakeCheckReport } from './check.ts';
export type { WindowsReport } from './check-windows.ts';
export { type CorpusReport, writeCorpus } from './corpus.ts';
export { incompleteFilings, PLAN_TABLES, plannedSteps } from './expected-steps.ts';
export {
  COUNTED_TABLES,
  type FilingsWithout,
  filingsWithout,
  mayCount,
  sentencesOfWithout,
} from './filings-without.ts';
export { FINAL_CODES } from './known-failures.ts';
export type { OlderRevisions } from './older-revisions.ts';
export {
  differenceLines,
  type ReleaseDifferences,
  releaseDifferences,
} from './release/differences.ts';
export { type ExportReleaseOptions, exportRelease } from './release/export-release.ts';
export type { Citation, ReleaseManifest } from './release/manifest.ts';
export { proofsOf, type ReleasedExport } from './release/proofs.ts';
export { repairLake } from './repair.ts';
export { type LakeReport, lakeReport } from './report/figures.ts';
export { reportPage } from './report/page.ts';
