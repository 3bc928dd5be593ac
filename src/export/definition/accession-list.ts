/** A text file of accession numbers: one a line, with or without dashes, `#` before comments. */
import { parseAccessionNumber } from '../../api/index.ts';

export interface WrongLine {
  /** From 1 */
  line: number;
  column: number;
  text: string;
}

export interface AccessionList {
  /** Each once, in the order of the file, with dashes. */
  numbers: string[];
  /** The first line that holds something else; null if none does */
  wrong: WrongLine | null;
}

export function readAccessionList(text: string): AccessionList {
  const numbers = new Set<string>();
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  for (const [i, line] of lines.entries()) {
    const entry = line.replace(/#.*$/, '').trim();
    if (entry === '') continue;
    const number = parseAccessionNumber(entry);
    if (number === null) {
      return { numbers: [...numbers], wrong: { line: i + 1, column: line.indexOf(entry) + 1, text: entry } };
    }
    numbers.add(number);
  }
  return { numbers: [...numbers], wrong: null };
}
