/** `sql`. The statement runs in a process of its own, which reads the files of one version of the lake and nothing else. */
import { z } from 'zod';
import { FilinglakeError, quoteName } from '../../core/index.ts';
import { TABLES } from '../../lake/tables/index.ts';
import { VIEWS } from '../../lake/views/index.ts';
import type { Json } from '../answers/json-text.ts';
import { paging } from './arguments.ts';
import { rowsOf } from './sql-session.ts';
import { lakeOf, rowsMax, tool } from './tool.ts';

export const sql = tool({
  name: 'sql',
  title: 'SQL over the lake',
  description:
    'One reading statement in DuckDB\'s SQL over the lake at one version: 20 s, 1 GB of memory, 10,000 rows at most. schema: [] lists tables and views with their rows and meaning, schema: ["filings"] their columns. keep_as keeps the rows as table kept.NAME for later statements of this session. ORDER BY a unique column, or pages may repeat. xbrl_facts has a statement for each filing: facts_as_of(moment) has each fact once. Sum f13_positions.value_usd, never f13_holdings.value. as_of does not apply: filter by filings.acceptance_datetime (Eastern time).',
  input: z.strictObject({
    statement: z.string().min(1).max(20_000).optional(),
    schema: z.array(z.string().max(80)).max(20).optional(),
    keep_as: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,40}$/)
      .optional(),
    lake_version: z.int().min(0).optional(),
    ...paging,
  }),
  needs: 'lake',
  async run(call) {
    const { args, world, position, signal } = call;
    const { lake, version: pinned } = lakeOf(call);
    // Kept results hold the session at their version.
    const version = args.lake_version ?? world.sql?.keptVersion ?? pinned;
    if (args.statement === undefined) {
      if (args.schema === undefined) throw new FilinglakeError('tool-input-invalid', 'sql needs a statement or schema');
      const rows = await schemaOf(args.schema, lake, version);
      return { head: { lake_version: version }, rows: rows.slice(position), total: rows.length };
    }
    // Refuses a version that never was.
    await lake.lake.snapshot(version);
    if (world.sql === null) throw new FilinglakeError('source-missing', 'this server has no lake');
    const found = await world.sql.run(args.statement, { version, signal, keepAs: args.keep_as ?? null });
    return {
      head: {
        lake_version: version,
        rows_in_all: found.rows.length,
        types: found.columns.slice(0, 20).map(({ name, type }) => `${name.slice(0, 40)} ${type.slice(0, 20)}`),
        ...(args.keep_as !== undefined && { kept_as: `kept.${args.keep_as}` }),
      },
      rows: rowsOf(found, position).slice(0, rowsMax(call.budget)),
      total: found.rows.length,
      repeat: { statement: args.statement, lake_version: version },
      sha256: found.sha256,
      caveats:
        args.lake_version === undefined && version !== pinned
          ? [`kept results hold this session at version ${version}; the newest is ${pinned}: name it as lake_version`]
          : [],
    };
  },
});

async function schemaOf(
  names: readonly string[],
  lake: ReturnType<typeof lakeOf>['lake'],
  version: number,
): Promise<Json[]> {
  if (names.length === 0) {
    const { tables } = await lake.lake.snapshot(version);
    const filled = TABLES.filter(({ name }) => (tables.get(name)?.rows ?? 0) > 0);
    const there = new Set(filled.map(({ name }) => name));
    return [
      ...filled.map(({ name, meaning, key }) => ({
        table: name,
        rows: tables.get(name)!.rows,
        key: [...key],
        meaning,
      })),
      ...VIEWS.filter(({ tables: read }) => there.has(read[0]!)).map(({ name, schema, parameters, meaning }) => ({
        view: `${schema === undefined ? '' : `${schema}.`}${name}${parameters ? `(${parameters.join(', ')})` : ''}`,
        meaning,
      })),
    ];
  }
  const rows: Json[] = [];
  for (const name of names) {
    const table = TABLES.find((one) => one.name === name);
    if (table === undefined && !VIEWS.some((view) => view.name === name && !view.parameters && !view.schema))
      throw new FilinglakeError('tool-input-invalid', `there is no table or view "${name}"`, {
        remedy: 'Call `schema` with an empty list of tables to list them.',
      });
    if (table)
      for (const column of table.columns)
        rows.push({ table: name, column: column.name, type: column.type, meaning: column.meaning });
    else
      for (const { column_name } of await lake.lake.query(`DESCRIBE SELECT * FROM ${quoteName(name)}`))
        rows.push({ view: name, column: String(column_name) });
  }
  return rows;
}
