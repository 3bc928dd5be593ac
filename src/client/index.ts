/** A client of any /v2 service. */
export {
  BODY_BYTES_MAX,
  type CallOptions,
  type ClientClock,
  type ClientOptions,
  FilingClient,
  type RequestEvent,
} from './client.ts';
export type { KnownOfDocument } from './document-validation.ts';
export * from './errors.ts';

export type { PageFacts } from './page-answers.ts';
export { firstOfNextMonth, type Quota } from './quota.ts';
export { type RecordTexts, recordTexts } from './record-texts.ts';
export { addSent, countsAgainstMonth, NOTHING_SENT, RequestCounter, type Sent } from './request-counter.ts';

export { ServiceHabits } from './service-habits.ts';
