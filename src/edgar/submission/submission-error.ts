import { FilinglakeError } from '../../core/index.ts';

/** What kind of trouble: the bytes are something else, they end too early, or something in them is wrong. */
export type SubmissionFault = 'not-a-submission' | 'submission-truncated' | 'submission-broken';

const REMEDIES: Record<SubmissionFault, string> = {
  'not-a-submission': 'give the complete submission text file (.txt) or the feed file (.nc) as EDGAR sends it',
  'submission-truncated': 'fetch the file again; it was cut short',
  'submission-broken': 'fetch the file again; what was received is damaged',
};

/** A file that can't be read as a submission. `offset` is the byte where the trouble is; nothing of the file is given out. */
export class SubmissionError extends FilinglakeError {
  override name = 'SubmissionError';
  readonly offset: number;
  readonly reason: string;

  constructor(fault: SubmissionFault, reason: string, offset: number) {
    super(fault, `${reason} (at byte ${offset})`, { remedy: REMEDIES[fault] });
    this.offset = offset;
    this.reason = reason;
  }
}
