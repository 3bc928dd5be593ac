/** What service, client and OpenAPI need to know of an operation of /v2. */
import type { z } from 'zod';

export interface Operation<Parameters extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> {
  /** `/v2/entity_lookup` */
  path: string;
  summary: string;
  parameters: Parameters;
  /** The JSON answer */
  answer: Answer;
  /** A call and its answer, as /openapi.json and /docs show them. /docs names a filing of the service in place of the call's own. */
  example: { parameters: z.input<Parameters>; answer: z.output<Answer> };
  /** Parameters that each call needs. `api_key` isn't listed, since a header may carry it. */
  required?: readonly string[];
  /** Each call needs at least one of these. */
  oneOf?: readonly string[];
  /** For pages: the default end of the window (exclusive) */
  defaultTo?: number;
  /** Media type of the bytes that `Accept` can ask for instead of JSON */
  bytes?: string;
  /** Not of the published interface: only filinglake's own service has it. */
  addition?: true;
  /** Checks a combination of valid parameters. Returns the message of a 400 (docs/api.md#errors), or null. */
  combinationError(parameters: z.output<Parameters>): string | null;
}

/** Infers the type of a definition. */
export function operation<Parameters extends z.ZodObject, Answer extends z.ZodType>(
  definition: Operation<Parameters, Answer>,
): Operation<Parameters, Answer> {
  return definition;
}
