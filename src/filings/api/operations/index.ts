/** The operations of /v2, a file each: parameters, answer, rules. Service, client and OpenAPI all use these definitions. */
import type { z } from 'zod';
import { coverageOperation } from './coverage.ts';
import { documentOperation } from './document.ts';
import { entityLookupOperation } from './entity-lookup.ts';
import { filingInfoOperation } from './filing-info.ts';
import { filingLookupOperation } from './filing-lookup.ts';
import { filingSectionsOperation } from './filing-sections.ts';
import { fulltextSearchOperation } from './fulltext-search.ts';
import { pdfOperation } from './pdf.ts';

export * from './coverage.ts';
export * from './document.ts';
export * from './entity-lookup.ts';
export * from './filing-info.ts';
export * from './filing-lookup.ts';
export * from './filing-sections.ts';
export * from './fulltext-search.ts';
export type { Operation } from './operation.ts';
export * from './pdf.ts';

export const OPERATIONS = {
  entity_lookup: entityLookupOperation,
  filing_lookup: filingLookupOperation,
  fulltext_search: fulltextSearchOperation,
  document: documentOperation,
  filing_info: filingInfoOperation,
  filing_sections: filingSectionsOperation,
  pdf: pdfOperation,
  coverage: coverageOperation,
} as const;
export type OperationName = keyof typeof OPERATIONS;

/** Parameters after parsing: identifiers and enumerated values in their normal form. */
export type ParametersOf<Name extends OperationName> = z.output<(typeof OPERATIONS)[Name]['parameters']>;
/** Parameters as a caller may write them. */
export type GivenParametersOf<Name extends OperationName> = z.input<(typeof OPERATIONS)[Name]['parameters']>;
/** The JSON answer. */
export type AnswerOf<Name extends OperationName> = z.output<(typeof OPERATIONS)[Name]['answer']>;
