/** docs/reference/views.md, made from the views themselves. */
import { VIEWS, type View } from '../../src/lake/views/views.ts';

const SCHEMAS: Readonly<Record<string, string>> = {
  sec345: 'Insider Transactions Data Sets (forms 3, 4, 5)',
  sec13f: 'Form 13F Data Sets',
  secd: 'Form D Data Sets',
  secnport: 'Form N-PORT Data Sets',
};

/** The text of docs/reference/views.md. */
export function viewsDocument(): string {
  const own = VIEWS.filter(({ schema }) => schema === undefined);
  return `# Views

<!-- Made by npm run docs from src/lake/views. -->

Views over tables of companies, structured forms and XBRL. \`filinglake sql\`, \`lake.sql\`, the libraries and the Python package have them, once the
lake has rows of the first table that a view reads.

| view | what it shows | tables |
|---|---|---|
${own.map(lineOf).join('\n')}

\`facts_as_of\` is a table macro: \`SELECT * FROM facts_as_of('2024-03-01 16:00')\`. The moment is Eastern time. A filing without an acceptance time counts from the end of its filing day. A macro reads tables by their names: never call a common table expression of yours \`filings\` or like another table, since the macro would read that.

## SEC's data sets

Four schemas have the table and column names of SEC's own data sets. In DuckDB, after \`.read lake.sql\`, \`USE sec345\` lets queries
written for SEC's files run unchanged. \`filinglake sql\` takes the names with their schema: \`sec345.NONDERIV_TRANS\`.

${Object.keys(SCHEMAS).map(sectionOf).join('\n\n')}

- Days are DD-MON-YYYY, CIKs have ten digits, as in SEC's files.
- Columns whose names end in \`_SK\`, \`_ID\` or \`_SEQ_KEY\` are unique within a filing. They are not SEC's own numbers.
- \`_FN\` columns have the ids of footnotes, joined by commas.
- \`sub\`, \`num\`, \`pre\`, \`txt\`, \`tag\`, \`cal\`, \`dim\` and \`ren\` follow SEC's Financial Statement and Notes Data Sets, for every filing in the lake. \`num\` also has facts of
  the notes. \`stmt\` in \`pre\` follows from the name of the statement, \`report\` from the order of these names.
- Every column of SEC's readme files is there. No source is at hand for some, and those are null: \`baph\`, \`rfile\`, \`parentroleuri\`,
  \`parentreport\`, \`ultparentrpt\`, \`floataxis\`, \`floatmems\`, \`FILE_NUMBER\` of REPORTINGOWNER, \`OVER100RECIPIENTFLAG\`. \`crdr\` is that of a company's own tags: standard taxonomies are in no filing. \`prevrpt\` knows
  amendments in the lake only. \`dimh\` is filinglake's own hash; it joins \`dim\` as SEC's does.
- Not there: the tables of Form N-PORT about single kinds of derivatives and repurchases. Their rows are in \`nport_derivatives\` and \`nport_repos\`.
`;
}

function sectionOf(schema: string): string {
  const views = VIEWS.filter((view) => view.schema === schema);
  return `### ${schema}: ${SCHEMAS[schema]}

| view | what it shows | tables |
|---|---|---|
${views.map(lineOf).join('\n')}`;
}

function lineOf({ name, parameters, meaning, tables }: View): string {
  const called = parameters ? `${name}(${parameters.join(', ')})` : name;
  return `| \`${called}\` | ${meaning} | ${tables.map((table) => `\`${table}\``).join(', ')} |`;
}
