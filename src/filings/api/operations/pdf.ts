/** pdf: docs/api.md#pdf. */
import { z } from 'zod';
import { KINDS } from '../kinds.ts';
import { accessionNumber, apiKey, documentId, oneOf } from '../parameters.ts';
import { accessionText, documentIdText } from '../records.ts';
import { EXAMPLE_SHA256, REPORT } from './example-filing.ts';
import { operation } from './operation.ts';

export const pdfParametersSchema = z.strictObject({
  ...apiKey,
  accession_number: accessionNumber.optional().describe('the main document and the exhibits that can be shown'),
  document_id: documentId.optional().describe('this document'),
  exhibits: z.boolean().optional().describe('default true'),
  page_size: oneOf(['letter', 'a4'] as const)
    .optional()
    .describe('default letter'),
});

export const pdfSchema = z
  .object({
    accession_number: accessionText,
    document_id: documentIdText.nullable().describe('null if a filing was requested'),
    filename: z.string(),
    content_type: z.literal('application/pdf'),
    encoding: z.literal('base64'),
    pages: z.int(),
    size: z.int(),
    sha256: z.string().meta({ pattern: '^[0-9a-f]{64}$', description: "of the PDF's bytes, hexadecimal" }),
    content: z.string().meta({ contentEncoding: 'base64', contentMediaType: 'application/pdf' }),
  })
  .register(KINDS, { record: 'pdf' });
export type Pdf = z.infer<typeof pdfSchema>;

export const pdfOperation = operation({
  path: '/v2/pdf',
  summary: 'Generate a PDF from a filing, with cover page and table of contents',
  parameters: pdfParametersSchema,
  answer: pdfSchema,
  example: {
    parameters: { accession_number: REPORT, page_size: 'letter' },
    answer: {
      accession_number: REPORT,
      document_id: null,
      filename: `${REPORT}.pdf`,
      content_type: 'application/pdf',
      encoding: 'base64',
      pages: 9,
      size: 187_204,
      sha256: EXAMPLE_SHA256,
      content: 'JVBERi0xLjcK',
    },
  },
  oneOf: ['document_id', 'accession_number'],
  bytes: 'application/pdf',
  combinationError({ document_id, accession_number }) {
    if (document_id === undefined && accession_number === undefined) {
      return 'accession_number or document_id is required';
    }
    if (document_id === undefined || accession_number === undefined) return null;
    return 'give accession_number or document_id, not both';
  },
});
