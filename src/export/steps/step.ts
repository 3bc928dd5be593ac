/** A step of a filing: one request to the service, and the rows that it brings. */

/** `selector` is what coverage remembers: whether what was asked then covers what is asked now. */
export type Step =
  | { step: 'info'; selector: string }
  | { step: 'sections'; selector: string; form_type: '10-K' | '10-Q' }
  | { step: `document:${string}`; selector: string; document_id: string; output_format: 'raw' | 'json' };
