/** A document as text that people read and search: tables keep rows and columns, lists their marks; what nobody sees is left out. */
import { readLines } from './lines.ts';

/**
 * Readable text of a document: lines of HTML, cells of a row with tabs between them; typewritten text as it is, less its SGML tags; XML as its text.
 * @param mediaType as `mediaType` gives it
 */
export function readableText(text: string, mediaType: string): string {
  const { lines, source } = readLines(text, mediaType !== 'text/plain');
  const out: string[] = [];
  let row = 0;
  for (const line of lines) {
    if (row !== 0 && line.row === row && out.length > 0) out.push('\t');
    else if (out.length > 0) out.push('\n');
    row = line.row;
    out.push(
      line.text.length < 320
        ? line.text
        : source
            .slice(line.start, line.end)
            .replace(/<[^>]*>/g, '')
            .replace(/\s+/g, ' '),
    );
  }
  return out.join('');
}
