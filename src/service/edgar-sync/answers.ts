/** Decides what an answer of EDGAR's hosts means, from its status, its headers and the first bytes of its body. */

type AnswerKind =
  /** The file */
  | 'file'
  /** 304 */
  | 'unchanged'
  /** The file does not exist, or not yet: 404, and the 403 in XML of EDGAR's storage */
  | 'missing'
  /** EDGAR refuses everything from this address for a while */
  | 'blocked'
  /** An unknown kind of refusal: perhaps a block, perhaps of this file alone */
  | 'refused'
  /** A temporary fault: retried */
  | 'fault';

interface AnswerHead {
  status: number;
  contentType: string;
  /** First kilobytes of the body, unpacked */
  head: string;
}

/** EDGAR's storage has these error codes for a missing file. */
const NO_SUCH_FILE = /<Code>\s*(AccessDenied|NoSuchKey)\s*<\/Code>/;
const UNDECLARED = /undeclared automated tool/i;
const THRESHOLD = /request rate threshold exceeded/i;

export function kindOfAnswer({ status, contentType, head }: AnswerHead): AnswerKind {
  // The refusal pages have come with several statuses.
  const isPage = /html/i.test(contentType) || /^\s*<(!doctype html|html)/i.test(head);
  if (isPage && THRESHOLD.test(head)) return 'blocked';
  if (isPage && status !== 200 && UNDECLARED.test(head)) return 'blocked';
  if (status === 200) return 'file';
  if (status === 304) return 'unchanged';
  if (status === 429) return 'blocked';
  if (status === 404 || status === 410) return 'missing';
  if (status === 403) return NO_SUCH_FILE.test(head) ? 'missing' : 'refused';
  return 'fault';
}

/** Whether a block is for the User-Agent. Waiting does not end it. */
export function isAgentRefused(head: string): boolean {
  return UNDECLARED.test(head);
}
