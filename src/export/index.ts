/** The pure logic of an export: no I/O, no clock, no randomness, nothing of Node. Workflows bundle it. */

export { catalogAddress, catalogOf } from './definition/catalog-address.ts';
export { resolveDate } from './definition/dates.ts';
export {
  DEFAULT_PATIENCE_SECONDS,
  definitionDifference,
  ENTITY_DAYS,
  type ExportDefinition,
  type FilingFilters,
  type FulltextQuery,
  type Notify,
  type NumbersFile,
  readAnew,
  type Selection,
} from './definition/definition.ts';
export { definitionJsonSchema, type JsonSchema } from './definition/json-schema.ts';
export { mayShare } from './definition/overlap.ts';
export {
  DefinitionError,
  type ParsedDefinition,
  type ParseOptions,
  parseExportDefinition,
  parseExportDefinitions,
} from './definition/parse.ts';
export { type ListReader, type ReadList, withListsRead } from './definition/read-lists.ts';
export { columnAt, LIST_WORDS, type ListKind, readValueList, valuesOfColumn } from './definition/value-list.ts';
export {
  type ListedFiling,
  matchesOf,
  type PlanPage,
  pagesOf,
  planCompanies,
  planEntities,
  planListed,
  planLookup,
  planSampleSize,
  scaleOf,
} from './estimate/estimate.ts';
export { type ExportPlan, type PlanPart, type PlanQuota, type PlanStep, wholePlan } from './estimate/plan.ts';
export { canonicalJson, hash64 } from './hash.ts';
export {
  type BudgetLimits,
  type BudgetReason,
  type BudgetReplies,
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
  SHARE_LIFE_MS,
  settleRequests,
  unblockBudget,
  withReply,
} from './run/budget.ts';
export {
  addCommit,
  addOutcome,
  addRefresh,
  detailsText,
  type ExportProgress,
  type ExportState,
  newProgress,
  ratesOf,
  type StoppedBy,
  stateText,
} from './run/progress.ts';
export {
  type Condition,
  conditionOf,
  decide,
  type Remembered,
  type RunSeen,
  type ScheduleSeen,
} from './run/schedule-condition.ts';
export { isRefreshed, isYoung, selectorGiven } from './steps/asked-again.ts';
export { asksFor, isFromMember, withOwnSelector } from './steps/asked-for.ts';
export {
  chosenDocuments,
  documentRequest,
  joinedDocumentSelector,
  MADE_OF_DOCUMENTS,
  makesOfDocument,
  outputFormatOf,
  primaryDocument,
  RAW_XML,
} from './steps/document-choice.ts';
export {
  countPasses,
  isByFiling,
  isFetchedWhole,
  type KnownBy,
  lastPassOf,
  PASSES,
  type Pass,
  type PassCounts,
  passOf,
  stepsInPass,
} from './steps/fetch-phases.ts';
export { formsStepOf, mappingVersionOf, selectorOfMapping, tablesMapped } from './steps/forms-step.ts';
export { saysItsRows } from './steps/json-passthrough.ts';
export { pendingByNumber } from './steps/pending-by-number.ts';
export {
  type CoveredStep,
  isCovered,
  isOlder,
  type PendingSteps,
  pendingSteps,
  stepsNotCovered,
} from './steps/pending-steps.ts';
export {
  filledRevision,
  isSameContent,
  isSpelledAlike,
  mergedRecord,
  recordHashOf,
  revisionOf,
  revisionWithoutDocuments,
} from './steps/revision.ts';
export { formatOfWords, keepChosenSections, tablesOfSections } from './steps/section-choice.ts';
export { type FormDocument, type FormsStep, requestsOf, requestsOfAll, type Step } from './steps/step.ts';
export {
  asKnown,
  documentsByInfo,
  documentsOf,
  filingSelector,
  infoSelector,
  infoTellsMore,
  joinedSelector,
  type KnownFiling,
  MORE_DOCUMENTS,
  namesMore,
  selectorCovers,
  stepsFor,
} from './steps/steps.ts';
export { wantsFrom } from './steps/wanted.ts';
export { companiesOfName, searchTexts } from './windows/company-names.ts';
export type { LookupRequest } from './windows/lookup-orders.ts';
export { entityRequest, hitRequest } from './windows/lookup-requests.ts';
export { ReadingOrder } from './windows/reading-order.ts';
export type { ReadingState, WindowVerdict } from './windows/reading-state.ts';
export { NAME_CUTS_MAX, otherHalvesBefore } from './windows/split-by-name.ts';
export { takeReads } from './windows/split-shortfall.ts';
export { type LookupPage, WindowReading } from './windows/window-reading.ts';
export {
  datedFilters,
  type ExportWindow,
  failuresWindow,
  firstWindows,
  isEmptyRange,
  PLANNED_MATCHES,
  type SampleRecord,
  splitWindow,
  type WindowOf,
  windowRecord,
} from './windows/windows.ts';
