/** Rules on combinations of parameters that several operations share. Each returns the message of a 400, or null. */
import { type DocumentId, splitDocumentId } from './identifiers.ts';

export const ENTITY_FILTER_REQUIRED = 'entity filter is required';

/** `entity_query` without a filter (`{}`) would select every filing. Nobody means that. */
export function emptyFilterError(entityQuery: object | undefined): string | null {
  return entityQuery !== undefined && Object.keys(entityQuery).length === 0 ? ENTITY_FILTER_REQUIRED : null;
}

export function dateOrderError(range: { date_from?: string | undefined; date_to?: string | undefined }): string | null {
  const { date_from, date_to } = range;
  if (date_from === undefined || date_to === undefined || date_from <= date_to) return null;
  return `date_from (${date_from}) is after date_to (${date_to})`;
}

/** Positions [from, to) of a page. */
export function windowError(
  given: { from?: number | undefined; to?: number | undefined },
  defaultTo: number,
): string | null {
  const from = given.from ?? 0;
  const to = given.to ?? defaultTo;
  if (from <= to) return null;
  return `from (${from}) is after to (${given.to === undefined ? `${to}, the default` : to})`;
}

export function sameFilingError(
  documentId: DocumentId | undefined,
  accessionNumber: string | undefined,
): string | null {
  if (documentId === undefined || accessionNumber === undefined) return null;
  if (splitDocumentId(documentId).accessionNumber === accessionNumber) return null;
  return `document_id (${documentId}) is not a document of accession_number (${accessionNumber})`;
}
