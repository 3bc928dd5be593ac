/** An export's definition: what its YAML says, and what is wrong with it. No I/O, no clock, nothing of Node. */

export { catalogAddress, catalogOf } from './catalog-address.ts';
export { resolveDate } from './dates.ts';
export {
  choiceOfCodes,
  DEFAULT_PATIENCE_SECONDS,
  definitionDifference,
  ENTITY_DAYS,
  type ExportDefinition,
  type FilingFilters,
  type FulltextQuery,
  isGraphicType,
  type Notify,
  type NumbersFile,
  readAnew,
  type Selection,
  wantsFrom,
} from './definition.ts';
export { definitionJsonSchema } from './json-schema.ts';
export { mayShare } from './overlap.ts';
export { type ParsedDefinition, parseExportDefinitions } from './parse.ts';
export { type ReadList, withListsRead } from './read-lists.ts';
export { columnAt, LIST_WORDS, type ListKind, readValueList, valuesOfColumn } from './value-list.ts';
