/** Exit codes of the command line; docs/reference/errors.md explains them. */
export const EXIT = {
  complete: 0,
  error: 1,
  usage: 2,
  finishedWithFailures: 3,
  keyRefused: 4,
  unreachable: 5,
  stoppedByQuota: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What an error means, what to do about it, and the HTTP status if the service answers with it. */
export type ErrorText = readonly [meaning: string, remedy: string, httpStatus?: number];

/** The errors of one area by exit code. A code is a subject and its state: `lake-missing`. */
export type ErrorsByExit = {
  readonly [Exit in keyof typeof EXIT]?: Readonly<Record<string, ErrorText>>;
};
