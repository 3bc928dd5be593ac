/**
 * The records of the published interface. A service may add members. A missing value may be null, "" or absent, except for those that
 * name a record.
 */
import { z } from 'zod';

const text = z.string().nullish();
const number = z.number().nullish();
const accessionNumber = z.string().regex(/^\d{10}-\d{2}-\d{6}$/, 'must be 10, 2 and 6 digits with dashes');
const documentId = z.string().regex(/^\d{10}-\d{2}-\d{6}-\d+$/, 'must be an accession number and a sequence');
const cik = z.string().regex(/^\d{1,10}$/, 'must be decimal digits');
const date = z.union([z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be YYYY-MM-DD'), z.literal('')]).nullish();
const dateTime = z
  .union([z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, 'must be YYYY-MM-DDThh:mm:ss'), z.literal('')])
  .nullish();

export const publishedError = z.strictObject({ error: z.string().min(1) });

export const publishedEntity = z.looseObject({
  cik,
  name: text,
  tickers: z.array(z.string()).nullish(),
  exchanges: z.array(z.string()).nullish(),
  sic: text,
  sic_description: text,
  state_of_incorporation: text,
  fiscal_year_end: text,
  entity_type: z.enum(['OPERATING', 'INVESTMENT', 'OTHER']).nullish(),
  category: text,
  addresses: z
    .looseObject({ business: z.looseObject({ street1: text, city: text, state: text, zip: text }).nullish() })
    .nullish(),
});
export type PublishedEntity = z.infer<typeof publishedEntity>;

export const publishedEntities = z.looseObject({
  count: z.number(),
  entities: z.array(publishedEntity),
  response_bytes: z.number(),
  truncated: z.boolean(),
});

const documentReference = z.looseObject({
  document_id: documentId,
  sequence: z.number(),
  filename: text,
  description: text,
  type: text,
});

export const publishedFiling = z.looseObject({
  accession_number: accessionNumber,
  cik: cik.nullish(),
  form_type: z.string(),
  filing_date: date,
  acceptance_datetime: dateTime,
  entity_name: text,
  report_date: date,
  size: number,
  documents: z.array(documentReference),
});
export type PublishedFiling = z.infer<typeof publishedFiling>;

export const publishedFilings = z.looseObject({
  count: z.number(),
  filings: z.array(publishedFiling),
  truncated: z.boolean(),
});

export const publishedInfo = z.looseObject({
  accession_number: accessionNumber,
  cik: cik.nullish(),
  entity_name: text,
  form_type: z.string(),
  filing_date: date,
  acceptance_datetime: dateTime,
  report_date: date,
  documents: z.array(documentReference.extend({ size: z.number() })),
  sections: z
    .array(z.looseObject({ section: z.string(), title: text, start_index: number, end_index: number }))
    .nullish(),
  items_8k: z
    .array(
      z.looseObject({
        item: z.string(),
        title: text,
        exhibits: z.array(z.looseObject({ exhibit: text, description: text, document_id: documentId.nullish() })),
      }),
    )
    .nullable(),
});
export type PublishedInfo = z.infer<typeof publishedInfo>;

export const publishedSections = z.looseObject({
  accession_number: accessionNumber,
  form_type: text,
  sections: z.array(z.looseObject({ section: z.string(), title: text, html: z.string() })),
});

/** The first mistake of a value with its place; null without one. */
export function typeFault(schema: z.ZodType, value: unknown): string | null {
  if (value === undefined) return 'the answer is not JSON';
  const result = schema.safeParse(value);
  if (result.success) return null;
  const { path, message } = result.error.issues[0]!;
  return `${path.join('.') || 'the answer'}: ${message}`;
}
