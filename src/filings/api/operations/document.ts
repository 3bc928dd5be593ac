/** document: docs/api.md#document. */
import { z } from 'zod';
import { sameFilingError } from '../combinations.ts';
import { KINDS } from '../kinds.ts';
import { accessionNumber, apiKey, documentId, nonEmpty, oneOf } from '../parameters.ts';
import { accessionText, documentIdText, sha256Text, text } from '../records.ts';
import { EXAMPLE_SHA256 } from './example-filing.ts';
import { operation } from './operation.ts';

export const documentSchema = z.strictObject({
  ...apiKey,
  document_id: documentId.optional().describe('this, or accession_number, is required'),
  accession_number: accessionNumber.optional().describe('alone: the main document of this filing'),
  filename: nonEmpty.optional().describe('with accession_number: the document of this name'),
  output_format: oneOf(['raw', 'json'] as const)
    .optional()
    .describe('default raw'),
  convert_xml_to_json: z.boolean().optional().describe('default true; matters with json only'),
  xml_style: oneOf(['simple', 'ordered'] as const)
    .optional()
    .describe('default simple'),
  text_format: oneOf(['plain', 'markdown', 'lines'] as const)
    .optional()
    .describe('readable text as the content: plain, markdown, or lines as filed; default: the document as it is'),
});

export const documentContentSchema = z
  .object({
    document_id: documentIdText,
    accession_number: accessionText,
    sequence: z.int(),
    type: text,
    filename: text,
    description: text,
    content_type: z.string(),
    encoding: z.enum(['utf-8', 'base64', 'json']),
    size: z.int().describe('bytes as EDGAR publishes the file'),
    sha256: sha256Text,
    content: z.unknown().describe('a string; with encoding json the converted XML'),
  })
  .register(KINDS, { record: 'document' });
export type DocumentContent = z.infer<typeof documentContentSchema>;

export const documentOperation = operation({
  path: '/v2/document',
  summary: 'Fetch raw document content, with XML to JSON conversion',
  parameters: documentSchema,
  answer: documentContentSchema,
  example: {
    parameters: { document_id: '0001193125-26-054580-2', output_format: 'json' },
    answer: {
      document_id: '0001193125-26-054580-2',
      accession_number: '0001193125-26-054580',
      sequence: 2,
      type: 'INFORMATION TABLE',
      filename: '50240.xml',
      description: 'INFORMATION TABLE FOR FORM 13F',
      content_type: 'application/xml',
      encoding: 'json',
      size: 55_376,
      sha256: EXAMPLE_SHA256,
      content: { informationTable: { infoTable: [{ nameOfIssuer: 'ALLY FINL INC', value: '576074081' }] } },
    },
  },
  oneOf: ['document_id', 'accession_number'],
  bytes: 'application/octet-stream',
  combinationError({ document_id, accession_number, filename, text_format, output_format }) {
    if (text_format !== undefined && output_format === 'json') return 'text_format goes with output_format raw';
    if (filename !== undefined && accession_number === undefined) {
      return document_id ? 'filename goes with accession_number, not with document_id' : 'accession_number is required';
    }
    if (filename !== undefined && document_id !== undefined) {
      return 'give document_id, or accession_number with filename, not both';
    }
    if (document_id === undefined && accession_number === undefined) return 'document_id is required';
    return sameFilingError(document_id, accession_number);
  },
});
