/** Records that several /v2 answers share, exactly as the service writes them: a scalar without a value is null, an array without members is []. */
import { z } from 'zod';

export const text = z.string().nullable();

export const addressSchema = z.object({ street1: text, street2: text, city: text, state: text, zip: text });
export type Address = z.infer<typeof addressSchema>;

/** A document as filing_lookup names it: without `size`. */
export const documentReferenceSchema = z.object({
  document_id: z.string(),
  sequence: z.int().describe("EDGAR's number, gaps included"),
  filename: text,
  description: text,
  type: text,
  size: z.int().nullable().optional().describe('bytes of the document; absent in filing lookup'),
});
export type DocumentReference = z.infer<typeof documentReferenceSchema>;

export const sectionReferenceSchema = z.object({
  exhibit: text.describe('number of the exhibit (13: the annual report to shareholders), or `proxy statement`'),
  pages: text.describe('pages named: 32-43'),
  heading: text.describe('captions named, several parted by semicolons'),
});
/** What a section refers to in place of its text. */
export type SectionReference = z.infer<typeof sectionReferenceSchema>;

/** Place of a section's text. Services that don't say omit both members. */
export const sectionPlace = {
  document_id: text.optional().describe('the document that holds the section'),
  by_reference: sectionReferenceSchema
    .nullable()
    .optional()
    .describe('what the section refers to in place of its text; null if it has text'),
};

export const errorSchema = z.object({ error: z.string() });
export type ErrorAnswer = z.infer<typeof errorSchema>;
