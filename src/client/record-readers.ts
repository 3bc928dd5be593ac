/** The records of /v2 answers as the liberal reader takes them: every member with its kind and its other names. */
import {
  type Address,
  type DocumentReference,
  type EightKItem,
  ENTITY_TYPES,
  type Entity,
  type Exhibit,
  type Filing,
  type FilingInfo,
  type FilingSections,
  type FulltextHit,
  ITEM_PLACES,
  type Party,
  type SectionContent,
  type SectionIndex,
  type SectionReference,
} from '../api/index.ts';
import {
  accessionNumber,
  cik,
  content,
  date,
  dateTime,
  digits,
  documentId,
  integer,
  isObject,
  itemNumber,
  listOf,
  mapOf,
  number,
  oneOf,
  orNull,
  type Reader,
  text,
} from './read.ts';
import { recordOf } from './record.ts';

const someText = orNull(text);
const someCik = orNull(cik);
const someInteger = orNull(integer);

/** Members of a list of words: `''` is kept (it holds a place), null becomes it. */
const word: Reader<string> = {
  canonical: (value) => typeof value === 'string',
  read: (value, path, notes) => (value === null || value === '' ? '' : text.read(value, path, notes)),
};
const words = listOf(word);

const address = recordOf<Address>(
  'address',
  { street1: someText, street2: someText, city: someText, state: someText, zip: orNull(digits(5)) },
  { aliases: { zip_code: 'zip' } },
);
const addresses = mapOf(address);

export const entity = recordOf<Entity>('entity', {
  cik,
  name: someText,
  tickers: words,
  exchanges: words,
  sic: someText,
  sic_description: someText,
  state_of_incorporation: someText,
  fiscal_year_end: orNull(digits(4)),
  entity_type: orNull(oneOf(ENTITY_TYPES)),
  category: someText,
  addresses,
});

const DATE_TIME_ALIASES = { acceptance_date_time: 'acceptance_datetime' } as const;

const documentReference = recordOf<DocumentReference>(
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

export const filing = recordOf<Filing>(
  'filing',
  {
    accession_number: accessionNumber,
    cik: someCik,
    form_type: someText,
    filing_date: orNull(date),
    acceptance_datetime: orNull(dateTime),
    entity_name: someText,
    report_date: orNull(date),
    size: someInteger,
    documents: listOf(documentReference),
  },
  { aliases: { form: 'form_type', ...DATE_TIME_ALIASES } },
);

const SECTION_ALIASES = { item_label: 'section', item_description: 'title' } as const;

const SECTION_PLACE = {
  document_id: orNull(documentId),
  by_reference: orNull(
    recordOf<SectionReference>('reference', { exhibit: someText, pages: someText, heading: someText }),
  ),
};

const sectionIndex = recordOf<SectionIndex>(
  'section',
  {
    section: text,
    title: someText,
    heading: someText,
    start_index: someInteger,
    end_index: someInteger,
    ...SECTION_PLACE,
  },
  { aliases: SECTION_ALIASES, optional: ['document_id', 'by_reference'] },
);

const exhibit = recordOf<Exhibit>(
  'exhibit',
  { exhibit: someText, description: someText, document_id: orNull(documentId) },
  { aliases: { id: 'document_id' } },
);

const eightKItem = recordOf<EightKItem>(
  'item',
  { item: itemNumber, title: someText, named_in: orNull(oneOf(ITEM_PLACES)), exhibits: listOf(exhibit) },
  { aliases: { item_type: 'item', item_name: 'title' }, optional: ['named_in'] },
);

const party = recordOf<Party>('party', {
  role: text,
  cik: someCik,
  name: someText,
  former_names: listOf(
    recordOf<Party['former_names'][number]>('former_name', { name: text, date_of_change: orNull(date) }),
  ),
  state_of_incorporation: someText,
  fiscal_year_end: orNull(digits(4)),
  sic: someText,
  sic_description: someText,
  irs_number: someText,
  file_number: someText,
  film_number: someText,
  sec_act: someText,
  relationship: someText,
  addresses,
});

const notRead = recordOf<NonNullable<FilingInfo['not_read']>[number]>('not_read', {
  part: oneOf(['text', 'sections', 'items_8k']),
  document_id: orNull(documentId),
  reason: text,
});

export const filingInfo = recordOf<FilingInfo>(
  'filing_info',
  {
    accession_number: accessionNumber,
    cik: someCik,
    entity_name: someText,
    form_type: someText,
    filing_date: orNull(date),
    acceptance_datetime: orNull(dateTime),
    report_date: orNull(date),
    documents: listOf(documentReference),
    sections: listOf(sectionIndex),
    items_8k: orNull(listOf(eightKItem)),
    parties: listOf(party),
    not_read: listOf(notRead),
  },
  {
    optional: ['not_read'],
    aliases: { form: 'form_type', ...DATE_TIME_ALIASES, eightk_items: 'items_8k', items8k: 'items_8k' },
    reshape: flatInfo,
  },
);

/** Some services put the filing's own members under `filing` and the filer's under `filer`. */
function flatInfo(value: Record<string, unknown>): Record<string, unknown> {
  const { filing: own, filer, ...rest } = value;
  let flat: Record<string, unknown> = {};
  if (isObject(filer)) {
    if (filer.cik !== undefined) flat.cik = filer.cik;
    const name = filer.name ?? filer.entity_name ?? filer.entityName;
    if (name !== undefined) flat.entity_name = name;
  } else if (filer !== undefined && filer !== null) flat.filer = filer;
  if (isObject(own)) flat = { ...flat, ...own };
  else if (own !== undefined && own !== null) flat.filing = own;
  return { ...flat, ...rest };
}

const sectionContent = recordOf<SectionContent>(
  'section',
  { section: text, title: someText, heading: someText, html: content, ...SECTION_PLACE },
  { aliases: { ...SECTION_ALIASES, content: 'html' }, optional: ['document_id', 'by_reference'] },
);

/** Some services leave out what the request said already: the reader is told. */
export const filingSections = recordOf<Omit<FilingSections, 'accession_number'> & { accession_number: string | null }>(
  'filing_sections',
  { accession_number: orNull(accessionNumber), form_type: someText, sections: listOf(sectionContent) },
  { aliases: { form: 'form_type' } },
);

export const fulltextHit = recordOf<FulltextHit>(
  'hit',
  {
    id: documentId,
    score: orNull(number),
    accession_number: accessionNumber,
    form_type: someText,
    filing_date: orNull(date),
    acceptance_date_time: orNull(dateTime),
    document_type: someText,
    document_description: someText,
    file_name: someText,
    ciks: listOf(cik),
    sics: words,
    size: someInteger,
    highlights: words,
    text_content: orNull(content),
  },
  {
    aliases: {
      form: 'form_type',
      acceptance_datetime: 'acceptance_date_time',
      filename: 'file_name',
      document_id: 'id',
    },
  },
);

export const fulltextEntity = recordOf<{ cik: string; name: string | null; tickers: string[] }>('entity', {
  cik,
  name: someText,
  tickers: words,
});
