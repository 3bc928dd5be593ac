/** The form of a document, from its root element and the type that it states. */
import { textOf } from './xml/element.ts';
import { ElementReader } from './xml/element-reader.ts';
import { XmlFault } from './xml/xml-fault.ts';

export interface RecognisedDocument {
  /** Local name of the root element. */
  root: string;
  /** `submissionType`, at its place in the form; null if it has none. */
  type: string | null;
}

/** @returns null if it isn't XML; the type is null if the document is damaged before its type */
export function recogniseDocument(text: string): RecognisedDocument | null {
  const root = rootName(text);
  if (root === null) return null;
  if (root !== 'edgarSubmission') return { root, type: null };
  const reader = new ElementReader(
    text,
    ({ name, parent }) =>
      name === 'submissionType' &&
      (parent?.parent === null || (parent?.name === 'headerData' && parent.parent?.parent === null)),
  );
  try {
    const element = reader.next();
    return { root, type: element === null ? null : textOf(element) };
  } catch (error) {
    if (error instanceof XmlFault) return { root, type: null };
    throw error;
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
    const found = text.indexOf(end, at);
    if (found < 0) return null;
    at = found + end.length;
  }
}
