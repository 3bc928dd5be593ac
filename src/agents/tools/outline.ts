/** `outline`. A filing doesn't fit into a context: its parts with their lengths come first. */
import { z } from 'zod';
import { quoteText } from '../../lake/index.ts';
import { accession, asOf, paging } from '../arguments.ts';
import type { Json } from '../json-text.ts';
import { filingIn, sectionCode } from '../passages.ts';
import type { FilingSource } from '../sources/filing-source.ts';
import { type ToolCall, tool } from '../tool.ts';
import { filingJson } from './find-filings.ts';

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
    const { args, position, version } = call;
    const { detail, source } = await filingIn(call, args.accession_number);
    const { filing, documents, sections, items, parties } = detail;
    const ofDocument = await partsOf(call);
    const rows: Json[] =
      args.section !== undefined
        ? await insideSection(call, source, sectionCode(args.section))
        : [
            ...parties.map((party) => ({ part: 'party', ...party })),
            ...sections.map((section) => ({ part: 'section', ...section })),
            ...items.map((item) => ({ part: '8-K item', ...item })),
            ...(await statementsOf(call)),
            ...documents.map((document) => ({
              part: 'document',
              ...document,
              ...ofDocument.get(document.document_id),
            })),
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

type Call = ToolCall<{ accession_number: string }>;

/** Headings of a section with their places in its text, and its tables. */
async function insideSection({ args, world, version }: Call, source: FilingSource, section: string): Promise<Json[]> {
  const number = args.accession_number;
  const headings = (await source.headings(number, section, version)) ?? [];
  const hasTables = source.kind === 'lake' && (await world.lake!.has('document_tables', version!));
  const tables = hasTables
    ? await world.lake!.rows(
        `SELECT document_id, table_number, max(row_number) AS rows, max(column_number) AS columns,
           arg_min(text, row_number * 1000 + column_number) AS first_cell
         FROM document_tables WHERE accession_number = ${quoteText(number)} AND section = ${quoteText(section)}
         GROUP BY document_id, table_number ORDER BY document_id, table_number`,
        version!,
      )
    : [];
  return [
    ...headings.map((heading) => ({ part: 'heading', ...heading })),
    ...tables.map(({ document_id, table_number, rows, columns, first_cell }) => ({
      ...{ part: 'table', document_id: String(document_id), table: Number(table_number), rows: Number(rows) },
      ...{ columns: Number(columns), first_cell: String(first_cell).slice(0, 100) },
    })),
  ];
}

/** Numbers of the tables and chunks of documents, as far as the lake has them. */
async function partsOf({ args, world, version }: Call): Promise<ReadonlyMap<string, Record<string, Json>>> {
  const found = new Map<string, Record<string, Json>>();
  if (world.lake === null || version === null) return found;
  for (const [name, table, column] of [
    ['tables', 'document_tables', 'table_number'],
    ['chunks', 'chunks', 'position'],
  ] as const) {
    if (!(await world.lake.has(table, version))) continue;
    const rows = await world.lake.rows(
      `SELECT document_id, max(${column}) AS n FROM ${table} WHERE accession_number = ${quoteText(args.accession_number)} GROUP BY ALL`,
      version,
    );
    for (const row of rows) {
      const id = String(row.document_id);
      found.set(id, { ...found.get(id), [name]: Number(row.n) });
    }
  }
  return found;
}

async function statementsOf({ args, world, version }: Call): Promise<Json[]> {
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
