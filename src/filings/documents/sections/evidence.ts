/** The evidence for and against a line being the heading of an item: one table of weights, with the words of `--explain`. */

/** Keys are sorts of evidence. A heading needs LEAST_SCORE; out of the form's order, STRONG_SCORE. */
export const EVIDENCE = {
  // What follows the number and the title.
  alone: ['stands alone', 2],
  'run-in': ['text runs on', 1],
  'own-words': ['own title', 1],
  mention: ['speaks of the item', -7],
  // Contents and running heads that name it. A link says what its author thought the heading is; one to a place without the title may
  // lead to the page only, so that a numbered heading on it wins.
  linked: ['the contents link to it', 6],
  place: ['the contents link to this place', 2],
  contents: ['table of contents', -8],
  paged: ['a page number after it', -1.5],
  first: ['running header', -0.5],
  above: ['running header', -2],
  repeated: ['running header', -5],
  continued: ['continued', -4.5],
  // Titles without a number head other texts, too.
  alike: ['no number', -0.5],
  own: ['no number, other words', -2.5],
  odd: ['no number, set otherwise than other titles', -2.5],
  // The text around it.
  behind: ['behind other words of its row', -7],
  within: ['a sentence runs into it', -4],
  text: ['has text', 0.5],
  long: ['has much text', 1],
} as const satisfies Record<string, readonly [reason: string, weight: number]>;

export type Evidence = keyof typeof EVIDENCE;

/** What the words of a title add for an item, and in a quarterly report the part around it. */
export const TITLE = {
  agrees: 4,
  second: 3.9,
  small: 2.5,
  foreign: 1.5,
  none: 0.5,
  unknown: 1,
  part: 1,
};

export const LEAST_SCORE = 2;
export const STRONG_SCORE = 6;

export function weightOf(evidence: readonly Evidence[]): number {
  return evidence.reduce((sum, one) => sum + EVIDENCE[one][1], 0);
}

export function reasonOf(one: Evidence): string {
  const [reason, weight] = EVIDENCE[one];
  return `${reason} ${weight > 0 ? '+' : ''}${weight}`;
}
