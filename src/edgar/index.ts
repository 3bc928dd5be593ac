/** EDGAR's files: bytes in, records out. Knows nothing of what is inside a document, nor of stores and servers. */
export { type CurrentFeedEntry, readCurrentFeed } from './current-feed.ts';
export { EdgarFileError } from './edgar-file-error.ts';
export { type FilingIndexEntry, readFilingIndex } from './filing-index.ts';
export { firstParty } from './first-party.ts';
export { readFolderListing } from './folder-listing.ts';
export { readSubmission } from './read-submission.ts';
export { type FileKind, HEAD_BYTES, recogniseFile } from './recognise-file.ts';
export type { FundClass, FundSeries, HeaderField, Submission, SubmissionDocument, Warning } from './submission.ts';
export { SubmissionError, type SubmissionFault } from './submission-error.ts';
export {
  readSubmissionsJson,
  type SubmissionsEntity,
  type SubmissionsFiling,
  type SubmissionsJson,
} from './submissions-json.ts';
export { readTickersJson, type Ticker } from './tickers-json.ts';
