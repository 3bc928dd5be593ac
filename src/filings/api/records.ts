/** Records that several /v2 answers share, exactly as the service writes them: a scalar without a value is null, an array without members is []. */
import { z } from 'zod';
import { KINDS } from './kinds.ts';

export const text = z.string().nullable();

/** Forms of values, as /openapi.json states them. */
export const accessionText = z
  .string()
  .register(KINDS, { value: 'accession number' })
  .meta({ pattern: '^\\d{10}-\\d{2}-\\d{6}$', examples: ['0000320193-24-000123'] });
export const documentIdText = z
  .string()
  .register(KINDS, { value: 'document id' })
  .meta({ pattern: '^\\d{10}-\\d{2}-\\d{6}-\\d{1,9}$', examples: ['0000320193-24-000123-1'] });
export const cikText = z
  .string()
  .register(KINDS, { value: 'CIK' })
  .meta({ pattern: '^\\d{1,10}$', examples: ['320193'] });
export const dateText = z
  .string()
  .register(KINDS, { value: 'date' })
  .meta({ format: 'date', examples: ['2024-11-01'] });
/** A code: services that store it as a number lose its leading zeros. */
export const digitsText = (digits: number) => z.string().register(KINDS, { digits }).nullable();
/** A text that may be empty. */
export const contentText = z.string().register(KINDS, { value: 'content' });
export const sha256Text = z
  .string()
  .meta({ pattern: '^[0-9a-f]{64}$', description: "of the document's bytes, hexadecimal" });
/** Eastern time as EDGAR states it, without zone. */
export const acceptanceText = z
  .string()
  .register(KINDS, { value: 'date and time' })
  .meta({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$',
    description: 'Eastern time as EDGAR states it, without zone',
    examples: ['2024-11-01T06:01:36'],
  });

export const addressSchema = z
  .object({ street1: text, street2: text, city: text, state: text, zip: digitsText(5) })
  .register(KINDS, { record: 'address' });
export type Address = z.infer<typeof addressSchema>;

/** A document as filing_lookup names it: without `size`. */
export const documentReferenceSchema = z
  .object({
    document_id: documentIdText,
    sequence: z.int().describe("EDGAR's number, gaps included"),
    filename: text,
    description: text,
    type: text,
    size: z.int().nullable().optional().describe('bytes of the document; absent in filing lookup'),
  })
  .register(KINDS, { record: 'document' });
export type DocumentReference = z.infer<typeof documentReferenceSchema>;

const sectionReferenceSchema = z
  .object({
    exhibit: text.describe('number of the exhibit (13: the annual report to shareholders), or `proxy statement`'),
    pages: text.describe('pages named: 32-43'),
    heading: text.describe('captions named, several parted by semicolons'),
  })
  .register(KINDS, { record: 'reference' });
/** What a section refers to in place of its text. */
export type SectionReference = z.infer<typeof sectionReferenceSchema>;

const sectionKindSchema = z.enum([
  'text',
  'pointer_exhibit',
  'pointer_document',
  'pointer_filing',
  'not_applicable',
  'mixed',
]);
/** What a section holds: its text, a pointer to an exhibit, to another place of the document or to another filing, nothing, or text and a pointer. */
export type SectionKind = z.infer<typeof sectionKindSchema>;

/** What the text of a section is from: the item itself, another place of its document, or an exhibit of the filing. */
export const sectionSourceSchema = z.enum(['item', 'document', 'exhibit']);
export type SectionSource = z.infer<typeof sectionSourceSchema>;

/** The revision of a filing, in filing_lookup and filing_info. */
export const revisionText = z
  .string()
  .register(KINDS, { value: 'revision' })
  .nullable()
  .optional()
  .describe(
    'changes when another answer about the filing does, and says nothing else; other services omit it, and so do records of older catalogs',
  );

/** Place of a section's text. Services that don't say omit both members. */
export const sectionPlace = {
  document_id: documentIdText.nullable().optional().describe('the document that holds the section'),
  by_reference: sectionReferenceSchema
    .nullable()
    .optional()
    .describe('what the section refers to, if its kind is a pointer or mixed; else null'),
  kind: sectionKindSchema
    .nullable()
    .optional()
    .describe(
      'text: it has the substance; pointer_exhibit, pointer_document, pointer_filing: it says where the substance stands; mixed: substance, and a pointer for a part; not_applicable: nothing, or a denial',
    ),
  substance_start: z
    .int()
    .nullable()
    .optional()
    .describe(
      'where the substance of an item on the discussion or the statements stands in the document, if the item points there or runs on into the statements; else null',
    ),
  substance_end: z.int().nullable().optional().describe('its end, exclusive'),
};

export const errorSchema = z.object({ error: z.string() });
