import type { RecordKind } from '../file-kind.ts';
import { type FilingIndexEntry, readFilingIndex } from './filing-index.ts';

/** The line above the table, or the names of its columns. */
const HEAD =
  /^(Description:\s+(Master|Daily|Quarterly) Index of EDGAR|CIK\|Company Name\|Form Type|Form Type\s+Company Name|Company Name\s+Form Type)/;

export const filingIndexKind: RecordKind<'filing_index', Generator<FilingIndexEntry>> = {
  name: 'filing_index',
  recognise: (head) => HEAD.test(head.text),
  read: readFilingIndex,
};
