/** Messages between the service's main thread and the thread that makes PDFs. */
import type { PdfJob } from '../http/operation-route.ts';

export interface PdfThreadData {
  catalogFolder: string;
}

export type PdfRequest = { kind: 'make'; job: PdfJob; deadline: number } | { kind: 'close' };
