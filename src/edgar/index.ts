/** EDGAR's files: bytes in, records out. Knows nothing of what is inside a document, nor of stores and servers. */
export { type CurrentFeedEntry, readCurrentFeed } from './atom/current-feed.ts';
export { EdgarFileError } from './edgar-file-error.ts';
export { type FilingIndexEntry, readFilingIndex } from './indexes/filing-index.ts';
export { readFolderListing } from './indexes/folder-listing.ts';
export { type FileKind, HEAD_BYTES, recogniseFile } from './recognise-file.ts';
export { firstParty } from './submission/primary-filer.ts';
export { readSubmission } from './submission/read-submission.ts';
export type {
  FundClass,
  FundSeries,
  HeaderField,
  Submission,
  SubmissionDocument,
  Warning,
} from './submission/submission.ts';
export { SubmissionError, type SubmissionFault } from './submission/submission-error.ts';
export {
  readSubmissionsJson,
  type SubmissionsEntity,
  type SubmissionsFiling,
  type SubmissionsJson,
} from './submissions-json/submissions-json.ts';
export { readTickersJson, type Ticker } from './tickers/tickers-json.ts';
