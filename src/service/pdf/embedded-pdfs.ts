/** Documents that are PDFs themselves: their pages take the place of an empty page that the browser printed for each. */
import { PDFDocument } from '@cantoo/pdf-lib';
import { ServiceProblem } from '../answers/problem.ts';
import { type Destination, readDestinations } from './named-destinations.ts';
import type { PdfSource } from './pdf-source.ts';

interface PlacedPdfs {
  /** Anchors of the documents that are PDFs → their first page. The index is that of the document as it is now. */
  destinations: Map<string, Destination>;
  /** Indexes of the pages that were copied. */
  pages: Set<string>;
}

/** Puts each PDF's pages in the place of its empty page. @throws ServiceProblem 422: encrypted, or not a PDF */
export async function placePdfs(body: PDFDocument, source: PdfSource): Promise<PlacedPdfs> {
  const placed: { anchor: string; ref: Destination['page']; top: number }[] = [];
  const pages = new Set<string>();
  for (const [index, document] of source.documents.entries()) {
    if (document.kind !== 'pdf') continue;
    const anchor = `doc-${index}`;
    const at = readDestinations(body).get(anchor);
    if (!at) continue;
    const own = await loadPdf(document.bytes, document.stored.document_id);
    const copies = await body.copyPages(own, own.getPageIndices());
    for (const [k, page] of copies.entries()) {
      body.insertPage(at.pageIndex + 1 + k, page);
      pages.add(page.ref.toString());
    }
    body.removePage(at.pageIndex);
    placed.push({ anchor, ref: copies[0]!.ref, top: copies[0]!.getHeight() });
  }
  const indexes = new Map(body.getPages().map((page, index) => [page.ref.toString(), index]));
  const destinations = new Map(
    placed.map(({ anchor, ref, top }) => [anchor, { page: ref, top, pageIndex: indexes.get(ref.toString())! }]),
  );
  return { destinations, pages };
}

async function loadPdf(bytes: Uint8Array, documentId: string): Promise<PDFDocument> {
  try {
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
    if (pdf.getPageCount() === 0) throw new Error('it has no pages');
    return pdf;
  } catch (cause) {
    throw new ServiceProblem(
      422,
      `document ${documentId} is a PDF that can't be put into another: it is encrypted or damaged; get it with /v2/document`,
      { cause },
    );
  }
}
