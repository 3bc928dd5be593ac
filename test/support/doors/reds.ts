/** Cells that fail, each with its reason. A test fails if one of them is green: take it off then. */

/** By the cell, as tests name it: `door × name`, or `input × table`. */
export const REDS: readonly { readonly cell: RegExp; readonly reason: string }[] = [
  { cell: /^python sql/, reason: 'every query over a lake with statements recurs without an end' },
  { cell: /^python (table|arrow|polars|pandas|batches) × view (xbrl_)?statements$/, reason: 'the same' },
  { cell: /^coverage × \S+ (8-K|10-K) forms$/, reason: 'a filing without XBRL has no row of coverage that says so' },
];

/** Cells with why they fail, less those that are known. @param cells those that were looked at */
export function unknownReds(cells: ReadonlyMap<string, string | null>): Record<string, string> {
  const wrong: Record<string, string> = {};
  for (const [cell, why] of cells) if (why !== null && !REDS.some((one) => one.cell.test(cell))) wrong[cell] = why;
  for (const { cell, reason } of REDS) {
    const own = [...cells].filter(([name]) => cell.test(name));
    if (own.length > 0 && own.every(([, why]) => why === null))
      wrong[String(cell)] = `is green: take it off the list (${reason})`;
  }
  return wrong;
}
