/** Pages and margins in points (1/72 inch), for the browser that prints and for the lines that are drawn afterwards. */

export type PageSize = 'letter' | 'a4';

export const PAGE_POINTS: Readonly<Record<PageSize, readonly [width: number, height: number]>> = {
  letter: [612, 792],
  a4: [595.28, 841.89],
};

/** Room for the running header and footer. */
export const MARGIN_POINTS = { top: 58, bottom: 54, side: 43 } as const;

export function bodyWidthPoints(size: PageSize): number {
  return PAGE_POINTS[size][0] - 2 * MARGIN_POINTS.side;
}

export const BODY_HEIGHT_POINTS: Readonly<Record<PageSize, number>> = {
  letter: PAGE_POINTS.letter[1] - MARGIN_POINTS.top - MARGIN_POINTS.bottom,
  a4: PAGE_POINTS.a4[1] - MARGIN_POINTS.top - MARGIN_POINTS.bottom,
};
