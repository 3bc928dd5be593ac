/** An export's pure logic: no I/O, no clock, no chance, nothing of Node. Workflows bundle it. */
export {
  DEFAULT_CONNECTIONS,
  definitionDifference,
  definitionFingerprint,
  type ExportDefinition,
  type Selection,
} from './definition.ts';
export {
  chosenDocuments,
  type DocumentRequest,
  documentRequest,
  isGraphic,
  primaryDocument,
} from './document_choice.ts';
export { canonicalJson, hash64 } from './hash.ts';
export { DefinitionError, type ParsedDefinition, parseExportDefinition } from './parse_definition.ts';
export { revisionOf } from './revision.ts';
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
export { filingSelector, infoSelector, joinedSelector, type Step, selectorCovers, stepsFor } from './steps.ts';
export { EXPORT_TABLES, type ExportTable, tablesBroughtBy } from './tables.ts';
