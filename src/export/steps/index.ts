/** The steps of a filing: which of them are pending, and in which pass they are requested. No I/O, no clock, nothing of Node. */

export { isRefreshed, isYoung, selectorGiven } from './asked-again.ts';
export { asksFor, isFromMember, withOwnSelector } from './asked-for.ts';
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
} from './fetch-phases.ts';
export { pendingByNumber } from './pending-by-number.ts';
export {
  type CoveredStep,
  isCovered,
  isOlder,
  type PendingSteps,
  pendingSteps,
  stepsNotCovered,
} from './pending-steps.ts';
export {
  asKnown,
  documentsByInfo,
  documentsOf,
  filingSelector,
  infoSelector,
  infoTellsMore,
  infoTellsSections,
  joinedSelector,
  type KnownFiling,
  MORE_DOCUMENTS,
  namesMore,
  needsDocumentNames,
  selectorCovers,
  wantedFormTables,
} from './steps.ts';
