/** Values in SQL text. */

const IDENTIFIER = /^[\d-]+$/;

/**
 * For `IN`: all values as one text, since DuckDB parses a list of thousands of literals in three times the time of the look-up.
 * @param identifiers CIKs or accession numbers; other texts are in no table, and left out
 */
export function among(identifiers: Iterable<string>): string {
  return AMONG_GIVEN.replace('$1', `'${joined(identifiers)}'`);
}

/** The same for a text that the query is given apart: tens of thousands of numbers within SQL are parsed several times. */
export const AMONG_GIVEN = "(SELECT unnest(string_split($1, ',')))";

export function joined(identifiers: Iterable<string>): string {
  return [...identifiers].filter((one) => IDENTIFIER.test(one)).join(',');
}
