/** A client of any /v2 service. The library exports all of these names. */
export {
  type Answer,
  type AnswerNotes,
  BODY_BYTES_MAX,
  type CallOptions,
  type ClientClock,
  type ClientOptions,
  type DocumentCallOptions,
  FilingClient,
  type RequestEvent,
  type RequestOf,
} from './client.ts';
export type { DocumentRecord } from './document.ts';
export type { KnownOfDocument } from './document-validation.ts';
export * from './errors.ts';
export type { RequestMethod } from './http-request.ts';
export type { PageFacts, PageOf } from './page-answers.ts';
export type { PdfRecord } from './pdf.ts';
export { firstOfNextMonth, type Quota, type QuotaState } from './quota.ts';
export { type RecordTexts, recordTexts } from './record-texts.ts';
export { addSent, countsAgainstMonth, NOTHING_SENT, RequestCounter, type Sent } from './request-counter.ts';
export type { RetryPolicy } from './retry.ts';
export { ServiceHabits } from './service-habits.ts';
