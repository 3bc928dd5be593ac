/** Answers to filing_sections: docs/api.md#filing_sections. */
import {
  type FilingSections,
  filingSectionsSchema,
  type GivenParametersOf,
  sectionFamily,
} from '../../filings/api/index.ts';
import type { ReadNotes } from './read.ts';
import { partialReaderOf } from './reader-of.ts';
import { accessionAsked, readWhole, requireSameIds } from './record-answers.ts';
import { withCodes } from './section-codes.ts';

/** `form_type` (`10-K` or `10-Q`; `20-F` only of a service that lists such sections) must be given: a service may assume 10-K. */
export type SectionsRequest = Omit<GivenParametersOf<'filing_sections'>, 'api_key'> & { form_type: string };

/** Some services leave out what the request already stated. @throws ContractViolationError also for another filing's sections */
export function readFilingSections(body: unknown, request: SectionsRequest, notes: ReadNotes): FilingSections {
  const given = readWhole('filing_sections', body, partialReaderOf(filingSectionsSchema), notes);
  requireSameIds('filing_sections', { accession_number: given.accession_number }, request);
  const form_type = given.form_type ?? request.form_type;
  return {
    accession_number: given.accession_number ?? accessionAsked(request) ?? '',
    form_type,
    sections: withCodes(given.sections ?? [], sectionFamily(form_type) ?? sectionFamily(request.form_type)),
  };
}
