/** The /v2 interface: identifiers, parameters, records, section codes. Knows nothing of HTTP servers, stores or workflows. */
export { decodeReferences, readReference, WINDOWS_1252_HIGH } from './character-references.ts';
export { easternTime } from './eastern.ts';
export * from './filters.ts';
export * from './form-types.ts';
export * from './forms.ts';
export * from './identifiers.ts';
export * from './items8k.ts';
export { kindOf, type ValueKind } from './kinds.ts';
export { isLastPage, type PageEnd } from './last-page.ts';
export * from './operations/index.ts';
export * from './operations/usage.ts';
export { MAX_ARRAY_VALUES, MAX_WINDOW } from './parameters.ts';
export * from './quota-plans.ts';
export {
  type Address,
  type DocumentReference,
  errorSchema,
  type SectionKind,
  type SectionReference,
  type SectionSource,
} from './records.ts';
export * from './sections.ts';
export * from './states.ts';
