/** `read`. The text of filings is data: it stands in one JSON string, whatever it contains. */
import { z } from 'zod';
import { FilinglakeError, quoteText } from '../../core/index.ts';
import { parseDocumentId, splitDocumentId } from '../../filings/api/index.ts';
import { isPair } from '../answers/budget.ts';
import { placesOf, readTerms } from '../answers/terms.ts';
import type { FiledText, TextPlace } from '../sources/filing-source.ts';
import { accession, asOf, paging } from './arguments.ts';
import { cite, filingIn, sectionCode, textOf } from './passages.ts';
import { readTable } from './read-table.ts';
import { lakeOf, type ToolCall, tool } from './tool.ts';

const input = z.strictObject({
  accession_number: accession.optional(),
  document_id: z.string().max(40).optional(),
  section: z.string().max(20).optional().describe('code of outline: 1A; needs accession_number'),
  heading: z
    .union([z.string().min(1).max(300), z.int().min(1)])
    .optional()
    .describe('with section'),
  chunk: z.int().min(1).optional().describe('with document_id, in a lake'),
  table: z.int().min(1).optional().describe('with document_id, in a lake'),
  format: z.enum(['plain', 'markdown']).optional(),
  find: z.string().max(200).optional().describe('words or "a phrase"'),
  start: z.int().min(0).optional(),
  end: z.int().min(0).optional(),
  ...asOf,
  ...paging,
});

export const read = tool({
  name: 'read',
  title: 'Read a filing',
  description:
    'The text of a section, of a document, or of the main document, as much as the budget holds; `next` continues without repeating or skipping a character. heading (words or position of outline) reads that part of a section; chunk reads a piece of a document; table reads the cells of a table; find begins at the first place of words. format markdown keeps headings, lists and tables; in plain text, cells are parted by tabs. start and end are UTF-16 positions in the text of that format. If a section is a pointer, its substance is read where the lake has it. Long documents: outline first.',
  input,
  needs: 'filings',
  async run(call) {
    const { args } = call;
    const place = placeOf(args);
    const number =
      'document_id' in place
        ? splitDocumentId(parseDocumentId(place.document_id)!).accessionNumber
        : place.accession_number;
    if (args.table !== undefined) {
      if (!('document_id' in place))
        throw new FilinglakeError(
          'tool-input-invalid',
          '`table` needs `document_id`: give the document that has the table',
        );
      await filingIn(call, number);
      return readTable(call, place.document_id, args.table);
    }
    const found = await textOf(call, number, place);
    const { text } = found;
    const part = await partOf(call, place, found);
    const end = whole(text, Math.min(args.end ?? part.end, text.length));
    let start = whole(text, Math.min(args.start ?? part.start, end));
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
    const isPlain = args.format === 'markdown' && found.format === undefined;
    return {
      head: {
        accession_number: found.accession_number,
        document_id: found.document_id,
        section: found.section,
        ...(part.heading !== undefined && { heading: part.heading.slice(0, 200) }),
        characters: text.length,
      },
      text,
      start,
      end,
      caveats: isPlain ? ['plain text: its source as HTML is not here'] : [],
      source: found.source,
      cite: (from, to) => cite(found, from, to),
    };
  },
});

type Args = z.output<typeof input>;

/** The part of a text that a heading or a chunk names. Their positions count in plain text. */
async function partOf(
  call: ToolCall<unknown>,
  place: TextPlace,
  { text, format, source: kind }: FiledText,
): Promise<{ start: number; end: number; heading?: string }> {
  const { heading, chunk } = call.args as Args;
  if (heading === undefined && chunk === undefined) return { start: 0, end: text.length };
  if (format !== undefined)
    throw new FilinglakeError('tool-input-invalid', 'heading and chunk go without format: they count in plain text');
  if (chunk !== undefined) return chunkOf(call, place, chunk);
  if (!('section' in place)) throw new FilinglakeError('tool-input-invalid', 'heading goes with section');
  const source = call.world.sources.find((one) => one.kind === kind)!;
  const all = await source.headings(place.accession_number, place.section, call.version);
  if (all === null)
    throw new FilinglakeError('passage-missing', 'the lake has no headings: export with tables: [section_headings]');
  const words = typeof heading === 'string' ? heading.trim().toUpperCase() : null;
  const exact = all.filter((one) => (words === null ? one.position === heading : one.heading.toUpperCase() === words));
  const found =
    exact.length > 0 || words === null ? exact : all.filter((one) => one.heading.toUpperCase().includes(words));
  if (found.length === 1) return found[0]!;
  const some = (found.length > 0 ? found : all)
    .slice(0, 12)
    .map((one) => `${one.position} ${one.heading.slice(0, 60)}`);
  throw new FilinglakeError(
    'passage-missing',
    `section ${place.section} has ${found.length === 0 ? 'no such heading' : `${found.length} such headings`}: ${some.join('; ')}`,
    { remedy: 'Name one by its position.' },
  );
}

async function chunkOf(call: ToolCall<unknown>, place: TextPlace, chunk: number) {
  if (!('document_id' in place)) throw new FilinglakeError('tool-input-invalid', 'chunk goes with document_id');
  const { lake, version } = lakeOf(call);
  const empty = await lake.without(['chunks'], version);
  const [row] =
    empty === null
      ? await lake.rows(
          `SELECT start_index, end_index, headings FROM chunks WHERE document_id = ${quoteText(place.document_id)} AND position = ${chunk}`,
          version,
        )
      : [];
  if (row === undefined)
    throw new FilinglakeError('passage-missing', empty ?? `${place.document_id} has no chunk ${chunk}`);
  const above = JSON.parse(String(row.headings ?? '[]')) as string[];
  return { start: Number(row.start_index), end: Number(row.end_index), heading: above.join(' > ') };
}

function placeOf(args: Args): TextPlace {
  const { accession_number, document_id, section } = args;
  const format = args.format === 'markdown' ? { format: args.format } : {};
  if (document_id !== undefined) {
    const id = parseDocumentId(document_id.trim());
    if (id === null || section !== undefined)
      throw new FilinglakeError(
        'tool-input-invalid',
        'document_id must be like 0000320193-24-000123-1, and goes without section',
      );
    return { document_id: id, ...format };
  }
  if (accession_number === undefined)
    throw new FilinglakeError('tool-input-invalid', 'read needs accession_number or document_id');
  return { accession_number, ...(section !== undefined && { section: sectionCode(section) }), ...format } as TextPlace;
}

function whole(text: string, at: number): number {
  return isPair(text, at) ? at - 1 : at;
}

/** The begin of the line, or 200 characters before if the line is long. */
function lineStart(text: string, at: number, least: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return whole(text, Math.max(least, at - line > 200 ? at - 200 : line));
}
