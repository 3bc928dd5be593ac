/** Paragraphs that two texts share, and that one alone has. */
export interface Paragraph {
  readonly start: number;
  readonly end: number;
  /** Words alone: spaces and marks of lists may change. */
  readonly words: string;
}

/** Columns of a typewritten document at most (EDGAR Filer Manual: 80, of tables 132). */
const TYPED_COLUMNS = 132;
const LINE = /\S[^\n]*/g;
/** Lines without a blank one between them. */
const BLOCK = /\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*/g;

/** Lines; of a typewritten text, whose lines are wrapped, what stands between blank ones. */
function paragraphs(text: string): Paragraph[] {
  const isTyped = /\n[^\S\n]*\n/.test(text) && text.split('\n').every((line) => line.length <= TYPED_COLUMNS);
  return [...text.matchAll(isTyped ? BLOCK : LINE)].map(({ index: start, 0: lines }) => {
    return { start, end: start + lines.trimEnd().length, words: lines.replace(/\s+/g, ' ').trim() };
  });
}

/** A paragraph that moved is the same. */
export function differences(before: string, after: string) {
  const left = new Map<string, number>();
  const old = paragraphs(before);
  for (const { words } of old) left.set(words, (left.get(words) ?? 0) + 1);
  const take = (words: string) => {
    const n = left.get(words) ?? 0;
    if (n > 0) left.set(words, n - 1);
    return n > 0;
  };
  const now = paragraphs(after);
  const added = now.filter(({ words }) => !take(words));
  // What is left of a paragraph that stood several times is gone at its last places.
  const gone: Paragraph[] = [];
  for (const one of old.toReversed()) if (take(one.words)) gone.unshift(one);
  return { same: now.length - added.length, added, gone };
}
