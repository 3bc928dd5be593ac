/** Tables wider than the paper: the browser would cut their last columns off. They are set smaller until they fit. */
import type { Page } from 'playwright-core';
import { bodyWidthPoints, type PageSize } from './page-geometry.ts';

const PIXELS_A_POINT = 96 / 72;
/** Smaller type can't be read; a table that needs it is cut off. */
const SMALLEST_ZOOM = 0.3;

/** First without the filer's "nowrap", which is enough for most; then by size. All widths are read before any is changed. */
const FIT = `(() => {
  const tooWide = () => [...document.querySelectorAll('.fl-html table')].filter((table) => {
    const box = table.closest('.fl-html');
    return !table.parentElement.closest('table') && table.getBoundingClientRect().right > box.getBoundingClientRect().right + 1;
  });
  const wrapped = tooWide();
  for (const table of wrapped)
    for (const cell of [table, ...table.querySelectorAll('*')]) cell.style.setProperty('white-space', 'normal', 'important');
  const zooms = tooWide().map((table) => {
    const box = table.closest('.fl-html').getBoundingClientRect();
    const { left, right } = table.getBoundingClientRect();
    return [table, Math.max(${SMALLEST_ZOOM}, (box.right - Math.max(box.left, left)) / (right - left))];
  });
  for (const [table, zoom] of zooms) table.style.zoom = zoom;
})()`;

/** Lays the page out as it will be printed, and sets tables that don't fit smaller. */
export async function fitTables(page: Page, size: PageSize): Promise<void> {
  const width = Math.floor(bodyWidthPoints(size) * PIXELS_A_POINT);
  await page.setViewportSize({ width, height: Math.floor(width * 1.3) });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(FIT);
}
