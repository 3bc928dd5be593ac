/** Words of messages: a number alone or with its noun, a word for a shell, the word that a misspelt one means. */

/** A longer word is not a typing error, and comparing costs the square of its length. */
const LONGEST_WORD = 64;

/** 1 request, 1,234 requests, 0 entities. @param many the plural, if it isn't the word with an s */
export function counted(n: number | bigint, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${Number(n) === 1 ? one : many}`;
}

/** 1,234: a number for people. */
export function formatCount(n: number | bigint): string {
  return n.toLocaleString('en-US');
}

/** 123 B, 12.3 kB, 4.5 MB, 1.2 GB (powers of 1,000). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** A word quoted for a POSIX shell if necessary: for commands that a person can paste. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The word of `known` that is nearest to `word`, or null. The edit distance may be a third of its length, and at least 1. Two letters that changed places count as one edit. */
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

/** What a message about an unknown word ends with, if a known one is near. */
export function nearestHint(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === null ? '' : `; did you mean '${near}'?`;
}

function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? beforePrevious[j - 2]! + 1 : substitute;
      row.push(Math.min(substitute, swap, previous[j]! + 1, row[j - 1]! + 1));
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length]!;
}
