/** Statements that compare: fiscal periods, standard items and checks from a filing's facts. Rows in, rows out. */
export { mapFiling, neededFor } from './mapping/map-filing.ts';
export { statementItems, statementRules, type Way } from './rules.ts';
export { PRINTED_TABLES, STATEMENT_TABLES } from './tables.ts';
