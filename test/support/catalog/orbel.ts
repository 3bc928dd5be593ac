/** Filings of one made-up company, as submissions, for exports over our own service. */
import { txtOf } from './synthetic-filings.ts';

export type Exhibit = readonly [type: string, filename: string, content: string];

/** Filing `n` of a year, accepted in March, with a main page `r.htm`. */
export function orbelFiling(year: number, n: number, form: string, main: string, ...exhibits: readonly Exhibit[]) {
  const documents = [['', 'r.htm', main] as const, ...exhibits];
  const named = documents.map(([type, filename, content]) => ({ ...(type !== '' && { type }), filename, content }));
  const date = { date: `${year}-03-01`, acceptance: `${year}-03-01T16:05:10`, period: `${year - 1}-12-31` };
  const accession = `0000000042-${String(year).slice(2)}-00000${n}`;
  return txtOf({ accession, form, ...date, parties: [{ cik: '42', name: 'ORBEL CORP' }], documents: named });
}
