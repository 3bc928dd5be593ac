/** Answers to filing_sections: docs/api.md#filing_sections. */
import {
  type FilingSections,
  type GivenParametersOf,
  parseAccessionNumber,
  parseDocumentId,
  type SectionContent,
  splitDocumentId,
} from '../../api/index.ts';
import { accessionNumber, content, listOf, orNull, type ReadNotes, text } from '../read.ts';
import { recordOf } from '../record.ts';
import { readWhole, requireSameId } from '../record-answers.ts';
import { SECTION_ALIASES, SECTION_PLACE, someText } from '../shared-records.ts';

/** `form_type` (`10-K` or `10-Q`) must be given: a service may assume 10-K. */
export type SectionsRequest = Omit<GivenParametersOf<'filing_sections'>, 'api_key'> & { form_type: string };

const sectionContent = recordOf<SectionContent>(
  'section',
  { section: text, title: someText, heading: someText, html: content, ...SECTION_PLACE },
  { aliases: { ...SECTION_ALIASES, content: 'html' }, optional: ['document_id', 'by_reference'] },
);

/** Some services leave out what the request already stated. */
const filingSections = recordOf<Omit<FilingSections, 'accession_number'> & { accession_number: string | null }>(
  'filing_sections',
  { accession_number: orNull(accessionNumber), form_type: someText, sections: listOf(sectionContent) },
  { aliases: { form: 'form_type' } },
);

/** @throws ContractViolationError also for sections of another filing than the requested one */
export function readFilingSections(body: unknown, request: SectionsRequest, notes: ReadNotes): FilingSections {
  const id = parseDocumentId(request.document_id ?? '');
  const asked = parseAccessionNumber(request.accession_number ?? '') ?? (id && splitDocumentId(id).accessionNumber);
  const sections = readWhole('filing_sections', body, filingSections, notes);
  requireSameId('filing_sections', 'accession_number', sections.accession_number, asked);
  return {
    accession_number: sections.accession_number ?? asked ?? '',
    form_type: sections.form_type ?? request.form_type,
    sections: sections.sections,
  };
}
