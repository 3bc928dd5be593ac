/** Structured forms as a person reads them: for the pages and the PDFs. Loaded at the first form, as the mapping of forms is large. */

export { type FormData, formData, heldPart, tableCsv } from './data.ts';
export { formView, isRead } from './view.ts';
