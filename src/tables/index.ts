/** The tables of a lake: one descriptor each, and what is made from them. The one truth for exports, lakes, `filinglake schema` and docs/reference/tables.md. */
export {
  ALWAYS_WRITTEN,
  EXPORT_TABLES,
  type ExportTable,
  isEntityTable,
  namesFrom,
  TABLES,
  tableNamed,
  tablesFrom,
  tablesWrittenFor,
} from './lists.ts';
export { INTEGER_MAX, type RowsByTable, type RowsResult, rowsOf } from './rows.ts';
export type {
  ColumnDefinition,
  ColumnType,
  ContentRecord,
  Forms,
  Reference,
  Row,
  RowViolation,
  Source,
  Table,
  TableDefinition,
} from './table.ts';
