/** The one table of errors: what went wrong, the process's exit code, and what to do. Every error a user sees is one of these. */

/** Exit codes of the command line; documented in docs/reference/json-output.md. */
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

/** An error with a code that scripts may read, an exit code, and a remedy for people. */
export class FilinglakeError extends Error {
  override name = 'FilinglakeError';
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly remedy: string | null;
  /** What else is wrong with the same input, told with it. */
  readonly others: readonly FilinglakeError[];

  /**
   * @param code kebab-case, stable: `lake-unwritable`
   * @param message what happened, to which input
   */
  constructor(
    code: string,
    message: string,
    options: { exitCode?: ExitCode; remedy?: string; cause?: unknown; others?: readonly FilinglakeError[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.exitCode = options.exitCode ?? EXIT.error;
    this.remedy = options.remedy ?? null;
    this.others = options.others ?? [];
  }
}

/** Longer words are no slips of the pen, and comparing them costs the square of their length. */
const LONGEST_WORD = 64;

/** The word of `known` nearest to `word` (edit distance at most a third of its length, at least 1 edit allowed), or null. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  if (word.length > LONGEST_WORD) return null;
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitute, previous[j]! + 1, row[j - 1]! + 1));
    }
    previous = row;
  }
  return previous[b.length]!;
}
