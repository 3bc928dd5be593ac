/** Removes pages with nothing to read from the printed body: two page breaks of a filer in a row leave one. */
import { decodePDFRawStream, PDFArray, type PDFDocument, type PDFPage, PDFRawStream, PDFRef } from '@cantoo/pdf-lib';

/** A longer content stream, compressed, has something to show. */
const MAX_BLANK_BYTES = 1_500;
/** Operators that show text, a picture or a form. A page that has only rules and backgrounds counts as blank. */
const SHOWS = /(?:^|\s|[>)\]])(?:Tj|TJ|Do|BI|sh)(?=\s|$)/;

export function blankPages(pdf: PDFDocument): number[] {
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
