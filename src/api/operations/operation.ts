/** What service, client and OpenAPI know of an operation of /v2. */
import type { z } from 'zod';

export interface Operation<Parameters extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> {
  /** `/v2/entity_lookup` */
  path: string;
  summary: string;
  parameters: Parameters;
  /** The JSON answer */
  answer: Answer;
  /** Parameters that each call needs. `api_key` isn't listed: it may stand in a header. */
  required?: readonly string[];
  /** Each call needs at least one of these. */
  oneOf?: readonly string[];
  /** Of pages: the position after the last, if the request names none */
  defaultTo?: number;
  /** Media type of the bytes that `Accept` can ask for instead of JSON */
  bytes?: string;
  /** What is wrong with parameters that are each valid: the message of a 400 (docs/api.md#errors); null: nothing. */
  combinationError(parameters: z.output<Parameters>): string | null;
}

/** Gives a definition its type. */
export function operation<Parameters extends z.ZodObject, Answer extends z.ZodType>(
  definition: Operation<Parameters, Answer>,
): Operation<Parameters, Answer> {
  return definition;
}
