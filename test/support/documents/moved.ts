/**
 * Real 10-Ks whose discussion and statements are moved to another place of the document, with a pointer in their place, and where each
 * stands then.
 */

/** The new place of the statements: `behind` the signatures, at the end of Item `15`, between Item `7` and the heading of Item 8. */
export type Place = 'behind' | '15' | '7';

export interface MovableSection {
  section: string;
  start_index: number;
  body_index: number;
  end_index: number;
}

export interface Moved {
  text: string;
  /** By item: where its substance stands in the text. */
  expected: { section: string; start: number; end: number }[];
}

const POINTERS: Readonly<Record<Place, readonly [statements: string, discussion: string]>> = {
  behind: [
    'The financial statements and the report of the independent auditors are set forth on pages F-1 through F-40 of this report, behind the signatures.',
    "The information required by this item is incorporated by reference from Management's Discussion and Analysis in the 2003 Annual Report to Shareholders, which is bound into this document.",
  ],
  '15': [
    'The financial statements are listed in the index under Item 15 and are included there.',
    'The discussion required by this item appears on pages 23 through 84 of this report, in Item 15.',
  ],
  '7': [
    'The consolidated financial statements are included above, in the pages that follow Item 7 of this report.',
    '',
  ],
};

/**
 * @param sections its Items 7, 8 and 15 in the order of the document
 * @param whole whether the discussion moves with the statements
 */
export function moved(
  source: string,
  isHtml: boolean,
  sections: readonly MovableSection[],
  to: Place,
  whole: boolean,
): Moved | null {
  const of = (code: string) => sections.find(({ section }) => section === code);
  const [seven, eight, fifteen] = [of('7'), of('8'), of('15')];
  if (!seven || !eight || eight.start_index < seven.end_index) return null;
  if (to === '15' && (!fifteen || fifteen.start_index < eight.end_index)) return null;
  const [statementsPointer, discussionPointer] = POINTERS[to];
  const paragraph = (words: string) => (isHtml ? `<p>${words}</p>` : `\n\n${words}\n\n`);
  const statements = source.slice(eight.body_index, eight.end_index);
  const discussion = source.slice(seven.body_index, seven.end_index);
  const title = paragraph("MANAGEMENT'S DISCUSSION AND ANALYSIS OF FINANCIAL CONDITION AND RESULTS OF OPERATIONS");
  let text = '';
  const expected: Moved['expected'] = [];
  const add = (piece: string, section?: string) => {
    if (section !== undefined) expected.push({ section, start: text.length, end: text.length + piece.length });
    text += piece;
  };
  add(source.slice(0, seven.body_index));
  if (whole) add(paragraph(discussionPointer));
  else if (to === '7') add(discussion, '7');
  else add(discussion);
  if (to === '7') add(statements, '8');
  add(source.slice(seven.end_index, eight.body_index));
  add(paragraph(statementsPointer));
  const end = to === '15' ? fifteen!.end_index : (/<\/body/i.exec(source)?.index ?? source.length);
  add(source.slice(eight.end_index, end));
  if (to !== '7') {
    if (whole) add(title + discussion, '7');
    add(statements, '8');
  }
  add(source.slice(end));
  if (to === '7') expected[0]!.start = seven.start_index;
  return { text, expected };
}
