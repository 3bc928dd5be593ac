/**
 * The tables of a lake: a descriptor for each, and lists made from them. Exports, lakes, `filinglake schema` and
 * docs/reference/tables.md use these.
 */
export {
  ALWAYS_WRITTEN,
  EXPORT_TABLES,
  type ExportTable,
  FORM_TABLES,
  isEntityTable,
  namesFrom,
  TABLE_GROUPS,
  TABLES,
  tableNamed,
  tablesFrom,
  tablesNamed,
  tablesWrittenFor,
  USUAL_FORM_TABLES,
} from './lists.ts';
export { formRowMisfit, INTEGER_MAX, type RowsByTable, type RowsResult, rowsOf } from './rows.ts';
export type {
  ColumnDefinition,
  ColumnType,
  ContentRecord,
  Forms,
  Reference,
  ReportSection,
  Row,
  RowViolation,
  Table,
  TableDefinition,
} from './table.ts';
