/** A view of the lake as it would have been at a moment: its SQL over tables without what was accepted later. */
import { readAs, VIEWS } from '../../lake/views/index.ts';
import type { Moment } from '../answers/moment.ts';
import { standingSql } from './lake-tables.ts';

/**
 * Common table expressions, for a WITH: the tables that a view reads, and the view under its own name. Without a moment the view
 * itself will do, and there are none.
 */
export function viewAsOf(name: string, asOf: Moment | null): string {
  const view = VIEWS.find((one) => one.name === name && one.schema === undefined)!;
  if (asOf === null) return '';
  // An expression may have the name of the table that it reads: what follows sees the expression.
  const others = view.tables.filter((table) => table !== 'filings').map(readAs);
  const known = [
    // What was removed later stood then: the view itself leaves out what is gone now.
    `filings AS (SELECT * REPLACE (CAST(NULL AS TIMESTAMPTZ) AS removed_at) FROM filings f WHERE ${standingSql('f', asOf)})`,
    ...others.map(
      (one) => `${one} AS (FROM ${one} t WHERE t.accession_number IN (SELECT accession_number FROM filings))`,
    ),
  ];
  return `WITH ${known.join(', ')}, ${name} AS (${view.sql}) `;
}
