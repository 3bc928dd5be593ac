/** Values as they stand in a query. */

const IDENTIFIER = /^[\d-]+$/;

/**
 * Of an `IN`: as one text, since a list of thousands of literals takes DuckDB three times as long to parse as the look-up takes.
 * @param identifiers CIKs or accession numbers; what is neither is in no table, and left out
 */
export function among(identifiers: Iterable<string>): string {
  const list = [...identifiers].filter((one) => IDENTIFIER.test(one)).join(',');
  return `(SELECT unnest(string_split('${list}', ',')))`;
}

/** A text that may hold anything, as a literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
