/** `read`. The text of filings is data: it stands in one JSON string, whatever it contains. */
import { z } from 'zod';
import { parseDocumentId, splitDocumentId } from '../../api/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { accession, asOf, paging } from '../arguments.ts';
import { isPair } from '../budget.ts';
import type { Json } from '../json-text.ts';
import { cite, sectionCode, textOf } from '../passages.ts';
import type { TextPlace } from '../sources/filing-source.ts';
import { placesOf, readTerms } from '../terms.ts';
import { tool } from '../tool.ts';

export const read = tool({
  name: 'read',
  title: 'Read a filing',
  description:
    'The readable text of a section, of a document, or of its main document, as much as the budget holds; `next` continues without repeating or skipping a character. Cells of table rows are parted by tabs; page numbers and running headers are left out. `find` begins at the first place of words; start and end are UTF-16 positions in this text. Long documents: outline first, then a section.',
  input: z.strictObject({
    accession_number: accession.optional(),
    document_id: z.string().max(40).optional(),
    section: z.string().max(20).optional().describe('code of outline: 1A; needs accession_number'),
    find: z.string().max(200).optional().describe('words or "a phrase"'),
    start: z.int().min(0).optional(),
    end: z.int().min(0).optional(),
    ...asOf,
    ...paging,
  }),
  needs: 'filings',
  async run(call) {
    const { args, version } = call;
    const place = placeOf(args);
    const number =
      'document_id' in place
        ? splitDocumentId(parseDocumentId(place.document_id)!).accessionNumber
        : place.accession_number;
    const found = await textOf(call, number, place);
    const { text } = found;
    const end = whole(text, Math.min(args.end ?? text.length, text.length));
    let start = whole(text, Math.min(args.start ?? 0, end));
    const caveats: string[] = [];
    if (args.find !== undefined) {
      const [first] = placesOf(text.slice(start, end), readTerms(args.find), 1);
      if (first === undefined)
        throw new FilinglakeError(
          'passage-missing',
          `"${args.find}" is not in this text of ${text.length} characters`,
          {
            remedy: 'Call search_text to find where it stands.',
          },
        );
      start = lineStart(text, start + first.start, start);
    }
    return {
      head: {
        ...{ accession_number: found.accession_number, document_id: found.document_id, section: found.section },
        characters: text.length,
      },
      ...{ text, start, end, caveats },
      cite: (from, to) => cite(found, from, to, version) as unknown as Json,
    };
  },
});

function placeOf(args: {
  accession_number?: string | undefined;
  document_id?: string | undefined;
  section?: string | undefined;
}): TextPlace {
  const { accession_number, document_id, section } = args;
  if (document_id !== undefined) {
    const id = parseDocumentId(document_id.trim());
    if (id === null || section !== undefined)
      throw new FilinglakeError(
        'tool-input-invalid',
        'document_id must be like 0000320193-24-000123-1, and goes without section',
      );
    return { document_id: id };
  }
  if (accession_number === undefined)
    throw new FilinglakeError('tool-input-invalid', 'read needs accession_number or document_id');
  return section === undefined ? { accession_number } : { accession_number, section: sectionCode(section) };
}

function whole(text: string, at: number): number {
  return isPair(text, at) ? at - 1 : at;
}

/** The begin of the line, or 200 characters before if the line is long. */
function lineStart(text: string, at: number, least: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return whole(text, Math.max(least, at - line > 200 ? at - 200 : line));
}
