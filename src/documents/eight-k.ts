/** Items of a current report: numbers from the body, the header as a hint, exhibits under the item that lists them. */
import {
  DOTTED_ITEMS_SINCE,
  type DocumentReference,
  EIGHT_K_ITEMS,
  EIGHT_K_ITEMS_BEFORE_2004,
  type EightKItem,
  eightKItemTitle,
} from '../contract/index.ts';
import { readLines } from './lines.ts';

export interface EightKInput {
  formType: string;
  /** YYYY-MM-DD */
  filingDate: string;
  /** The header's ITEM INFORMATION: words, numbers or nothing. */
  headerItems: readonly string[];
  /** Text of the main document, where it is at hand. */
  text: string | null;
  documents: readonly DocumentReference[];
}

/** The items of an 8-K, in the order of the body. */
export function eightKItems(input: EightKInput): EightKItem[] {
  const dotted = input.filingDate >= DOTTED_ITEMS_SINCE;
  const known = new Set(dotted ? EIGHT_K_ITEMS : EIGHT_K_ITEMS_BEFORE_2004);
  const items: string[] = [];
  const add = (item: string) => {
    if (known.has(item) && !items.includes(item)) items.push(item);
  };
  if (input.text !== null) {
    for (const line of readLines(input.text).lines) {
      const match = /^[^a-z0-9]{0,6}items?[^a-z0-9]{0,6}(\d{1,2}(?:\.\d\d)?)(?!\d)/i.exec(line.text);
      if (match) add(match[1]!);
    }
  }
  if (items.length === 0) {
    for (const word of input.headerItems) {
      const squeezed = word.toLowerCase().replace(/[^a-z]+/g, '');
      if (/^\d/.test(word)) add(word.trim());
      else
        for (const item of known)
          if (
            squeezed !== '' &&
            eightKItemTitle(item)!
              .toLowerCase()
              .replace(/[^a-z]+/g, '')
              .startsWith(squeezed.slice(0, 30))
          )
            add(item);
    }
  }
  const exhibitItem = items.includes('9.01') ? '9.01' : items.includes('7') ? '7' : null;
  const exhibits = input.documents
    .filter((document) => /^EX-/i.test(document.type ?? ''))
    .map((document) => ({
      exhibit: document.type!.replace(/^EX-/i, ''),
      description: document.description,
      document_id: document.document_id,
    }));
  return items.map((item) => ({ item, title: eightKItemTitle(item), exhibits: item === exhibitItem ? exhibits : [] }));
}
