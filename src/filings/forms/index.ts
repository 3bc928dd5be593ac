/** Structured forms as rows: ownership, 13F, Form D, 13D/G, 144, N-PORT, N-PX, Form C. Documents in, typed rows out; no I/O. */

export { isTextSchedule } from './beneficial/text-form.ts';
export { formValues } from './form-values.ts';
export { decimalText, units } from './map/decimals.ts';
export type { FormColumn, FormTable, Row } from './map/descriptor.ts';
export { bigint, boolean, date, decimal, integer, tablesOf, text } from './map/descriptor.ts';
export type { MappedRow } from './map/document-rows.ts';
export type { Filing, FilingDocument, NamedDocument } from './map/filing.ts';
export { MAPPING_VERSION } from './map/problems.ts';
export { rootName } from './map/recognise-document.ts';
export { isOfForm, mapFiling } from './map-filing.ts';
export { groupOfForm, isNamedXml, neededDocuments, neededFor, valueDocuments } from './needed-documents.ts';
export { FORM_GROUPS, FORM_TABLES, familiesOf, LEFT_OUT_TABLES, XML_FORM_GROUPS } from './registry.ts';
export { checkSchema } from './schema-check.ts';
export type { ListedFiling, NeededXbrl } from './xbrl/needed-documents.ts';
export { inlineNamesOf, isXbrl, xbrlKind } from './xbrl/needed-documents.ts';
