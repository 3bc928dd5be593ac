/** filing_info: docs/api.md#filing_info. */
import { z } from 'zod';
import { KINDS } from '../kinds.ts';
import { accessionNumber, apiKey } from '../parameters.ts';
import {
  acceptanceText,
  accessionText,
  addressSchema,
  cikText,
  dateText,
  digitsText,
  documentIdText,
  documentReferenceSchema,
  revisionText,
  sectionPlace,
  text,
} from '../records.ts';
import { FILER_ADDRESS, REPORT, REPORT_DOCUMENT, REPORT_FILING } from './example-filing.ts';
import { operation } from './operation.ts';

export const filingInfoParametersSchema = z.strictObject({
  ...apiKey,
  accession_number: accessionNumber.optional().describe('required'),
});

export const sectionIndexSchema = z
  .object({
    section: z.string().describe('code: 1A for a 10-K, II-1A for a 10-Q'),
    title: text,
    heading: text.describe("the filing's own words"),
    start_index: z.int().nullable().describe('UTF-16 position in the text of the main document'),
    end_index: z.int().nullable().describe('UTF-16 position, exclusive'),
    ...sectionPlace,
  })
  .register(KINDS, { record: 'section' });
export type SectionIndex = z.infer<typeof sectionIndexSchema>;

export const exhibitSchema = z
  .object({ exhibit: text, description: text, document_id: documentIdText.nullable() })
  .register(KINDS, { record: 'exhibit' });
export type Exhibit = z.infer<typeof exhibitSchema>;

export const ITEM_PLACES = ['header', 'body', 'both'] as const;

export const eightKItemSchema = z
  .object({
    item: z.string().register(KINDS, { value: '8-K item' }).describe('2.02 since 2004, 1 to 12 before'),
    title: text.describe('valid on the filing date'),
    named_in: z
      .enum(ITEM_PLACES)
      .nullable()
      .optional()
      .describe('place that names the item: headings of the body decide, the header is a hint; other services omit it'),
    start_index: z
      .int()
      .nullable()
      .optional()
      .describe('UTF-16 position of its heading in the text of the main document; null if only the header names it'),
    end_index: z.int().nullable().optional().describe('its end, exclusive: the next heading, or the signatures'),
    exhibits: z.array(exhibitSchema),
  })
  .register(KINDS, { record: 'item' });
export type EightKItem = z.infer<typeof eightKItemSchema>;

export const partySchema = z
  .object({
    role: z.string().describe('filer, subject_company, filed_by, issuer, reporting_owner, filed_for, ...'),
    cik: cikText.nullable(),
    name: text,
    former_names: z.array(
      z.object({ name: z.string(), date_of_change: dateText.nullable() }).register(KINDS, { record: 'former_name' }),
    ),
    state_of_incorporation: text,
    fiscal_year_end: digitsText(4),
    sic: digitsText(4),
    sic_description: text,
    irs_number: digitsText(9),
    file_number: text,
    film_number: text,
    sec_act: text,
    relationship: text,
    addresses: z.record(z.string(), addressSchema),
  })
  .register(KINDS, { record: 'party' });
export type Party = z.infer<typeof partySchema>;

export const fundSeriesSchema = z
  .object({
    status: z.string().describe('first word of the group that holds it: existing, new, acquiring, target, ...'),
    owner_cik: cikText.nullable(),
    series_id: z.string(),
    name: text,
    classes: z.array(z.object({ class_id: text, name: text, ticker: text }).register(KINDS, { record: 'class' })),
  })
  .register(KINDS, { record: 'series' });
export type FundSeries = z.infer<typeof fundSeriesSchema>;

const utcTime = (what: string) =>
  z
    .string()
    .register(KINDS, { value: 'UTC time' })
    .nullable()
    .optional()
    .describe(`${what} (UTC); null: never, or not known`);
/** What EDGAR says of a filing after its publication. Services that don't follow EDGAR omit them, and so do records of older catalogs. */
const edgarTimes = {
  withdrawn_at: utcTime("when EDGAR's indexes were first seen without the filing"),
  corrected_at: utcTime('when EDGAR was first seen with another submission under its number'),
  checked_at: utcTime('when EDGAR was last asked for its submission'),
};

export const filingInfoSchema = z
  .object({
    accession_number: accessionText,
    cik: cikText.nullable(),
    entity_name: text,
    form_type: text,
    filing_date: dateText.nullable(),
    acceptance_datetime: acceptanceText.nullable(),
    report_date: dateText.nullable(),
    documents: z.array(documentReferenceSchema),
    sections: z.array(sectionIndexSchema),
    items_8k: z.array(eightKItemSchema).nullable().describe('null for a form that has no 8-K items'),
    parties: z.array(partySchema),
    series: z
      .array(fundSeriesSchema)
      .optional()
      .describe("a fund's series and classes in the header; absent if it has none"),
    not_read: z
      .array(
        z
          .object({
            part: z
              .enum(['text', 'sections', 'items_8k', 'documents'])
              .describe('text: full text does not find the document; documents: the service has some of them only'),
            document_id: documentIdText.nullable(),
            reason: z.string(),
          })
          .register(KINDS, { record: 'not_read' }),
      )
      .optional()
      .describe('what the service left out of this record or of full text; absent if it left out nothing'),
    ...edgarTimes,
    revision: revisionText,
  })
  .register(KINDS, { record: 'filing_info' });
export type FilingInfo = z.infer<typeof filingInfoSchema>;

export const filingInfoOperation = operation({
  path: '/v2/filing_info',
  summary: 'Metadata, documents, sections and 8-K items of one filing',
  parameters: filingInfoParametersSchema,
  answer: filingInfoSchema,
  example: {
    parameters: { accession_number: REPORT },
    answer: {
      ...REPORT_FILING,
      documents: [{ ...REPORT_DOCUMENT, size: 48_722 }],
      sections: [],
      items_8k: [
        {
          item: '2.02',
          title: 'Results of Operations and Financial Condition',
          named_in: 'both',
          start_index: 3_214,
          end_index: 4_077,
          exhibits: [{ exhibit: '99.1', description: 'Press release', document_id: `${REPORT}-2` }],
        },
      ],
      parties: [
        {
          role: 'filer',
          cik: '18230',
          name: 'CATERPILLAR INC',
          state_of_incorporation: 'DE',
          former_names: [{ name: 'CATERPILLAR TRACTOR CO', date_of_change: '1986-06-23' }],
          fiscal_year_end: '1231',
          sic: '3531',
          sic_description: 'CONSTRUCTION MACHINERY & EQUIP',
          irs_number: '370602744',
          file_number: '001-00768',
          film_number: '22864010',
          sec_act: '1934 Act',
          relationship: null,
          addresses: { business: FILER_ADDRESS },
        },
      ],
    },
  },
  required: ['accession_number'],
  combinationError: ({ accession_number }) => (accession_number === undefined ? 'accession_number is required' : null),
});
