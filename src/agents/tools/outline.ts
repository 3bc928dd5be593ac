/** `outline`. A filing doesn't fit into a context: its parts with their lengths come first. */
import { z } from 'zod';
import { quoteText } from '../../lake/index.ts';
import { accession, asOf, paging } from '../arguments.ts';
import type { Json } from '../json-text.ts';
import { filingIn } from '../passages.ts';
import { type ToolCall, tool } from '../tool.ts';
import { filingJson } from './find-filings.ts';

export const outline = tool({
  name: 'outline',
  title: 'Outline of a filing',
  description:
    'What a filing consists of: parties, documents, sections with length, 8-K items, statements. Call it before read. Section codes: 1A of a 10-K is risk factors, 7 is MD&A; a 10-Q has I-2 (MD&A), II-1A. `kind` of a section: text (its substance is there), pointer_exhibit / pointer_document / pointer_filing (it only says where the text stands: follow refers_to), mixed (both), not_applicable (nothing, or a denial), null (not known). A missing section was not found, which is not proof that it is not in the filing.',
  input: z.strictObject({ accession_number: accession, ...asOf, ...paging }),
  needs: 'filings',
  async run(call) {
    const { args, position, version } = call;
    const { detail, source } = await filingIn(call, args.accession_number);
    const { filing, documents, sections, items, parties } = detail;
    const rows: Json[] = [
      ...parties.map((party) => ({ part: 'party', ...party })),
      ...sections.map((section) => ({ part: 'section', ...section })),
      ...items.map((item) => ({ part: '8-K item', ...item })),
      ...(await statementsOf(call)),
      ...documents.map((document) => ({ part: 'document', ...document })),
    ];
    return {
      head: {
        source: source.kind,
        filing: filingJson(
          { ...filing, entity_name: filing.entity_name?.slice(0, 150) ?? null },
          source.kind === 'lake' ? version : null,
        ),
      },
      list: 'parts',
      rows: rows.slice(position),
      total: rows.length,
    };
  },
});

async function statementsOf({ args, world, version }: ToolCall<{ accession_number: string }>): Promise<Json[]> {
  if (world.lake === null || version === null || !(await world.lake.has('xbrl_presentation', version))) return [];
  const rows = await world.lake.rows(
    `SELECT role, any_value(role_definition) AS title, count(*) AS lines FROM xbrl_presentation
     WHERE accession_number = ${quoteText(args.accession_number)} GROUP BY role ORDER BY min(file), min(position)`,
    version,
  );
  return rows.map(({ role, title, lines }) => ({
    part: 'statement',
    title: title ?? null,
    role: role ?? null,
    lines: lines ?? null,
  }));
}
