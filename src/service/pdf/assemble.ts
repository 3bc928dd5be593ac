/**
 * Builds the PDF: cover and contents before the printed body, running lines, outline. Everything is added to the file of the
 * body. A copy of its pages would lose the destinations of its links.
 */
import { decodePDFRawStream, PDFArray, PDFDocument, type PDFPage, PDFRawStream, PDFRef } from '@cantoo/pdf-lib';
import type { FilingInfo } from '../../filings/api/index.ts';
import { formName } from '../pages/index.ts';
import type { ContentsEntry } from './body-page.ts';
import { drawContents, type PlacedEntry, paginateContents } from './contents-pages.ts';
import { drawCover } from './cover-page.ts';
import { placePdfs } from './embedded-pdfs.ts';
import type { MadePdf } from './made-pdfs.ts';
import { readDestinations } from './named-destinations.ts';
import { addOutline } from './outline.ts';
import { MARGIN_POINTS } from './page-geometry.ts';
import type { PdfSource } from './pdf-source.ts';
import { drawRight, embedFonts, type Fonts, MUTED, RULE, shortened } from './type-setting.ts';

const PAGES_WITHOUT_CONTENTS = 2;

/** @param body as the browser printed it */
export async function assemblePdf(
  body: Uint8Array,
  entries: readonly ContentsEntry[],
  source: PdfSource,
): Promise<MadePdf> {
  const pdf = await PDFDocument.load(body, { updateMetadata: false });
  const fonts = await embedFonts(pdf);
  for (const index of blankPages(pdf).reverse()) if (pdf.getPageCount() > 1) pdf.removePage(index);
  // As printed: Chromium rounds a paper's size to its own pixels.
  const printed = pdf.getPage(0).getSize();
  const embedded = await placePdfs(pdf, source);
  const destinations = new Map([...readDestinations(pdf), ...embedded.destinations]);
  const placed = entries.flatMap((entry): PlacedEntry[] => {
    const destination = destinations.get(entry.anchor);
    return destination ? [{ ...entry, destination }] : [];
  });
  const size: [number, number] = [printed.width, printed.height];
  const contents = isWorthContents(placed) ? paginateContents(placed, size[1]) : [];
  const front = 1 + contents.length;
  drawCover(pdf.insertPage(0, size), source, fonts);
  for (const [index, lines] of contents.entries())
    drawContents(pdf.insertPage(1 + index, size), lines, front + 1, fonts);
  const all = pdf.getPages();
  for (const [index, page] of all.entries()) {
    // A PDF's own pages stay as they are.
    if (index > 0 && !embedded.pages.has(page.ref.toString()))
      drawRunningLines(page, source.filing, { page: index + 1, pages: all.length }, fonts);
  }
  addOutline(pdf, placed);
  describe(pdf, source);
  return { bytes: await pdf.save({ objectsPerTick: 500 }), pages: all.length };
}

/** A list of what stands on the next page or two tells nothing. */
function isWorthContents(entries: readonly PlacedEntry[]): boolean {
  return new Set(entries.map(({ destination }) => destination.pageIndex)).size > PAGES_WITHOUT_CONTENTS;
}

function describe(pdf: PDFDocument, { filing, documentId }: PdfSource): void {
  const name = filing.entity_name ?? filing.accession_number;
  pdf.setTitle(`${name}: form ${filing.form_type ?? ''}, ${filing.filing_date ?? ''}`, { showInWindowTitleBar: true });
  pdf.setAuthor(name);
  pdf.setSubject(documentId ?? filing.accession_number);
  pdf.setCreator('filinglake');
  pdf.setLanguage('en');
}

/** A longer content stream, compressed, has something to show. */
const MAX_BLANK_BYTES = 1_500;
/** Operators that show text, a picture or a form. A page that has only rules and backgrounds counts as blank. */
const SHOWS = /(?:^|\s|[>)\]])(?:Tj|TJ|Do|BI|sh)(?=\s|$)/;

/** Pages with nothing to read: two page breaks of a filer in a row leave one. */
function blankPages(pdf: PDFDocument): number[] {
  return pdf.getPages().flatMap((page, index) => (isBlank(page) ? [index] : []));
}

function isBlank(page: PDFPage): boolean {
  const streams = contentStreams(page);
  if (streams === null || streams.reduce((sum, stream) => sum + stream.contents.length, 0) > MAX_BLANK_BYTES)
    return false;
  const operators = streams
    .map((stream) => Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1'))
    .join('\n');
  return !SHOWS.test(operators);
}

function contentStreams(page: PDFPage): PDFRawStream[] | null {
  const contents = page.node.Contents();
  const all = contents instanceof PDFArray ? contents.asArray() : [contents];
  const streams = all.map((entry) => (entry instanceof PDFRef ? page.doc.context.lookup(entry) : entry));
  return streams.every((stream) => stream instanceof PDFRawStream) ? streams : null;
}

const RUNNING_SIZE = 7.5;

/** The header and footer of every page after the cover. */
function drawRunningLines(
  page: PDFPage,
  filing: FilingInfo,
  numbers: { page: number; pages: number },
  fonts: Fonts,
): void {
  const { width, height } = page.getSize();
  const left = MARGIN_POINTS.side;
  const right = width - MARGIN_POINTS.side;
  const style = { size: RUNNING_SIZE, font: fonts.regular, color: MUTED };
  const top = height - 34;
  const form = `${formName(filing.form_type ?? '')}  ·  filed ${filing.filing_date ?? ''}`;
  const formWidth = fonts.regular.widthOfTextAtSize(form, RUNNING_SIZE);
  page.drawText(shortened(fonts.regular, filing.entity_name ?? '', RUNNING_SIZE, right - left - formWidth - 16), {
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
