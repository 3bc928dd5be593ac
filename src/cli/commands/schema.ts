/** `filinglake schema`: the tables and views of a lake, their columns, types, keys and meaning. */
import { Command } from 'commander';
import { FilinglakeError, nearestHint } from '../../core/index.ts';
import { definitionJsonSchema } from '../../export/index.ts';
import { statementRules } from '../../filings/statements/index.ts';
import { ALWAYS_WRITTEN, TABLE_GROUPS, TABLES, type TableDefinition } from '../../lake/tables/index.ts';
import { columnsOfView, VIEWS, type View } from '../../lake/views/index.ts';
import { counted, printCutTable, printJson, printTable } from '../terminal/terminal.ts';

export function command(): Command {
  return new Command('schema')
    .description('List tables and views, and their columns: types, keys, meaning')
    .argument('[name]', 'a table, a view or a group; items: those of fundamentals (default: a list of all)')
    .option('--json', 'print JSON')
    .option('--definition', 'print the JSON Schema of export definitions instead, for editors')
    .addHelpText(
      'after',
      `
Examples:
  filinglake schema
  filinglake schema filings
  filinglake schema f13_positions
  filinglake schema ownership
  filinglake schema items
  filinglake schema --json
  filinglake schema --definition > export.schema.json

With this first line in a definition, an editor with a YAML language server knows every key:
  # yaml-language-server: $schema=export.schema.json`,
    )
    .action(async (name: string | undefined, options: { json?: boolean; definition?: boolean }) => {
      if (options.definition) return void process.stdout.write(`${JSON.stringify(definitionJsonSchema(), null, 2)}\n`);
      if (name === undefined) return options.json ? printJson(TABLES.map(described)) : printLists();
      if (name.toLowerCase() === 'items') return options.json ? printJson(itemRows()) : printItems();
      const { tables, views } = named(name);
      if (options.json) return printJson([...tables.map(described), ...(await Promise.all(views.map(describedView)))]);
      for (const table of tables) printOne(table.name, table.meaning, table.columns, table.key);
      for (const view of views)
        printOne(
          calledName(view),
          `${view.meaning}. A view over ${view.tables.join(', ')}`,
          await columnsOfView(view),
          [],
        );
    });
}

function itemRows(): {
  item: string;
  statement: string;
  unit: string;
  only_of: string | null;
  meaning: string;
}[] {
  const shown = [...statementRules().items.values()].filter(({ hidden }) => !hidden);
  return shown.map(({ name, statement, unit, industry, means }) => {
    return { item: name, statement, unit, only_of: industry, meaning: means };
  });
}

function printItems(): void {
  const rows = itemRows().map((row) => ({ ...row, only_of: row.only_of ?? '' }));
  printCutTable(rows, ['item', 'statement', 'unit', 'only_of', 'meaning']);
}

/** A table has the name before a view over it. A schema is a group. @throws FilinglakeError `table-unknown` */
function named(asked: string): { tables: readonly TableDefinition[]; views: readonly View[] } {
  const name = asked.toLowerCase();
  const group = TABLE_GROUPS.get(name);
  if (group) return { tables: TABLES.filter((table) => (group as readonly string[]).includes(table.name)), views: [] };
  const views = VIEWS.filter((view) =>
    [view.name, qualifiedName(view), view.schema].some((one) => one?.toLowerCase() === name),
  );
  const tables = TABLES.filter((table) => table.name === name);
  if (tables.length + views.length > 0) return { tables, views };
  const names = [...TABLES.map((table) => table.name), ...VIEWS.map(qualifiedName), ...TABLE_GROUPS.keys()];
  throw new FilinglakeError('table-unknown', `there is no table or view '${asked}'${nearestHint(name, names)}`, {
    remedy: 'List them: `filinglake schema`.',
  });
}

function qualifiedName({ schema, name }: View): string {
  return schema === undefined ? name : `${schema}.${name}`;
}

function calledName(view: View): string {
  return `${qualifiedName(view)}${view.parameters ? `(${view.parameters.join(', ')})` : ''}`;
}

function printLists(): void {
  const list = (title: string, rows: readonly { name: string; meaning: string }[]) => {
    process.stdout.write(`${title}\n`);
    printCutTable(
      rows.map(({ name, meaning }) => ({ name: `  ${name}`, meaning })),
      ['name', 'meaning'],
    );
    process.stdout.write('\n');
  };
  const ofExports = new Set<string>(ALWAYS_WRITTEN);
  const plain = TABLES.filter(({ group }) => group === undefined);
  list(
    'Tables',
    plain.filter(({ name }) => !ofExports.has(name)),
  );
  const groups = [...TABLE_GROUPS].map(([name, tables]) => ({
    name,
    meaning: `${counted(tables.length, 'table')}: ${tables.join(', ')}`,
  }));
  list('Groups of tables of structured forms: a definition may name a group', groups);
  list(
    'Tables about exports: each export writes them',
    plain.filter(({ name }) => ofExports.has(name)),
  );
  const views = (of: readonly View[]) => of.map((view) => ({ name: calledName(view), meaning: view.meaning }));
  list('Views', views(VIEWS.filter(({ schema }) => schema === undefined)));
  const schemas = Object.groupBy(
    VIEWS.filter(({ schema }) => schema !== undefined),
    ({ schema }) => schema!,
  );
  list(
    "Views with the names of SEC's data sets",
    Object.entries(schemas).map(([name, of]) => ({ name, meaning: of!.map((view) => view.name).join(', ') })),
  );
  process.stdout.write('Columns: filinglake schema NAME. Items of fundamentals: filinglake schema items\n');
}

function described({ name, meaning, key, columns, references }: TableDefinition): Record<string, unknown> {
  return {
    name,
    meaning,
    key,
    columns: columns.map((column) => ({ ...column, key: key.includes(column.name) })),
    references: references.map(({ columns: from, table }) => ({ columns: from, table, table_columns: from })),
  };
}

async function describedView(view: View): Promise<Record<string, unknown>> {
  const { meaning, parameters = [], tables } = view;
  return { name: qualifiedName(view), meaning, parameters, tables, columns: await columnsOfView(view) };
}

function printOne(
  title: string,
  meaning: string,
  columns: readonly { name: string; type: string; meaning: string }[],
  keys: readonly string[],
): void {
  process.stdout.write(`${title}\n  ${meaning}.\n`);
  const rows = columns.map((column) => ({
    column: `  ${column.name}`,
    type: column.type,
    key: keys.includes(column.name) ? 'key' : '',
    meaning: column.meaning,
  }));
  printTable(rows, ['column', 'type', ...(keys.length > 0 ? ['key'] : []), 'meaning']);
  process.stdout.write('\n');
}
