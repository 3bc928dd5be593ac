/** Every text and attribute of an XML document by another reader: the whole tree by saxes, then a walk. */
import { SaxesParser } from 'saxes';

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

/** Rows as `[path, indices, value]` in the order of form_values. @throws if the document is not well-formed */
export function valuesBySaxes(text: string): [string, string, string | null][] {
  const top: Node = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const node: Node = { name: name.slice(name.indexOf(':') + 1), attributes, children: [], text: '' };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  parser.on('closetag', () => void open.pop());
  const add = (piece: string) => {
    open.at(-1)!.text += piece;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text.replace(/^\s+(?=<\?xml)/, '')).close();
  return rowsOf(top.children[0]!, top.children[0]!.name, [0]);
}

function rowsOf(
  { attributes, children, text }: Node,
  path: string,
  indices: number[],
): [string, string, string | null][] {
  const place = JSON.stringify(indices);
  const given = Object.entries(attributes).filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'));
  const below = children.flatMap((child, k) =>
    rowsOf(child, `${path}/${child.name}`, [
      ...indices,
      children.slice(0, k).filter(({ name }) => name === child.name).length,
    ]),
  );
  const isLayout = children.length > 0 && text.trim() === '';
  const own = isLayout || text === '' ? [] : [[path, place, text] as [string, string, string]];
  const bare = given.length + children.length + own.length === 0 ? [[path, place, null] as [string, string, null]] : [];
  return [
    ...given.map(([name, value]) => [`${path}/@${name}`, place, value] as [string, string, string]),
    ...below,
    ...own,
    ...bare,
  ];
}
