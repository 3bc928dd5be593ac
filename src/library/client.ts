/** `filinglake/client`: a client of any /v2 service. */

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
} from '../api/index.ts';
export * from '../client/index.ts';
export { FilinglakeError } from '../core/index.ts';
