/** The contents: every document and section with its page, each line a link. */
import type { PDFPage } from '@cantoo/pdf-lib';
import type { ContentsEntry } from './body-page.ts';
import { addLink } from './link-annotations.ts';
import type { Destination } from './named-destinations.ts';
import { drawRight, type Fonts, INK, MUTED, RULE, settable, shortened } from './type-setting.ts';

export interface PlacedEntry extends ContentsEntry {
  destination: Destination;
}

const SIDE = 64;
const TOP = 110;
const BOTTOM = 72;
const LINE_POINTS = { 0: 23, 1: 15.5 } as const;
const LABEL_WIDTH = { 0: 78, 1: 96 } as const;

/** The entries page by page, as they will be drawn on pages of this height. */
export function paginateContents(entries: readonly PlacedEntry[], pageHeight: number): PlacedEntry[][] {
  const pages: PlacedEntry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const line = LINE_POINTS[entry.level];
    if (pages.length === 0 || room < line) {
      pages.push([]);
      room = pageHeight - TOP - BOTTOM;
    }
    pages.at(-1)!.push(entry);
    room -= line;
  }
  return pages;
}

/** @param firstBodyPage number, counted from 1, of the first page of the body */
export function drawContents(
  page: PDFPage,
  entries: readonly PlacedEntry[],
  firstBodyPage: number,
  fonts: Fonts,
): void {
  const { width, height } = page.getSize();
  const right = width - SIDE;
  page.drawText('Contents', { x: SIDE, y: height - 76, size: 18, font: fonts.bold, color: INK });
  page.drawLine({ start: { x: SIDE, y: height - 88 }, end: { x: right, y: height - 88 }, thickness: 0.8, color: RULE });
  let y = height - TOP;
  for (const entry of entries) {
    const document = entry.level === 0;
    y -= document ? LINE_POINTS[0] - LINE_POINTS[1] : 0;
    const size = document ? 10.5 : 9.5;
    const font = document ? fonts.bold : fonts.regular;
    const left = SIDE + (document ? 0 : 16);
    const number = `${entry.destination.pageIndex + firstBodyPage}`;
    drawRight(page, number, { right, y, size, font, color: INK });
    const label = shortened(font, entry.label, size, LABEL_WIDTH[entry.level]);
    page.drawText(label, { x: left, y, size, font, color: INK });
    const titleLeft =
      left + Math.max(LABEL_WIDTH[entry.level] - (document ? 0 : 16), font.widthOfTextAtSize(label, size) + 10);
    const title = shortened(fonts.regular, entry.title, size, right - 34 - titleLeft);
    page.drawText(title, { x: titleLeft, y, size, font: fonts.regular, color: INK });
    const leaderLeft = titleLeft + fonts.regular.widthOfTextAtSize(title, size) + 5;
    const leaderRight = right - font.widthOfTextAtSize(settable(font, number), size) - 5;
    if (leaderRight - leaderLeft > 8) {
      const from = { x: leaderLeft, y: y + 1 };
      page.drawLine({
        start: from,
        end: { x: leaderRight, y: y + 1 },
        thickness: 0.5,
        color: MUTED,
        dashArray: [0.6, 3],
      });
    }
    addLink(page, [left, y - 3, right, y + size], { destination: entry.destination });
    y -= LINE_POINTS[1];
  }
}
