/** Readers of members that several records share, with their kinds and aliases. */
import type { Address, DocumentReference, SectionReference } from '../api/index.ts';
import { cik, digits, documentId, integer, listOf, mapOf, orNull, type Reader, text } from './read.ts';
import { recordOf } from './record.ts';

export const someText = orNull(text);
export const someCik = orNull(cik);
export const someInteger = orNull(integer);

/** Members of a list of words: `''` is kept (it holds a place), and null becomes `''`. */
const word: Reader<string> = {
  canonical: (value) => typeof value === 'string',
  read: (value, path, notes) => (value === null || value === '' ? '' : text.read(value, path, notes)),
};
export const words = listOf(word);

const address = recordOf<Address>(
  'address',
  { street1: someText, street2: someText, city: someText, state: someText, zip: orNull(digits(5)) },
  { aliases: { zip_code: 'zip' } },
);
export const addresses = mapOf(address);

export const DATE_TIME_ALIASES = { acceptance_date_time: 'acceptance_datetime' } as const;

export const documentReference = recordOf<DocumentReference>(
  'document',
  {
    document_id: documentId,
    sequence: integer,
    filename: someText,
    description: someText,
    type: someText,
    size: someInteger,
  },
  { aliases: { id: 'document_id', file_name: 'filename', document_type: 'type' }, optional: ['size'] },
);

/** A service may mean something else by this name: a value of another form counts as none, and its record is sound. */
export const revision: Reader<string | null> = {
  canonical: someText.canonical,
  read: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) || null : null),
};

export const SECTION_ALIASES = { item_label: 'section', item_description: 'title' } as const;

export const SECTION_PLACE = {
  document_id: orNull(documentId),
  by_reference: orNull(
    recordOf<SectionReference>('reference', { exhibit: someText, pages: someText, heading: someText }),
  ),
};
