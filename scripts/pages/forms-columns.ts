/** docs/reference/forms-columns.md, made from the descriptors. */
import { FORM_TABLES, type FormColumn, type FormTable } from '../../src/filings/forms/index.ts';
import { PRINTED_TABLES, STATEMENT_TABLES } from '../../src/filings/statements/index.ts';

const TABLES = [...FORM_TABLES, ...STATEMENT_TABLES, ...PRINTED_TABLES];

export function formsReference(): string {
  const first = TABLES[0]!.columns;
  // A column that every table has, alike, is said once.
  const shared = first.filter((column) =>
    TABLES.every(({ columns }) => columns.some((other) => cells(other).join() === cells(column).join())),
  );
  const byForms = Map.groupBy(TABLES, ({ forms }) => forms.join(', '));
  return `# Columns of the structured forms

Made from the descriptors in \`src/filings/forms\` and \`src/filings/statements\` by \`npm run docs\`. [Structured forms](../guide/forms.md) has the rules.
The key of each table begins with \`accession_number\`, and continues with the columns in parentheses. "source" is the path below the row's element, by local names; \`—\`: a rule makes the value.

${[...byForms].map(([forms, tables]) => `- ${forms}: ${tables.map(({ name }) => `[${name}](#${name})`).join(', ')}`).join('\n')}

Every table has these columns too:

${tableOf(shared)}
${TABLES.map((table) => section(table, shared)).join('')}`;
}

function section({ name, key, meaning, columns }: FormTable, shared: readonly FormColumn[]): string {
  const said = new Set(shared.map((column) => column.name));
  const own = columns.filter((column) => !said.has(column.name));
  const [kin, same] = kinOf(name, own);
  const rest = key.slice(1).map((column) => `\`${column}\``);
  return `## ${name}
${meaning} (${rest.length === 0 ? 'one a filing' : `key: ${rest.join(', ')}`}).

${kin === null ? '' : `As in [${kin}](#${kin}): ${same.map((column) => `\`${column.name}\``).join(', ')}.\n\n`}${tableOf(own.filter((column) => !same.includes(column)))}`;
}

/** A table that shares fewer columns says them itself. */
const ENOUGH_SHARED = 6;

/** A table before with many of the columns, alike: they are named, and not said again. */
function kinOf(name: string, own: readonly FormColumn[]): [string | null, readonly FormColumn[]] {
  for (const { name: other, columns } of TABLES.slice(
    0,
    TABLES.findIndex((table) => table.name === name),
  )) {
    const known = new Set(columns.map((column) => cells(column).join()));
    const same = own.filter((column) => known.has(cells(column).join()));
    if (same.length >= ENOUGH_SHARED) return [other, same];
  }
  return [null, []];
}

function tableOf(columns: readonly FormColumn[]): string {
  const rows = columns.map((column) => `| ${cells(column).join(' | ')} |\n`);
  return `| column | type | item | source | meaning | null |\n|---|---|---|---|---|---|\n${rows.join('')}`;
}

function cells({ name, type, item, paths, meaning, empty }: FormColumn): string[] {
  const sources = paths.map(
    ({ steps, attribute }) =>
      [...steps, ...(attribute === null ? [] : [`@${attribute}`])].join('/') || 'the element itself',
  );
  const source = sources.length === 0 ? '—' : sources.map((each) => `\`${each}\``).join(' or ');
  return [name, type, item ?? '', source, meaning, empty ?? ''].map((cell) => cell.replaceAll('|', '\\|'));
}
