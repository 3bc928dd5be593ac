/**
 * Names and classes of a 13F table in text. If one has several lines, its numbers are in the first line or in the last, all
 * over a table. Lines that leave no doubt decide for those that the row above and the row below could both have.
 */
export type Cell = { text: string; start: number };
type Label<Text = Cell> = Record<'name' | 'title', Text | null>;
export type LabelledRow = { cells: Cell[]; cusip: string; cusipStart: number; page: number };

/** Lines of words, the row that they touch, and that which comes next. */
export type Words = { lines: Cell[][]; above: LabelledRow | null; below: LabelledRow | null; touchesBelow: boolean };

/** No name begins so, but the second line of a name does. */
const SECOND = /^(?:&|(?:inc|incorporated|corp|corporation|company|companies|cos?|ltd|plc|llc)\b)/i;
const WHOLE = /\b(?:inc|corp|corporation|company|co|ltd|plc|llc)\.?$/i;
/** Footnotes too. */
const HEADING = /^(?:\*|\(\w\w?\))|^(?:\w+ )?(?:stocks?|bonds?|equit(?:y|ies)|securities|options)\b\W*(?:cont|$)/i;
/** Classes are left, right or in the middle of their column. */
const DRIFT = 3;

/** Columns are two blanks apart. */
export function cellsOf(line: string, from = 0): Cell[] {
  return [...line.slice(from).matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({ text, start: from + index }));
}

/** Words that are further in than five blanks are a heading in the middle. */
export function isSecondLine({ text, start }: Cell, base: number): boolean {
  return SECOND.test(text) || (start > base && start <= base + 5);
}

export function labelsOf(rows: readonly LabelledRow[], runs: readonly Words[]): Map<LabelledRow, Label<string>> {
  const titles = rows.map(({ cells }) => cells.slice(1).at(-1)?.start);
  let classes = titles.find((start) => start !== undefined) ?? Number.POSITIVE_INFINITY;
  const own = new Map<LabelledRow, Label & { classes: number }>();
  const widest: number[] = [];
  let base = Number.POSITIVE_INFINITY;
  for (const [k, row] of rows.entries()) {
    classes = titles[k] ?? classes;
    const label = labelOf(splitAt(row.cells, classes), classes);
    own.set(row, { ...label, classes });
    widest[row.page] = Math.max(widest[row.page] ?? 0, endOf(label.name));
    base = Math.min(base, label.name?.start ?? base);
  }
  const isSecond = ({ name }: Label) => name !== null && isSecondLine(name, base);
  const hasNoRoom = (name: Cell, next: Cell, page: number) =>
    endOf(name) + 1 + next.text.split(' ')[0]!.length > widest[page]!;
  /** Lines that may be of a row, from that which touches it: further in, or without room beside the line before. */
  const taken = (lines: Cell[][], row: LabelledRow | null, isAbove: boolean): Label[] => {
    const labels: Label[] = [];
    for (const cells of row === null ? [] : lines) {
      const { classes, name } = own.get(row!)!;
      const label = labelOf(cells, classes);
      const near = labels.at(-1) ?? own.get(row!)!;
      const [first, second] = isAbove ? [label, near] : [near, label];
      const isOn = ({ name }: Label, { name: next }: Label) =>
        !name || !next || (next.start >= name.start && (/[&,]$/.test(name.text) || hasNoRoom(name, next, row!.page)));
      if (HEADING.test(cells[0]!.text) || !(isSecond(second) || isOn(first, second))) break;
      if (name !== null && endOf(cells.at(-1)!) > row!.cusipStart) break;
      labels.push(label);
    }
    return labels;
  };
  let votes = 0;
  const ways = runs.map(({ lines, above, below, touchesBelow }) => {
    const [up, down] = [taken(lines, above, false), taken(lines.toReversed(), below, true).reverse()];
    const isUp = up.length > 0 && isSecond(up[0]!);
    const isDown = down.length > 0 && isSecond(own.get(below!)!);
    if (isUp !== isDown) votes += isDown ? 2 : -2;
    else if (touchesBelow !== (above !== null)) votes += Math.sign(down.length) - Math.sign(up.length);
    return { up, down, isUp, above, below: touchesBelow ? below : null, after: below };
  });
  const whole = new Map(rows.map((row) => [row, [own.get(row)!] as Label[]]));
  for (const { up, down, isUp, above, below, after } of ways) {
    const isClear =
      below && (!own.get(below)!.name || (votes === 0 && WHOLE.test((above && own.get(above)!.name?.text) ?? '')));
    if (down.length > 0 && (votes > 0 || isClear)) whole.get(after!)!.unshift(...down);
    else if (up.length > 0 && (votes < 0 || !up[0]!.name || (isUp && down.length === 0)))
      whole.get(above!)!.push(...up);
    else if (up.length > 0 && down.length > 0)
      for (const row of [above!, after!]) whole.set(row, [{ name: null, title: own.get(row)!.title }]);
  }
  const found = new Map<LabelledRow, Label<string>>();
  const words = (row: LabelledRow, column: keyof Label) => {
    const lines = whole.get(row)!.flatMap((label) => label[column]?.text ?? []);
    return (
      lines
        .join('\n')
        .replace(/(?<=[a-z])-\n(?=[a-z])/g, '')
        .replaceAll('\n', ' ') || null
    );
  };
  for (const [k, row] of rows.entries()) {
    const isSame = !own.get(row)!.name && rows[k - 1]?.cusip.slice(0, 6) === row.cusip.slice(0, 6);
    const name = words(row, 'name') ?? (isSame ? found.get(rows[k - 1]!)!.name : null);
    found.set(row, { name, title: words(row, 'title') });
  }
  return found;
}

/** A name that fills its column leaves one blank before the class. */
function splitAt(cells: readonly Cell[], start: number): readonly Cell[] {
  const [first] = cells;
  const at = start - (first?.start ?? 0);
  if (cells.length !== 1 || first!.text[at - 1] !== ' ') return cells;
  return [
    { ...first!, text: first!.text.slice(0, at - 1) },
    { text: first!.text.slice(at), start },
  ];
}

function labelOf(cells: readonly Cell[], classes: number): Label {
  const joined = (part: Cell[]) =>
    part[0] ? { text: part.map(({ text }) => text).join(' '), start: part[0].start } : null;
  const isTitle = ({ start }: Cell) => start >= classes - DRIFT;
  return { name: joined(cells.filter((cell) => !isTitle(cell))), title: joined(cells.filter(isTitle)) };
}

function endOf(cell: Cell | null): number {
  return cell === null ? 0 : cell.start + cell.text.length;
}
