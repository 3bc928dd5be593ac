/** Help on a narrow terminal: its paragraphs are broken at words. */

/**
 * Breaks paragraphs of which a line is longer than `width` characters. A line break after the end of a sentence stays, and so do
 * indented lines (options, examples) and lines in columns.
 */
export function wrappedHelp(text: string, width: number): string {
  const wrapped: string[] = [];
  let sentence = '';
  const flush = () => {
    if (sentence !== '') wrapped.push(...brokenAtWords(sentence, width));
    sentence = '';
  };
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    if (line === '' || /^\s|\S {2,}\S/.test(line) || !isInLongParagraph(lines, i, width)) {
      flush();
      wrapped.push(line);
      continue;
    }
    sentence = sentence === '' ? line : `${sentence} ${line}`;
    if (/[.:]$/.test(line)) flush();
  }
  flush();
  return wrapped.join('\n');
}

/** A paragraph that fits stays as it was written. */
function isInLongParagraph(lines: readonly string[], at: number, width: number): boolean {
  const isText = (line: string | undefined) => line !== undefined && line !== '' && !/^\s/.test(line);
  let first = at;
  while (isText(lines[first - 1])) first--;
  for (let i = first; isText(lines[i]); i++) if (lines[i]!.length > width) return true;
  return false;
}

/** A word that is longer than the width stands alone on a line. */
function brokenAtWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
