/** The kinds of EDGAR's files, in the order in which they are tried. */
import { currentFeedKind } from './atom/current-feed.ts';
import { folderListingKind } from './folder-listing/folder-listing.ts';
import { fundTickersJsonKind } from './fund-tickers/fund-tickers-json.ts';
import { filingIndexKind } from './indexes/filing-index.ts';
import { filingsCsvKind, headersPageKind, submissionMetadataKind } from './loose/filing-facts.ts';
import { documentKind, pageKind, xmlKind } from './markup/kinds.ts';
import { FileHead, type FileKind } from './reading/file-kind.ts';
import { submissionKind } from './submission/read-submission.ts';
import { submissionsJsonKind } from './submissions-json/submissions-json.ts';
import { tickersJsonKind } from './tickers/tickers-json.ts';

export const FILE_KINDS: readonly FileKind[] = [
  submissionKind,
  folderListingKind,
  tickersJsonKind,
  fundTickersJsonKind,
  submissionMetadataKind,
  submissionsJsonKind,
  filingIndexKind,
  filingsCsvKind,
  headersPageKind,
  currentFeedKind,
  pageKind,
  documentKind,
  xmlKind,
];

/** The kind of a file; null: none. @param name without `.gz` @param head its first bytes, decompressed: HEAD_BYTES */
export function recogniseFile(name: string, head: Buffer, kinds: readonly FileKind[] = FILE_KINDS): FileKind | null {
  const file = new FileHead(name, head);
  return kinds.find((kind) => kind.recognise(file)) ?? null;
}
