/** A descriptor for each table, and lists made from them: exports, lakes, `filinglake schema` and docs use these. */
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
