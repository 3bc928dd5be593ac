/** The form of a document, from its root element and the type that it states. */
import { textOf } from '../xml/element.ts';
import { ElementReader } from '../xml/element-reader.ts';
import type { TextPieces } from '../xml/text-pieces.ts';
import { XmlFault } from '../xml/xml-fault.ts';

interface RecognisedDocument {
  /** Local name of the root element. */
  root: string;
  /** `submissionType`, at its place in the form; null if it has none. */
  type: string | null;
  /** Namespace of the root; null if it declares none. */
  namespace: string | null;
  /** It has an XML declaration or a namespace. A text with a few tags has neither. */
  isXml: boolean;
}

/** @returns null if it isn't XML; the type is null if the document is damaged before its type */
export function recogniseDocument(open: () => string | TextPieces): RecognisedDocument | null {
  const root = rootOf(open());
  if (root === null) return null;
  const head = headOf(open());
  const namespace = namespaceOf(head, root);
  const found = { root, namespace, isXml: namespace !== null || /^[\s\uFEFF\x85]*<\?xml\b/.test(head) };
  if (root !== 'edgarSubmission') return { ...found, type: null };
  const reader = new ElementReader(
    open(),
    ({ name, parent }) =>
      name === 'submissionType' &&
      (parent?.parent === null || (parent?.name === 'headerData' && parent.parent?.parent === null)),
  );
  try {
    const element = reader.next();
    return { ...found, type: element === null ? null : textOf(element) };
  } catch (error) {
    if (error instanceof XmlFault) return { ...found, type: null };
    throw error;
  }
}

/** Comments before the root are rarely longer. */
const HEAD_LENGTH = 20_000;

function headOf(source: string | TextPieces): string {
  if (typeof source === 'string') return source.slice(0, HEAD_LENGTH);
  let head = '';
  for (let piece = source.next(); piece !== null && head.length < HEAD_LENGTH; piece = source.next()) head += piece;
  return head;
}

function namespaceOf(head: string, root: string): string | null {
  const tag = new RegExp(`<(?:([^\\s<>/:]+):)?${root}(\\s[^>]*)?>`).exec(head);
  if (tag === null) return null;
  const name = tag[1] === undefined ? 'xmlns' : `xmlns:${tag[1]}`;
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag[2] ?? '')?.[1] ?? null;
}

function rootOf(source: string | TextPieces): string | null {
  if (typeof source === 'string') return rootName(source);
  let text = '';
  for (;;) {
    const piece = source.next();
    if (piece === null) return rootName(text);
    text += piece;
    const root = rootName(text);
    // A comment may be longer than a piece, and the name may end in the next one.
    const whole = root !== null && !text.endsWith(root) && !text.endsWith(`${root}:`);
    if (whole || !/^[\s\uFEFF\x85]*(?:<|$)/.test(text)) return root;
  }
}

/** Local name of the first element, after declarations and comments. */
export function rootName(text: string): string | null {
  let at = 0;
  for (;;) {
    while (/[\s\uFEFF\x85]/.test(text[at] ?? '')) at++;
    if (text[at] !== '<') return null;
    const end = text.startsWith('<?', at)
      ? '?>'
      : text.startsWith('<!--', at)
        ? '-->'
        : text.startsWith('<!', at)
          ? '>'
          : null;
    if (end === null) return /^<(?:[^\s<>/:]+:)?([^\s<>/:]+)/.exec(text.slice(at, at + 200))?.[1] ?? null;
    const found = end === '>' ? endOfDeclaration(text, at) : text.indexOf(end, at);
    if (found < 0) return null;
    at = found + end.length;
  }
}

/** Place of the `>` that ends a declaration; one in the entities of a document type ends only these. -1 without one. */
function endOfDeclaration(text: string, at: number): number {
  const end = text.indexOf('>', at);
  const entities = text.indexOf('[', at);
  if (entities < 0 || entities > end) return end;
  const close = /\]\s*>/g;
  close.lastIndex = entities;
  return close.test(text) ? close.lastIndex - 1 : -1;
}

/** A document that no reader of forms decodes: a byte order mark of UTF-16, read as windows-1252. */
export function isUtf16(source: string | TextPieces): boolean {
  return /^(?:\xFF\xFE|\xFE\xFF)/.test((typeof source === 'string' ? source : source.next()) ?? '');
}
