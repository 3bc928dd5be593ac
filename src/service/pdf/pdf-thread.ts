/** A thread that makes PDFs, one at a time. It reads and cleans documents, prints them with the browser, and builds the file. */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { Pdf } from '../../filings/api/index.ts';
import { wantsBytes } from '../answers/accept.ts';
import { etagOf, matchesEtag } from '../answers/etag.ts';
import { jsonOutcome, type Outcome } from '../answers/outcome.ts';
import { Catalog } from '../catalog/index.ts';
import type { PdfJob } from '../http/operation-route.ts';
import { replyOfError, withOwnMemory } from '../readers/messages.ts';
import { assemblePdf } from './assemble.ts';
import { bodyPage } from './body-page.ts';
import { KEPT_BYTES_MAX, type MadePdf } from './made-pdfs.ts';
import type { PdfReply, PdfRequest, PdfThreadData } from './pdf-messages.ts';
import { type PdfPlan, planPdf, readPdfSource } from './pdf-source.ts';
import { PrintingBrowser } from './printing-browser.ts';
import { tooLate } from './too-late.ts';

const { catalogFolder } = workerData as PdfThreadData;
const store = Catalog.open(catalogFolder);
const browser = new PrintingBrowser();
const port = parentPort!;
let wanted: { name: string; resolve: (pdf: MadePdf | null) => void } | null = null;

async function make(job: PdfJob, deadline: number): Promise<Outcome> {
  const plan = planPdf(store, job.parameters);
  const filename = `${plan.documentId ?? plan.filing.accession_number}.pdf`;
  const contentType = 'application/pdf';
  const headers = { 'content-disposition': `attachment; filename="${filename}"` };
  const asBytes = wantsBytes(job.accept, [contentType]);
  const etag = etagOf(plan.etag, asBytes ? 'bytes' : 'json');
  if (matchesEtag(job.ifNoneMatch, etag)) {
    return { body: new Uint8Array(), contentType, etag, size: 0, coding: null, headers };
  }
  const { bytes, pages } = (await find(plan.etag)) ?? (await print(plan, deadline));
  if (asBytes) return { body: bytes, contentType, etag, size: bytes.byteLength, coding: null, headers };
  const answer: Pdf = {
    accession_number: plan.filing.accession_number,
    document_id: plan.documentId,
    filename,
    content_type: contentType,
    encoding: 'base64',
    pages,
    size: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  };
  return { ...jsonOutcome(JSON.stringify(answer), { tagged: false }), etag };
}

/** The main thread keeps the PDFs of all threads. */
function find(name: string): Promise<MadePdf | null> {
  const { promise, resolve } = Promise.withResolvers<MadePdf | null>();
  wanted = { name, resolve };
  port.postMessage({ kind: 'find', name } satisfies PdfReply);
  return promise;
}

/** @throws ServiceProblem 422, 503, 504 */
async function print(plan: PdfPlan, deadline: number): Promise<MadePdf> {
  const source = readPdfSource(plan);
  const { html, entries } = bodyPage(source);
  const body = await browser.print(html, plan.pageSize, deadline);
  if (Date.now() > deadline) throw tooLate();
  const pdf = await assemblePdf(body, entries, source);
  // The tag hashes the filing, its documents and the version of this code. Another browser comes with another process.
  // A large file is not kept, and not copied here.
  const kept = pdf.bytes.byteLength <= KEPT_BYTES_MAX ? pdf : null;
  port.postMessage({ kind: 'made', name: plan.etag, pdf: kept } satisfies PdfReply);
  return pdf;
}

port.on('message', async (request: PdfRequest) => {
  if (request.kind === 'known') {
    if (wanted?.name === request.name) wanted.resolve(request.pdf);
    return;
  }
  if (request.kind === 'close') {
    await browser.close();
    store.close();
    port.close();
    return;
  }
  try {
    const outcome = await make(request.job, request.deadline);
    const body = withOwnMemory(outcome.body);
    port.postMessage({ kind: 'outcome', outcome: { ...outcome, body } } satisfies PdfReply, [body.buffer]);
  } catch (error) {
    port.postMessage(replyOfError(error));
  }
});
