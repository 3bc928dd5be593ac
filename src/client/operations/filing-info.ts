/** Answers to filing_info: docs/api.md#filing_info. */
import {
  type EightKItem,
  type Exhibit,
  type FilingInfo,
  ITEM_PLACES,
  type Party,
  parseAccessionNumber,
  type SectionIndex,
} from '../../api/index.ts';
import {
  accessionNumber,
  date,
  dateTime,
  digits,
  documentId,
  isObject,
  itemNumber,
  listOf,
  oneOf,
  orNull,
  type ReadNotes,
  text,
} from '../read.ts';
import { recordOf } from '../record.ts';
import { readWhole, requireSameId } from '../record-answers.ts';
import {
  addresses,
  DATE_TIME_ALIASES,
  documentReference,
  revision,
  SECTION_ALIASES,
  SECTION_PLACE,
  someCik,
  someInteger,
  someText,
} from '../shared-records.ts';

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
  sic: orNull(digits(4)),
  sic_description: someText,
  irs_number: orNull(digits(9)),
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

const filingInfo = recordOf<FilingInfo>(
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
    revision,
  },
  {
    optional: ['not_read', 'revision'],
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

/** @throws ContractViolationError also for the record of another filing than `asked` */
export function readFilingInfo(body: unknown, asked: string, notes: ReadNotes): FilingInfo {
  const info = readWhole('filing_info', body, filingInfo, notes);
  requireSameId('filing_info', 'accession_number', info.accession_number, parseAccessionNumber(asked));
  return info;
}
