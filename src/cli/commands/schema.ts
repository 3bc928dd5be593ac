/** `filinglake schema`: the tables of a lake, their columns, types, keys and meaning. */
import { Command } from 'commander';
import { FilinglakeError, nearestHint } from '../../core/index.ts';
import { definitionJsonSchema } from '../../export/index.ts';
import { TABLES, type TableDefinition } from '../../tables/index.ts';
import { printJson, printTable } from '../terminal/terminal.ts';

export function command(): Command {
  return new Command('schema')
    .description('List tables and columns: types, keys, meaning')
    .argument('[table]', 'one table (default: all)')
    .option('--json', 'print JSON')
    .option('--definition', 'print the JSON Schema of export definitions instead, for editors')
    .addHelpText(
      'after',
      `
Examples:
  filinglake schema
  filinglake schema filings
  filinglake schema --json
  filinglake schema --definition > export.schema.json

With this first line in a definition, an editor with a YAML language server knows every key:
  # yaml-language-server: $schema=export.schema.json`,
    )
    .action((name: string | undefined, options: { json?: boolean; definition?: boolean }) => {
      if (options.definition) return void process.stdout.write(`${JSON.stringify(definitionJsonSchema(), null, 2)}\n`);
      const tables = name === undefined ? TABLES : [tableNamed(name)];
      if (options.json) printJson(tables.map(described));
      else tables.forEach(print);
    });
}

function tableNamed(name: string): TableDefinition {
  const found = TABLES.find((table) => table.name === name.toLowerCase());
  if (found) return found;
  const names = TABLES.map((table) => table.name);
  throw new FilinglakeError('table-unknown', `there is no table '${name}'${nearestHint(name, names)}`, {
    remedy: `The tables are ${names.join(', ')}.`,
  });
}

function described({ name, meaning, key, columns, references }: TableDefinition): Record<string, unknown> {
  return {
    name,
    meaning,
    key,
    columns: columns.map((column) => ({ ...column, key: key.includes(column.name) })),
    references: references.map(({ columns: from, table }) => ({
      columns: from,
      table,
      table_columns: from,
    })),
  };
}

function print(table: TableDefinition): void {
  process.stdout.write(`${table.name}\n  ${table.meaning}.\n`);
  const rows = table.columns.map(({ name, type, meaning }) => ({
    column: `  ${name}`,
    type,
    key: table.key.includes(name) ? 'key' : '',
    meaning,
  }));
  printTable(rows, ['column', 'type', 'key', 'meaning']);
  process.stdout.write('\n');
}
