import type { RecordKind } from '../file-kind.ts';
import { readSubmission } from './read-submission.ts';
import type { Submission } from './submission.ts';

export const submissionKind: RecordKind<'submission', Submission> = {
  name: 'submission',
  recognise: (head) =>
    /^(-----BEGIN PRIVACY-ENHANCED MESSAGE-----|<(SEC-DOCUMENT|IMS-DOCUMENT|SUBMISSION)>)/.test(head.text),
  read: readSubmission,
};
