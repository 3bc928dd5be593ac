/** EDGAR's files: bytes in, records out. Knows nothing of what is inside a document, nor of stores and servers. */
export { EdgarFileError } from './edgarFileError.ts';
export { type FilingIndexEntry, readFilingIndex } from './filingIndex.ts';
export { firstParty } from './firstParty.ts';
export { readSubmission } from './readSubmission.ts';
export { type FileKind, HEAD_BYTES, recogniseFile } from './recogniseFile.ts';
export type { FundClass, FundSeries, HeaderField, Submission, SubmissionDocument, Warning } from './submission.ts';
export { SubmissionError, type SubmissionFault } from './submissionError.ts';
export {
  readSubmissionsJson,
  type SubmissionsEntity,
  type SubmissionsFiling,
  type SubmissionsJson,
} from './submissionsJson.ts';
export { readTickersJson, type Ticker } from './tickersJson.ts';
