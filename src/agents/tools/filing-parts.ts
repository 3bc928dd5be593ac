/** What a filing consists of, part by part. */
import { quoteText } from '../../core/index.ts';
import type { Json } from '../answers/json-text.ts';
import type { FilingDetail, FilingSource } from '../sources/filing-source.ts';
import type { ToolCall } from './tool.ts';

type Reading = Pick<ToolCall<unknown>, 'world' | 'version'>;

/** @param section its headings and tables instead */
export async function filingParts(
  reading: Reading,
  source: FilingSource,
  { filing, documents, sections, items, parties }: FilingDetail,
  section: string | undefined,
): Promise<Json[]> {
  const number = filing.accession_number;
  if (section !== undefined) return insideSection(reading, source, number, section);
  const ofDocument = await numbersOf(reading, number);
  return [
    ...parties.map((party) => ({ part: 'party', ...party })),
    ...sections.map((one) => ({ part: 'section', ...one })),
    ...items.map((item) => ({ part: '8-K item', ...item })),
    ...(await statementsOf(reading, number)),
    ...documents.map((document) => ({ part: 'document', ...document, ...ofDocument.get(document.document_id) })),
  ];
}

/** Headings of a section with their places in its text, and its tables. */
async function insideSection({ world, version }: Reading, source: FilingSource, number: string, section: string) {
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
      part: 'table',
      document_id: String(document_id),
      table: Number(table_number),
      rows: Number(rows),
      columns: Number(columns),
      first_cell: String(first_cell).slice(0, 100),
    })),
  ];
}

/** Numbers of the tables and chunks of documents, as far as the lake has them. */
async function numbersOf({ world, version }: Reading, number: string) {
  const found = new Map<string, Record<string, Json>>();
  if (world.lake === null || version === null) return found;
  for (const [name, table, column] of [
    ['tables', 'document_tables', 'table_number'],
    ['chunks', 'chunks', 'position'],
  ] as const) {
    if (!(await world.lake.has(table, version))) continue;
    const rows = await world.lake.rows(
      `SELECT document_id, max(${column}) AS n FROM ${table} WHERE accession_number = ${quoteText(number)} GROUP BY ALL`,
      version,
    );
    for (const row of rows) {
      const id = String(row.document_id);
      found.set(id, { ...found.get(id), [name]: Number(row.n) });
    }
  }
  return found;
}

async function statementsOf({ world, version }: Reading, number: string): Promise<Json[]> {
  if (world.lake === null || version === null || !(await world.lake.has('xbrl_presentation', version))) return [];
  const rows = await world.lake.rows(
    `SELECT role, any_value(role_definition) AS title, count(*) AS lines FROM xbrl_presentation
     WHERE accession_number = ${quoteText(number)} GROUP BY role ORDER BY min(file), min(position)`,
    version,
  );
  return rows.map(({ role, title, lines }) => ({
    part: 'statement',
    title: title ?? null,
    role: role ?? null,
    lines: lines ?? null,
  }));
}
