/** The running header and footer of every page after the cover. */
import type { PDFPage } from '@cantoo/pdf-lib';
import type { FilingInfo } from '../../filings/api/index.ts';
import { formName } from '../pages/index.ts';
import { MARGIN_POINTS } from './page-geometry.ts';
import { drawRight, type Fonts, MUTED, RULE, shortened } from './type-setting.ts';

const SIZE = 7.5;

export function drawRunningLines(
  page: PDFPage,
  filing: FilingInfo,
  numbers: { page: number; pages: number },
  fonts: Fonts,
): void {
  const { width, height } = page.getSize();
  const left = MARGIN_POINTS.side;
  const right = width - MARGIN_POINTS.side;
  const style = { size: SIZE, font: fonts.regular, color: MUTED };
  const top = height - 34;
  const form = `${formName(filing.form_type ?? '')}  ·  filed ${filing.filing_date ?? ''}`;
  const formWidth = fonts.regular.widthOfTextAtSize(form, SIZE);
  page.drawText(shortened(fonts.regular, filing.entity_name ?? '', SIZE, right - left - formWidth - 16), {
    x: left,
    y: top,
    ...style,
  });
  drawRight(page, form, { right, y: top, ...style });
  page.drawLine({ start: { x: left, y: top - 6 }, end: { x: right, y: top - 6 }, thickness: 0.5, color: RULE });
  page.drawLine({ start: { x: left, y: 40 }, end: { x: right, y: 40 }, thickness: 0.5, color: RULE });
  page.drawText(filing.accession_number, { x: left, y: 29, ...style });
  drawRight(page, `Page ${numbers.page} of ${numbers.pages}`, { right, y: 29, ...style });
}
