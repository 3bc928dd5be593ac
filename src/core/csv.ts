/** CSV as spreadsheets and pandas write it. */

/** Records of a CSV file: commas, double quotes, line ends within quotes. Empty lines are none. @throws Error */
export function* csvRecords(text: string): Generator<{ cells: string[]; line: number }> {
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let start = 1;
  let opened = 1;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (quoted && c === undefined) throw new Error(`the quote in line ${opened} has no end`);
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') cell += text[++i];
      else if (c === '"') quoted = false;
      else cell += c;
      if (c === '\n') line++;
    } else if (c === '"' && cell === '') {
      quoted = true;
      opened = line;
    } else if (c === ',') {
      cells.push(cell);
      cell = '';
    } else if (c === '\n' || c === undefined) {
      cells.push(cell.replace(/\r$/, ''));
      if (cells.length > 1 || cells[0]!.trim() !== '') yield { cells, line: start };
      cells = [];
      cell = '';
      start = ++line;
    } else cell += c;
  }
}

/** A cell as in RFC 4180: null is nothing, an empty text "". */
export function csvCell(value: string | number | bigint | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
