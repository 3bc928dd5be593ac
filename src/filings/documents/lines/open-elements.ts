/** Elements that a start tag ends in HTML. */

/** By start tag: `[those it ends, those that stop the search]`. */
const ENDS: ReadonlyMap<string, readonly [ReadonlySet<string>, ReadonlySet<string>]> = new Map(
  (
    [
      ['li', 'li', 'ul ol table td th menu dir'],
      ['dt', 'dt dd', 'dl table td th'],
      ['dd', 'dt dd', 'dl table td th'],
      ['option', 'option', 'select'],
      ['td', 'td th', 'table tr'],
      ['th', 'td th', 'table tr'],
      ['tr', 'tr', 'table'],
      ['tbody', 'tbody thead tfoot', 'table'],
      ['thead', 'tbody thead tfoot', 'table'],
      ['tfoot', 'tbody thead tfoot', 'table'],
    ] as const
  ).map(([name, ended, stops]) => [name, [new Set(ended.split(' ')), new Set(stops.split(' '))]]),
);
/** Start tags that end an open paragraph. */
const ENDS_PARAGRAPH: ReadonlySet<string> = new Set(
  'address article aside blockquote center dir div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section table ul'.split(
    ' ',
  ),
);
const PARAGRAPH: ReadonlySet<string> = new Set(['p']);
const PARAGRAPH_SCOPE: ReadonlySet<string> = new Set(['table', 'td', 'th', 'caption', 'body', 'html', 'button']);

/** How many of the open elements, the outermost first, stay open at a start tag. */
export function depthAt(name: string, open: readonly { name: string }[]): number {
  let depth = open.length;
  const cut = (ended: ReadonlySet<string>, stops: ReadonlySet<string>) => {
    let i = depth - 1;
    while (i >= 0 && !stops.has(open[i]!.name) && !ended.has(open[i]!.name)) i--;
    if (i >= 0 && ended.has(open[i]!.name)) depth = i;
  };
  if (ENDS_PARAGRAPH.has(name)) cut(PARAGRAPH, PARAGRAPH_SCOPE);
  const rule = ENDS.get(name);
  if (rule !== undefined) cut(...rule);
  return depth;
}
