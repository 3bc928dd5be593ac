/** Any XML document as rows: each text and attribute with its path. For forms without tables of their own, and for elements that no table has. */
import { bigint, tablesOf, text } from './map/descriptor.ts';
import type { MappedRow } from './map/document-rows.ts';
import { MAPPING_VERSION } from './map/problems.ts';
import { type Element, trimmed } from './xml/element.ts';
import { EACH, ElementReader } from './xml/element-reader.ts';
import type { TextPieces } from './xml/text-pieces.ts';

export const formValues = tablesOf(['all'])('form_values', {
  meaning:
    'Every text and attribute of XML documents, of forms with tables here or without: XBRL and web pages are not among them',
  key: ['document', 'position'],
  columns: [
    text('form_type', '', 'of the filing; of a loose file as its document says', { empty: 'neither says' }),
    text('document', '', 'file name of the document; if it has none, its place in the filing, from 1'),
    bigint('position', '', 'from 0 in the order of the document'),
    text('path', '', 'local names from the root, without positions; @ before an attribute, which keeps its prefix'),
    text('indices', '', 'JSON: for each element of the path its place among those of its name in its parent, from 0'),
    text('value', '', 'as written, white space too, character references resolved', {
      empty: 'an element without anything',
    }),
  ],
});

/** Names below one another: each path is one text, whatever the number of rows. */
class Path {
  readonly text: string;
  readonly #below = new Map<string, Path>();

  constructor(text: string) {
    this.text = text;
  }

  child(name: string): Path {
    let child = this.#below.get(name);
    if (child === undefined) {
      child = new Path(this.text === '' ? name : `${this.text}/${name}`);
      this.#below.set(name, child);
    }
    return child;
  }
}

/** An element in its place. */
interface Place {
  readonly path: Path;
  /** Without the bracket that ends them. */
  readonly indices: string;
  /** Its children so far, by their path. */
  readonly counts: Map<Path, number>;
}

/**
 * An element has a row for each attribute, then one for its text; without both, and without children, one whose value is null. The texts
 * around its children are one value.
 * @param open the document, for each of two passes: the first proves that it is well-formed
 * @throws XmlFault, before the first row
 */
export function* valuesOf(
  open: () => string | TextPieces,
  head: { accession_number: string | null; form_type: string | null; document: string },
): Generator<MappedRow> {
  for (const reader = new ElementReader(open(), EACH); reader.next() !== null; );
  const root = new Path('');
  const above: Place = { path: root, indices: '[', counts: new Map() };
  /** Places of open elements that have children. Their attributes have been given. */
  const places = new Map<Element, Place>();
  let position = 0;
  const row = (path: Path, indices: string, value: string | null): MappedRow => ({
    table: formValues.name,
    row: {
      ...head,
      position: position++,
      path: path.text,
      indices: `${indices}]`,
      value,
      mapping_version: MAPPING_VERSION,
    },
  });

  function* opened(element: Element): Generator<MappedRow, Place> {
    const known = places.get(element);
    if (known !== undefined) return known;
    const parent = element.parent === null ? above : yield* opened(element.parent);
    const path = parent.path.child(element.name);
    const index = parent.counts.get(path) ?? 0;
    parent.counts.set(path, index + 1);
    const place = { path, indices: `${parent.indices}${parent === above ? '' : ','}${index}`, counts: new Map() };
    places.set(element, place);
    const { attributes } = element;
    for (let k = 0; k < attributes.length; k += 2)
      yield row(path.child(`@${attributes[k]}`), place.indices, attributes[k + 1]!);
    return place;
  }

  const reader = new ElementReader(open(), EACH, true);
  for (let element = reader.next(); element !== null; element = reader.next()) {
    const { path, indices, counts } = yield* opened(element);
    places.delete(element);
    const { text, attributes } = element;
    const isLayout = counts.size > 0 && trimmed(text) === '';
    const isBare = counts.size === 0 && attributes.length === 0;
    if ((text !== '' && !isLayout) || isBare) yield row(path, indices, text === '' ? null : text);
  }
}
