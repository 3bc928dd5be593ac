/**
 * Builds the PDF: cover and contents before the printed body, running lines, outline. Everything is added to the file of the
 * body. A copy of its pages would lose the destinations of its links.
 */
import { PDFDocument } from '@cantoo/pdf-lib';
import { blankPages } from './blank-pages.ts';
import type { ContentsEntry } from './body-page.ts';
import { drawContents, type PlacedEntry, paginateContents } from './contents-pages.ts';
import { drawCover } from './cover-page.ts';
import { placePdfs } from './embedded-pdfs.ts';
import type { MadePdf } from './made-pdfs.ts';
import { readDestinations } from './named-destinations.ts';
import { addOutline } from './outline.ts';
import type { PdfSource } from './pdf-source.ts';
import { drawRunningLines } from './running-lines.ts';
import { embedFonts } from './type-setting.ts';

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
