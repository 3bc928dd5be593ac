/** The door of the export: definitions and the state of runs. The client and the runtime have doors of their own, since they load more. */

export {
  catalogAddress,
  catalogOf,
  definitionDifference,
  definitionJsonSchema,
  type ExportDefinition,
  type ListKind,
  type Notify,
  type NumbersFile,
  type ParsedDefinition,
  parseExportDefinitions,
  readAnew,
  resolveDate,
  type Selection,
  withListsRead,
} from './definition/index.ts';
export { canonicalJson, hash64 } from './revisions/index.ts';
export {
  CONDITIONS,
  type Condition,
  conditionOf,
  decide,
  type ExportProgress,
  type ExportState,
  type Remembered,
  type RunSeen,
  ratesOf,
  type ScheduleSeen,
  stateText,
} from './run/index.ts';
export { PASSES } from './steps/index.ts';
