/** EDGAR's files: bytes in, records out. Knows nothing of the content of documents, or of stores and servers. */
export { type CurrentFeedEntry, readCurrentFeed } from './atom/current-feed.ts';
export { FILE_KINDS, recogniseFile } from './file-kinds.ts';
export { readFolderListing } from './folder-listing/folder-listing.ts';
export { fundTickersJsonKind } from './fund-tickers/fund-tickers-json.ts';
export { type FilingIndexEntry, filingIndexKind, readFilingIndex } from './indexes/filing-index.ts';
export {
  type FilingFacts,
  factsOfIndexEntry,
  factsOfJson,
  filingsCsvKind,
  headersPageKind,
  submissionMetadataKind,
} from './loose/filing-facts.ts';
export {
  COMPLETE_SIZE,
  DOCUMENTS_AT_HAND,
  isFiled,
  type LooseDocument,
  looseSubmission,
} from './loose/loose-submission.ts';
export { xmlKind } from './markup/kinds.ts';
export { EdgarFileError } from './reading/edgar-file-error.ts';
export { type FileKind, HEAD_BYTES, type RecordKind } from './reading/file-kind.ts';
export { primaryFiler } from './submission/primary-filer.ts';
export { readSubmission, submissionKind } from './submission/read-submission.ts';
export type { Submission, SubmissionDocument } from './submission/submission.ts';
export { SubmissionError } from './submission/submission-error.ts';
export { isClosed } from './submission/submission-markers.ts';
export { acceptanceTimes } from './submissions-json/acceptance-times.ts';
export {
  readSubmissionsJson,
  type SubmissionsEntity,
  type SubmissionsJson,
  submissionsJsonKind,
} from './submissions-json/submissions-json.ts';
export { readTickersJson, type Ticker, tickersJsonKind } from './tickers/tickers-json.ts';
