/** `filinglake/client`: a client of any /v2 service. */

export { FilinglakeError } from '../core/index.ts';
export * from '../export/client/index.ts';
export type {
  DocumentReference,
  EightKItem,
  Entity,
  Filing,
  FilingInfo,
  FilingSections,
  FulltextHit,
  OperationName,
  SectionContent,
} from '../filings/api/index.ts';
