/** Messages between the service's main thread and a thread that makes PDFs. */
import type { PdfJob } from '../http/operation-route.ts';
import type { ReaderReply } from '../readers/messages.ts';
import type { MadePdf } from './made-pdfs.ts';

export interface PdfThreadData {
  catalogFolder: string;
}

export type PdfRequest =
  | { kind: 'make'; job: PdfJob; deadline: number }
  /** The answer to `find`. Null: print it */
  | { kind: 'known'; name: string; pdf: MadePdf | null }
  | { kind: 'close' };

export type PdfReply =
  | ReaderReply
  /** @param name hash of all that the PDF is made from */
  | { kind: 'find'; name: string }
  /** Printed. Null: too large to be kept */
  | { kind: 'made'; name: string; pdf: MadePdf | null };
