/** filing_sections: docs/api.md#filing_sections. */
import { z } from 'zod';
import { sameFilingError } from '../combinations.ts';
import { sectionFamily } from '../forms.ts';
import { KINDS } from '../kinds.ts';
import { accessionNumber, apiKey, documentId, nonEmpty } from '../parameters.ts';
import { accessionText, contentText, sectionPlace, sectionSourceSchema, text } from '../records.ts';
import { operation } from './operation.ts';

export const filingSectionsParametersSchema = z.strictObject({
  ...apiKey,
  accession_number: accessionNumber.optional().describe('the main document of this filing'),
  document_id: documentId.optional().describe('this document'),
  form_type: nonEmpty.optional().describe('10-K, 10-Q or 20-F: which section labels'),
});

export const sectionContentSchema = z
  .object({
    section: z.string(),
    title: text,
    heading: text,
    html: contentText.describe('starts with the heading; stands alone as HTML'),
    ...sectionPlace,
    source: sectionSourceSchema
      .nullable()
      .optional()
      .describe('where the substance is from: the item itself, its document, an exhibit'),
    substance_html: contentText
      .nullable()
      .optional()
      .describe('the substance as HTML, if it is not html: it stands elsewhere, or ends before html does'),
  })
  .register(KINDS, { record: 'section' });
export type SectionContent = z.infer<typeof sectionContentSchema>;

export const filingSectionsSchema = z
  .object({
    accession_number: accessionText,
    form_type: text,
    sections: z.array(sectionContentSchema),
  })
  .register(KINDS, { record: 'filing_sections' });
export type FilingSections = z.infer<typeof filingSectionsSchema>;

export const filingSectionsOperation = operation({
  path: '/v2/filing_sections',
  summary: 'HTML content of the sections of a 10-K, 10-Q or 20-F filing',
  parameters: filingSectionsParametersSchema,
  answer: filingSectionsSchema,
  example: {
    parameters: { accession_number: '0000912057-00-053623', form_type: '10-K' },
    answer: {
      accession_number: '0000912057-00-053623',
      form_type: '10-K',
      sections: [
        {
          section: '1',
          title: 'Business',
          heading: 'ITEM 1. BUSINESS',
          html: '<pre>ITEM 1. BUSINESS\n</pre>',
          document_id: '0000912057-00-053623-1',
          by_reference: null,
          kind: 'text',
          substance_start: null,
          substance_end: null,
          source: 'item',
          substance_html: null,
        },
      ],
    },
  },
  oneOf: ['document_id', 'accession_number'],
  combinationError({ document_id, accession_number, form_type }) {
    if (document_id === undefined && accession_number === undefined) return 'document_id is required';
    const error = sameFilingError(document_id, accession_number);
    if (error !== null || form_type === undefined || sectionFamily(form_type) !== null) return error;
    return `form_type is invalid: '${form_type.slice(0, 60)}' must be 10-K, 10-Q or 20-F`;
  },
});
