import { FilinglakeError } from '../../../core/index.ts';

/** The kind of fault: the bytes are something else, end too early, or are damaged. */
type SubmissionFault = 'submission-unrecognised' | 'submission-truncated' | 'submission-broken';

/** A file that can't be read as a submission. `offset` is the byte of the fault; nothing of the file is returned. */
export class SubmissionError extends FilinglakeError {
  override name = 'SubmissionError';
  readonly offset: number;
  readonly reason: string;

  constructor(fault: SubmissionFault, reason: string, offset: number) {
    super(fault, `${reason} (at byte ${offset})`);
    this.offset = offset;
    this.reason = reason;
  }
}
