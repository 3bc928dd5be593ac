/** docs/reference/forms-columns.md, made from the descriptors. */
import { FORM_TABLES, type FormColumn, type FormTable } from '../../src/filings/forms/index.ts';
import { STATEMENT_TABLES } from '../../src/filings/statements/index.ts';

const TABLES = [...FORM_TABLES, ...STATEMENT_TABLES];

export function formsReference(): string {
  const head = `# Columns of the structured forms

Made from the descriptors in \`src/filings/forms\` and \`src/filings/statements\` by \`npm run docs\`. [Structured forms](../guide/forms.md) has the rules.
Columns of the key are **bold**. "source" is the path below the row's element, by local names; \`—\`: a rule makes the value.
`;
  return `${head}\n| table | key after \`accession_number\` | a row |\n|---|---|---|\n${TABLES.map(entry).join('\n')}\n\n${TABLES.map(section).join('\n')}`;
}

/** The key without `accession_number`, which every key begins with. */
function entry({ name, key, meaning }: FormTable): string {
  const rest = key.slice(1).map((column) => `\`${column}\``);
  return `| [${name}](#${name}) | ${rest.join(', ') || 'one a filing'} | ${meaning} |`;
}

function section(table: FormTable): string {
  const rows = table.columns.map((column) => `| ${cells(table, column).join(' | ')} |`);
  const forms = table.forms.join(', ');
  return `## ${table.name}\n\n${table.meaning}. Forms: ${forms}.\n\n| column | type | item | source | meaning | null |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

function cells({ key }: FormTable, { name, type, item, paths, meaning, empty }: FormColumn): string[] {
  const sources = paths.map(
    ({ steps, attribute }) =>
      [...steps, ...(attribute === null ? [] : [`@${attribute}`])].join('/') || 'the element itself',
  );
  const source = sources.length === 0 ? '—' : sources.map((each) => `\`${each}\``).join(' or ');
  return [key.includes(name) ? `**${name}**` : name, type, item ?? '', source, meaning, empty ?? ''].map((cell) =>
    cell.replaceAll('|', '\\|'),
  );
}
