/** An export's pure logic: no I/O, no clock, no chance, nothing of Node. Workflows bundle it. */
export { type AccessionList, readAccessionList } from './accession-list.ts';
export {
  type BudgetLimits,
  type BudgetReason,
  type BudgetReply,
  type BudgetState,
  blockBudget,
  budgetIdOf,
  leaveBudget,
  letRunAsk,
  newBudget,
  type Reservation,
  reserveRequests,
  type Settlement,
  settleRequests,
  unblockBudget,
} from './budget.ts';
export { resolveDate } from './dates.ts';
export {
  DEFAULT_BASE_URL,
  DEFAULT_CONNECTIONS,
  DEFAULT_PATIENCE_SECONDS,
  definitionDifference,
  definitionFingerprint,
  type ExportDefinition,
  type FilingFilters,
  type FulltextQuery,
  type NumbersFile,
  readAnew,
  type Selection,
} from './definition.ts';
export { definitionJsonSchema, type JsonSchema } from './definition-json-schema.ts';
export {
  chosenDocuments,
  type DocumentRequest,
  documentRequest,
  isGraphic,
  primaryDocument,
} from './document-choice.ts';
export { canonicalJson, hash64 } from './hash.ts';
export { listedSteps } from './listed.ts';
export type { LookupRequest } from './lookup-orders.ts';
export { entityRequest, hitRequest } from './lookup-requests.ts';
export { NAME_CUTS_MAX, otherHalvesBefore } from './name-cut.ts';
export { type CoveredStep, isOlder, type Owed, owedOf } from './owed.ts';
export {
  DefinitionError,
  type ParsedDefinition,
  type ParseOptions,
  parseExportDefinition,
  parseExportDefinitions,
} from './parse-definition.ts';
export {
  countPasses,
  isFetchedWhole,
  lastPassOf,
  type OwingFiling,
  PASSES,
  type Pass,
  type PassCounts,
  passOf,
  stepsInPass,
} from './passes.ts';
export {
  type ExportPlan,
  filingsOf,
  type PlanInput,
  type PlanPart,
  type PlanSample,
  type PlanStep,
  pagesOf,
  planExport,
  planLookup,
  planSampleSize,
  wholePlan,
} from './plan.ts';
export { type EntitySample, planEntities } from './plan-entities.ts';
export { type ListedFiling, planListed } from './plan-listed.ts';
export type { PlanQuota } from './plan-quota.ts';
export {
  addCommit,
  addOutcome,
  EXPORT_STATES,
  type ExportProgress,
  type ExportState,
  newProgress,
  type ProgressCommit,
  type ProgressOutcome,
  type ProgressRates,
  ratesOf,
  type StepProgress,
  type StoppedBy,
  stateText,
  type TableProgress,
} from './progress.ts';
export {
  filledRevision,
  isSameContent,
  mergedRecord,
  recordHashOf,
  revisionOf,
  revisionWithoutDocuments,
} from './revision.ts';
export {
  type ContentRecord,
  documentRows,
  entityRows,
  filingRows,
  infoRows,
  type Row,
  type RowsByTable,
  type RowsResult,
  type RowViolation,
  sectionRows,
} from './rows.ts';
export { saysItsRows } from './rows-as-written.ts';
export type { ReadingStep, SavedReading, WindowVerdict } from './saved-reading.ts';
export { keepChosenSections } from './section-choice.ts';
export { mayShare } from './sharing.ts';
export {
  documentsByInfo,
  filingSelector,
  infoSelector,
  infoTellsMore,
  joinedSelector,
  type Step,
  selectorCovers,
  stepsFor,
} from './steps.ts';
export { EXPORT_TABLES, type ExportTable, tablesBroughtBy } from './tables.ts';
export { type LookupPage, WindowReading } from './window-reading.ts';
export { unreadAfter, type WindowShare } from './window-shares.ts';
export {
  datedFilters,
  type ExportWindow,
  failuresWindow,
  firstWindows,
  isEmptyRange,
  readAnewAs,
  readingOf,
  type SampleRecord,
  splitWindow,
  type WindowOf,
  windowRecord,
} from './windows.ts';
