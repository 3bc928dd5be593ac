/** Passages of filed texts with their citations. */
import { FilinglakeError } from '../../core/index.ts';
import { sectionCode as codeOfSection } from '../../filings/api/index.ts';
import { edgarUrl, type PassageCitation, sha256 } from '../answers/citation.ts';
import type { FiledText, FilingDetail, FilingRow, FilingSource, TextPlace } from '../sources/filing-source.ts';
import type { ToolCall } from './tool.ts';

type Reading = Pick<ToolCall<unknown>, 'world' | 'asOf' | 'version'>;

/** Section codes as people write them: `Item 1A`, `1a.`; of a 10-Q `II-1A`. */
export function sectionCode(text: string): string {
  return codeOfSection(text, null) ?? text.trim().toUpperCase();
}

/** A passage; the answer adds the version of the lake. */
export function cite(text: FiledText, start: number, end: number): PassageCitation {
  return {
    accession_number: text.accession_number,
    document_id: text.document_id,
    ...(text.section !== null && { section: text.section }),
    ...(text.format && { format: text.format }),
    start,
    end,
    sha256: sha256(text.text.slice(start, end)),
    url: edgarUrl(text.accession_number, text.cik ?? null),
    source: text.source,
  };
}

/** A filing that may be seen, and the source that has it. @throws FilinglakeError `filing-unknown` */
export async function filingIn(
  { world, asOf, version }: Reading,
  accessionNumber: string,
): Promise<{ detail: FilingDetail; source: FilingSource }> {
  for (const source of world.sources) {
    const detail = await source.filing(accessionNumber, asOf, version);
    if (detail !== null) return { detail, source };
  }
  const then = asOf === null ? '' : ` as of ${asOf}`;
  throw new FilinglakeError('filing-unknown', `filing ${accessionNumber} is not here${then}`);
}

/** A text of a filing that may be seen, from the first source that has it. @throws FilinglakeError `filing-unknown`, `passage-missing` */
export async function textOf(reading: Reading, accessionNumber: string, place: TextPlace): Promise<FiledText> {
  const { world, asOf, version } = reading;
  let filing: FilingRow | null = null;
  for (const source of world.sources) {
    filing ??= (await source.filings({ numbers: [accessionNumber], asOf, from: 0, limit: 1 }, version)).rows[0] ?? null;
    const text = filing === null ? null : await source.text(place, version);
    if (text !== null && text.accession_number === accessionNumber)
      return { ...text, cik: filing!.cik, filing_date: filing!.filing_date };
  }
  const { detail } = await filingIn(reading, accessionNumber);
  throw new FilinglakeError('passage-missing', missing(place, detail, reading));
}

function missing(place: TextPlace, { documents, sections }: FilingDetail, { world }: Reading): string {
  if ('section' in place) {
    const codes = sections.map(({ section }) => section);
    return `${place.accession_number} has no text of section ${place.section.slice(0, 20)} here; sections: ${codes.join(' ') || 'none'}`;
  }
  const what = 'document_id' in place ? place.document_id : `the main document of ${place.accession_number}`;
  const why = world.lake !== null && documents.length > 0 ? ': the lake has its record, not its content' : '';
  return `the text of ${what.slice(0, 60)} is not here${why}`;
}
