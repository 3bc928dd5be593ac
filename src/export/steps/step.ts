/** A step of a filing: one request to the service, and its rows. */

/** `selector` is stored in coverage. It shows whether an earlier request covers this one. */
export type Step =
  | { step: 'info'; selector: string }
  | { step: 'sections'; selector: string; form_type: '10-K' | '10-Q' }
  | { step: `document:${string}`; selector: string; document_id: string; output_format: 'raw' | 'json' };
