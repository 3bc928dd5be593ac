/** docs/reference/tables.md, made from the lake's own definitions. */
import { TABLES, type TableDefinition, tableNamed } from '../../src/lake/tables/index.ts';

/** The text of docs/reference/tables.md. */
export function tablesDocument(): string {
  const ownTables = TABLES.filter((table) => !isOfForm(table.name));
  return `# Tables

<!-- Made by npm run docs from src/lake/tables. -->

The tables of a lake. \`filinglake schema\` prints the same; \`filinglake schema --json\` is for scripts.

- Types are DuckDB's. In Delta, \`VARCHAR\` is string, \`INTEGER\` integer, \`BIGINT\` long, \`DECIMAL(38,12)\` decimal(38,12),
  \`TIMESTAMP\` timestamp_ntz (without zone),
  \`TIMESTAMPTZ\` timestamp (UTC), \`BLOB\` binary.
- Delta's statistics have no bounds of decimals: readers take JSON numbers for doubles, and would prune by rounded values.
- Tables of structured forms have [a page of their own](forms-columns.md). They are in a lake once it has rows of them. [How to ask for them](../guide/forms.md#in-an-export).
- Columns of the key are **bold** and never null. Any other column may be null.
- A column never changes its type. A column that a later version adds is null in older rows.
- \`"window"\` needs quotes, since it is a reserved word of SQL. With an alias it needs none: \`w.window\`.

${ownTables.map(({ name }) => `[${name}](#${name})`).join(' · ')}

${ownTables.map(section).join('')}`;
}

function isOfForm(name: string): boolean {
  return tableNamed(name)!.sources.includes('forms');
}

function section({ name, meaning, key, columns, references }: TableDefinition): string {
  const rows = columns.map(
    (column) =>
      `| ${key.includes(column.name) ? `**${column.name}**` : column.name} | ${column.type} | ${column.meaning} |`,
  );
  const parents = references.map(
    ({ columns: from, table }) => `\`${from.join(', ')}\` is that of [${table}](#${table})`,
  );
  return `## ${name}
${meaning}. Key: ${key.map((column) => `\`${column}\``).join(', ')}.${parents.length > 0 ? ` ${parents.join('; ')}.` : ''}

| column | type | meaning |
|---|---|---|
${rows.join('\n')}
`;
}
