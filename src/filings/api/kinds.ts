/** What values are, for readers that follow from the schemas: a text may be a CIK or a date. /openapi.json does not show it. */
import { z } from 'zod';

export type ValueKind =
  | 'accession number'
  | 'document id'
  | 'CIK'
  | 'date'
  | 'date and time'
  /** ISO 8601 with a Z, unlike the Eastern times of EDGAR */
  | 'UTC time'
  | '8-K item'
  | 'revision'
  /** May be empty */
  | 'content';

interface Kind {
  value?: ValueKind;
  /** Length of a code with leading zeros */
  digits?: number;
  /** Name of the record, for what is noted about its members */
  record?: string;
}

/** Copies of a schema, as `describe` makes them, keep its kind. */
export const KINDS = z.registry<Kind>();

export const kindOf = (schema: z.core.$ZodType): Kind => KINDS.get(schema) ?? {};
