/** Kinds of parameters that the operations of /v2 share. */
import { z } from 'zod';
import { isCalendarDate, parseAccessionNumber, parseCik, parseDocumentId } from './identifiers.ts';

/** No lookup reaches past this position. Narrow the query instead. */
export const MAX_WINDOW = 10_000;
export const MAX_ARRAY_VALUES = 1_000;

export const nonEmpty = z.string().min(1, 'must not be empty');
/** A longer name or code matches nothing, and costs the service seconds. */
const MAX_TEXT_CHARACTERS = 1_000;
export const texts = z.array(nonEmpty.max(MAX_TEXT_CHARACTERS)).max(MAX_ARRAY_VALUES);
export const date = z
  .string()
  .refine(isCalendarDate, 'must be a date, YYYY-MM-DD')
  .meta({ description: 'YYYY-MM-DD', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2024-01-31'] });
export const position = z.int().min(0).max(MAX_WINDOW);

/** Accepts a text that `parse` can read, and returns its normal form. */
function identifier<T extends string>(
  parse: (text: string) => T | null,
  shape: string,
  stated: { pattern: string; examples: string[] },
) {
  return z
    .string()
    .meta(stated)
    .transform((value, context): T => {
      const parsed = parse(value.trim());
      if (parsed !== null) return parsed;
      context.addIssue({ code: 'custom', message: `must be ${shape}` });
      return z.NEVER;
    });
}
export const accessionNumber = identifier(parseAccessionNumber, 'an accession number, 0000000000-00-000000', {
  pattern: '^(\\d{10}-\\d{2}-\\d{6}|\\d{18})$',
  examples: ['0000320193-24-000123'],
});
export const cik = identifier(parseCik, 'a CIK of 1 to 10 digits', {
  pattern: '^\\d{1,10}$',
  examples: ['320193'],
});
export const documentId = identifier(parseDocumentId, 'a document id, 0000000000-00-000000-1', {
  pattern: '^(\\d{10}-\\d{2}-\\d{6}|\\d{18})-\\d{1,9}$',
  examples: ['0000320193-24-000123-1'],
});

/** An enumerated value, compared without regard to case. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .string()
    .meta({ enum: [...values] })
    .transform((value) => values.find((v) => v.toLowerCase() === value.trim().toLowerCase()) ?? value)
    .pipe(z.enum(values));
}

export const apiKey = { api_key: z.string().optional().describe("the caller's API key") };
