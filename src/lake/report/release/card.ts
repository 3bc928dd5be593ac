/** README.md of a release: what the data are, how complete, how to read, check and cite them. Hubs read its first lines. */
import { counted, isObject } from '../../../core/index.ts';
import { MANIFEST, SUMS } from '../../release/manifest.ts';
import { citationText, filledTables, type ReleaseManifest, summaryOf } from './manifest.ts';
import type { ReleasedExport } from './proofs.ts';

const n = (value: number) => value.toLocaleString('en-US');

export function dataCard(manifest: ReleaseManifest): string {
  const { name, citation, lake, exports, versions } = manifest;
  const tables = filledTables(manifest);
  const example = tables.find(([table]) => table === 'filings')?.[0] ?? tables[0]?.[0] ?? 'filings';
  const front = [
    '---',
    `pretty_name: ${JSON.stringify(citation.title)}`,
    ...(citation.license === null ? [] : [`license: ${JSON.stringify(citation.license)}`]),
    'configs:',
    ...tables.flatMap(([table]) => [`- config_name: ${table}`, `  data_files: tables/${table}/*.parquet`]),
    '---',
  ];
  return [
    ...front,
    `# ${citation.title.replace(/\s+/g, ' ')}`,
    '',
    `Release \`${name}\`. ${summaryOf(manifest)}`,
    ...(manifest.note === null ? [] : ['', manifest.note]),
    '',
    '## Where it is from',
    '',
    `EDGAR, the system of the U.S. Securities and Exchange Commission. Version ${lake.version} of the lake was committed at ${lake.committed_at ?? 'no time'}.`,
    `filinglake ${versions.filinglake} wrote this folder, with version ${versions.mapping} of its mappings of forms.`,
    '',
    ...exports.map(exportLine),
    '',
    ...completeness(manifest),
    '',
    '## Tables',
    '',
    '| table | rows | files | meaning |',
    '|---|---:|---:|---|',
    ...tables.map(
      ([table, { rows, parts, meaning }]) => `| \`${table}\` | ${n(rows)} | ${n(parts.length)} | ${meaning} |`,
    ),
    '',
    `${MANIFEST} has the columns of each table, their types and meanings. Times of acceptance are Eastern time, without a zone.`,
    '',
    '## Read it',
    '',
    '```python',
    'import duckdb',
    `duckdb.sql("SELECT * FROM read_parquet('tables/${example}/*.parquet')").df()`,
    '```',
    '',
    '## Check it',
    '',
    '```',
    `sha256sum -c ${SUMS}`,
    'filinglake lake release verify .',
    `filinglake lake release rebuild ${MANIFEST} --catalog YOUR_CATALOG`,
    '```',
    '',
    `The digest of all rows is \`${manifest.digest}\`. It depends on the rows alone, not on their order, on files or on the machine.`,
    'Two folders with the same digest have the same data. It leaves out:',
    '',
    ...leftOutLines(manifest),
    '',
    '## Cite it',
    '',
    `> ${citationText(manifest)}`,
    '',
    '## Limits',
    '',
    '- EDGAR holds what filers sent. Their mistakes are in the data.',
    '- Sections, statements and forms were read by rules. Some filings are read wrongly, or not at all.',
    '- Filings may name people. Keep to the law that applies to you.',
    '',
  ].join('\n');
}

/** What was selected, and from where. A folder of the author's machine says nothing to others. */
function exportLine({ export: name, service, state, definition }: ReleasedExport): string {
  const from = service?.startsWith('catalog:') ? "the author's own catalog" : (service ?? 'an unknown service');
  const select = isObject(definition) && isObject(definition.select) ? definition.select : null;
  const selected = select === null ? '' : ` It selects \`${JSON.stringify(select).replaceAll('`', '')}\`.`;
  return `- Export \`${name}\` from ${from}: its newest run is ${state ?? 'without an end'}.${selected} ${MANIFEST} has its definition.`;
}

function completeness({ coverage }: ReleaseManifest): string[] {
  const { windows, edgar_days, steps, failures, doubts, filings } = coverage;
  const lines = [
    `- Lookups: ${counted(windows.proven, 'window is', 'windows are')} proven complete, ${n(windows.unproven)} not. The service counted ${n(windows.expected)} records, ${n(windows.found)} were found.`,
    `- Steps of filings: ${listed(steps) || 'none'}.`,
    `- Requests that failed: ${listed(Object.fromEntries(failures.map(({ code, rows }) => [code, rows]))) || 'none'}.`,
    `- Values of forms that did not fit, by reason: ${listed(doubts) || 'none'}.`,
    `- Filings that the source has since removed: ${n(filings.removed)}.`,
  ];
  const days = edgar_days.map(
    (one) =>
      `- Days of EDGAR at ${one.service}: ${n(one.proven)} of ${n(one.days)} are proven complete, from ${one.first} to ${one.last}. ${n(one.missing)} filings are missing.`,
  );
  if (days.length === 0)
    days.push('- Days of EDGAR: not recorded. Nothing shows whether the source had every filing that EDGAR published.');
  return ['## How complete it is', '', ...lines, ...days];
}

function listed(numbers: Readonly<Record<string, number>>): string {
  return Object.entries(numbers)
    .map(([name, value]) => `${name} ${n(value)}`)
    .join(', ');
}

function leftOutLines(manifest: ReleaseManifest): string[] {
  return filledTables(manifest).flatMap(([table, { left_out }]) =>
    left_out.map(({ column, why }) => `- ${column === null ? `\`${table}\`` : `\`${table}.${column}\``}: ${why}.`),
  );
}
