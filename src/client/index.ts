/** A client of any /v2 service. */
export {
  type Answer,
  type AnswerNotes,
  BODY_BYTES_MAX,
  type CallOptions,
  type ClientClock,
  type ClientOptions,
  type DocumentCallOptions,
  FilingClient,
  type ParametersOf,
  type RequestEvent,
} from './client.ts';
export type { DocumentRecord, PdfRecord } from './document-answers.ts';
export type { KnownOfDocument } from './document-validation.ts';
export type { EntityPage, FilingPage, FulltextPage, PageFacts } from './envelope.ts';
export * from './errors.ts';
export type { RequestMethod } from './http-request.ts';
export { firstOfNextMonth, type Quota, type QuotaState } from './quota.ts';
export { type RecordTexts, recordTexts } from './record-texts.ts';
export type { RetryPolicy } from './retry.ts';
