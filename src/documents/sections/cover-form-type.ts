/** The form of a single document, from its cover page. */

import { decodeReferences } from '../text/character-references.ts';
import { scanMarkup } from '../text/markup.ts';
import { looksLikeHtml } from '../text/media-type.ts';
import { Visibility } from '../text/visibility.ts';

const COVER_LETTERS = 6000;
const FORM =
  /\bform\s*(10\s?-?\s?k\s?(?:sb40|sb|t405|405|t)?|10\s?-?\s?q\s?(?:sb|t)?|8\s?-?\s?k(?:12b|12g3|15d5)?)(\s?\/\s?a|\s*\(?amendment)?/i;
const NAME = /^\s*<type>\s*(\S+)/im;

/**
 * The form type on a document's first page (`10-K`, `10-Q`, `8-K` and their variants), or in its `<TYPE>` line if it has one.
 * Null if neither states it.
 */
export function guessFormType(text: string): string | null {
  const type = NAME.exec(text.slice(0, 2000));
  if (type) return type[1]!.toUpperCase();
  const form = FORM.exec(coverText(text));
  if (!form) return null;
  const name = form[1]!
    .toUpperCase()
    .replace(/\s+/g, '')
    .replace(/^(10|8)-?/, '$1-');
  return form[2] ? `${name}/A` : name;
}

function coverText(text: string): string {
  const visibility = new Visibility();
  const pieces: string[] = [];
  let letters = 0;
  const end = Math.min(text.length, 1_000_000);
  scanMarkup(text, 0, end, !looksLikeHtml(text), {
    open: (name, from, to, selfClosing) => visibility.open(name, text.slice(from, to), selfClosing),
    close: (name) => visibility.close(name),
    text(from, to) {
      if (visibility.hidden || letters > COVER_LETTERS) return;
      pieces.push(text.slice(from, Math.min(to, from + COVER_LETTERS)));
      letters += to - from;
    },
  });
  return decodeReferences(pieces.join(' ')).replace(/\s+/g, ' ');
}
