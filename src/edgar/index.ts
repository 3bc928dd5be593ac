/** EDGAR's files: bytes in, records out. Knows nothing of what is inside a document, nor of stores and servers. */
export { firstParty } from './firstParty.ts';
export { readSubmission } from './readSubmission.ts';
export type { FundClass, FundSeries, HeaderField, Submission, SubmissionDocument, Warning } from './submission.ts';
export { SubmissionError, type SubmissionFault } from './submissionError.ts';
