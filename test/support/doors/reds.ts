/** Cells that fail, each with its reason. A test fails if one of them is green: take it off then. */

/** By the cell, as tests name it: `door × name`, or `input × table`. */
export const REDS: readonly { readonly cell: RegExp; readonly reason: string }[] = [];

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
