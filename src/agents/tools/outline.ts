/** `outline`. A filing doesn't fit into a context: its parts with their lengths come first. */
import { z } from 'zod';
import { edgarUrl } from '../answers/citation.ts';
import { accession, asOf, paging } from './arguments.ts';
import { filingParts } from './filing-parts.ts';
import { filingIn, sectionCode } from './passages.ts';
import { tool } from './tool.ts';

export const outline = tool({
  name: 'outline',
  title: 'Outline of a filing',
  description:
    'What a filing consists of: parties, documents (with their numbers of tables and chunks), sections with length, 8-K items, statements. With section: its headings and tables instead. Call it before read. Section codes: 1A of a 10-K is risk factors, 7 is MD&A; a 10-Q has I-2 (MD&A), II-1A. `kind` of a section: text (its substance is there), pointer_exhibit / pointer_document / pointer_filing (it only says where the text stands: follow refers_to), mixed (both), not_applicable (nothing, or a denial), null (not known). A missing section was not found, which is not proof that it is not in the filing.',
  input: z.strictObject({
    accession_number: accession,
    section: z.string().max(20).optional().describe('1A'),
    ...asOf,
    ...paging,
  }),
  needs: 'filings',
  async run(call) {
    const { args, position } = call;
    const { detail, source } = await filingIn(call, args.accession_number);
    const section = args.section === undefined ? undefined : sectionCode(args.section);
    const rows = await filingParts(call, source, detail, section);
    const { accession_number, cik, entity_name } = detail.filing;
    return {
      head: {
        source: source.kind,
        filing: { ...detail.filing, entity_name: entity_name?.slice(0, 150) ?? null },
        url: edgarUrl(accession_number, cik),
      },
      rows: rows.slice(position),
      total: rows.length,
    };
  },
});
