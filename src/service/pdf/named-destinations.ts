/** Positions of the body's anchors: Chromium's named destinations, read from the printed PDF. */
import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFNumber, PDFRef } from '@cantoo/pdf-lib';

export interface Destination {
  page: PDFRef;
  /** Index of the page in the document as it is now */
  pageIndex: number;
  /** Points from the bottom of the page */
  top: number;
}

export function readDestinations(pdf: PDFDocument): Map<string, Destination> {
  const found = new Map<string, Destination>();
  const dictionary = pdf.catalog.lookup(PDFName.of('Dests'));
  if (!(dictionary instanceof PDFDict)) return found;
  const pages = new Map(pdf.getPages().map((page, index) => [page.ref.toString(), index]));
  for (const [name, value] of dictionary.entries()) {
    const resolved = value instanceof PDFRef ? pdf.context.lookup(value) : value;
    const target = resolved instanceof PDFDict ? resolved.lookup(PDFName.of('D')) : resolved;
    if (!(target instanceof PDFArray)) continue;
    const page = target.get(0);
    const top = target.get(3);
    const pageIndex = pages.get(page.toString());
    if (!(page instanceof PDFRef) || pageIndex === undefined) continue;
    found.set(name.decodeText(), { page, pageIndex, top: top instanceof PDFNumber ? top.asNumber() : 0 });
  }
  return found;
}
