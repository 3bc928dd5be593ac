/** The tables of a lake. */
export { type ColumnDefinition, type ColumnType, type Reference, TABLES, type TableDefinition } from './tables.ts';
