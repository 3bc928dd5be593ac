/** Columns of a section: its names, and the place of its text, or the document that it refers to. */
import type { SectionKind, SectionReference } from '../../filings/api/index.ts';
import { column, type Row, text } from './table.ts';

export const SECTION_NAME_COLUMNS = [
  text(
    'section',
    'code: 1A for a 10-K, II-1A for a 10-Q, 4A for a 20-F. The number of an item has another meaning in each form',
  ),
  text('title', 'official title of the section'),
  text('heading', "the filing's own words; null if the service gives none"),
] as const;

export const SECTION_PLACE_COLUMNS = [
  text('document_id', 'the document that the section is in; null if the service does not say'),
  column(
    'by_reference',
    'BOOLEAN',
    'whether the section refers elsewhere for its text or for a part of it: its kind is a pointer or `mixed`; null if the service does not say',
  ),
  text(
    'kind',
    '`text`: it has the substance; `pointer_exhibit`, `pointer_document`, `pointer_filing`: it says where else that stands; `mixed`: substance, and a pointer for a part; `not_applicable`: nothing, or a denial; null if the service does not say',
  ),
  column(
    'substance_start',
    'BIGINT',
    'position in the text of the document where the substance of the discussion or the statements stands, if the item points there or runs on into the statements; else null',
  ),
  column('substance_end', 'BIGINT', 'its end, exclusive'),
  text(
    'reference_exhibit',
    'number of the exhibit that it refers to (13 is the annual report to shareholders), or `proxy statement`',
  ),
  text('reference_pages', 'pages that it names: 32-43'),
  text('reference_heading', 'captions that it names, several parted by semicolons'),
] as const;

/** A service that names the document also says what is by reference: then no value means that nothing is. */
export function sectionPlaceOf({
  document_id = null,
  by_reference,
  kind = null,
  substance_start = null,
  substance_end = null,
}: {
  document_id?: string | null | undefined;
  by_reference?: SectionReference | null | undefined;
  kind?: SectionKind | null | undefined;
  substance_start?: number | null | undefined;
  substance_end?: number | null | undefined;
}): Row {
  return {
    document_id,
    by_reference: by_reference ? true : document_id === null ? null : false,
    kind,
    substance_start,
    substance_end,
    reference_exhibit: by_reference?.exhibit ?? null,
    reference_pages: by_reference?.pages ?? null,
    reference_heading: by_reference?.heading ?? null,
  };
}
