/** `filinglake map`: prints rows of structured forms, from files or from documents on standard input. */
import { once } from 'node:events';
import { basename } from 'node:path';
import { Command } from 'commander';
import { EXIT, FilinglakeError, nearestHint } from '../../core/index.ts';
import { decodePieces, decodeText, pageRows } from '../../filings/documents/index.ts';
import { readSubmission, recogniseFile, submissionKind } from '../../filings/edgar/index.ts';
import {
  checkSchema,
  type Filing,
  type FilingDocument,
  FORM_GROUPS,
  FORM_TABLES,
  formValues,
  type MappedRow,
} from '../../filings/forms/index.ts';
import { mapFiling, PRINTED_TABLES, STATEMENT_TABLES } from '../../filings/statements/index.ts';
import { filingsOfStandardInput } from '../terminal/filings-from-lines.ts';
import { readInputFile } from '../terminal/input-file.ts';
import { REPORT_TABLES, reportRows } from '../terminal/report-rows.ts';
import { formatTable } from '../terminal/terminal.ts';

/** Groups and tables that --tables may name. */
const GROUPS = new Map([
  ...FORM_GROUPS,
  ['statements', STATEMENT_TABLES] as const,
  ['printed', PRINTED_TABLES] as const,
]);
const TABLES = [...FORM_TABLES, ...STATEMENT_TABLES, ...PRINTED_TABLES].map(({ name }) => name);

interface Options {
  form?: string;
  tables?: string;
  json?: boolean;
  stdin?: boolean;
  coRegistrants?: boolean;
  schema?: string[];
}

export function command(): Command {
  return new Command('map')
    .description(
      'Print rows of structured forms (3, 4, 5, 13F, D, 13D/G, 144, N-PORT, N-PX, N-CEN, ATS-N, C), XBRL, sections and text from files',
    )
    .argument('[file...]', 'complete submissions, or loose XML or inline XBRL documents; each plain or .gz')
    .option('--form <type>', 'form type of files that do not name one: 13F-HR, NPORT-P …')
    .option(
      '--tables <list>',
      `tables or groups, by commas; groups: ${[...GROUPS.keys()].join(', ')}; also ${REPORT_TABLES.join(', ')}`,
    )
    .option('--co-registrants', 'print the statements of companies that file with the filer, too')
    .option('--json', 'print one JSON line for each row: {"file", "table", "row"}')
    .option('--schema <file...>', "check a form's mapping against its XML schema: .xsd files, with --form")
    .option('--stdin', 'read documents from standard input, one JSON object a line')
    .addHelpText(
      'after',
      `
Without --json it prints how many rows each table gets, and what did not fit.
Values that do not fit their column are null; form_problems lists each with its path.
form_unknown_elements counts the elements that no mapping reads.
An XML form without tables of its own is printed as form_values: each text and attribute
with its path. --tables form_values gives them for every XML form.

Sections, text and statements are printed only if --tables names them: printed reads those without
tags, of a page with --form. Statements are the filer's; --co-registrants adds other filers'.

--schema prints leaves of the schema that no table reads (unread), and paths that tables read and
no version of the schema has (absent). Name the schema's included files too.

A line of --stdin: {"accession_number", "filing_date", "form_type", "name", "type", "content"}.
Consecutive lines with one accession number are one filing. Only "content" is required.

Exit code 3: a file or a document could not be read, or was left out.

Examples:
  filinglake map 0000320193-22-000061.txt
  filinglake map *.txt.gz --tables ownership --json > insiders.ndjson
  cat documents.ndjson | filinglake map --stdin --json
  filinglake map --schema eis_13F_Filer.xsd eis_Common.xsd --form 13F-HR`,
    )
    .action(run);
}

async function run(files: string[], options: Options): Promise<void> {
  if (options.schema !== undefined) return printSchemaCheck(options.schema, options);
  const tables = options.tables === undefined ? null : chosenTables(options.tables);
  if ((files.length === 0) === (options.stdin !== true)) {
    throw new FilinglakeError('argument-missing', 'map needs files or --stdin', {
      remedy: 'Name files, or give --stdin, but not both.',
    });
  }
  const out = options.json ? new JsonRows(tables) : new Counts();
  const wantsStatements = STATEMENT_TABLES.some(({ name }) => tables?.has(name));
  const together = wantsStatements ? withLinkbases(files) : files.map((file) => [file]);
  let failed = 0;
  const others = new Set<string>();
  const map = async (file: string, filing: () => Filing) => {
    try {
      const one = filing();
      for (const row of rowsOf(one, tables)) {
        if (row.row.registrant && !options.coRegistrants) {
          others.add(String(row.row.registrant));
          continue;
        }
        if (isFailure(row, tables)) failed++;
        await out.add(pathOf(file, row, together), row);
      }
    } catch (error) {
      if (files.length === 1 || !(error instanceof FilinglakeError)) throw error;
      process.stderr.write(`error: ${error.message}\n`);
      failed++;
    }
  };
  try {
    if (options.stdin)
      for await (const { file, filing } of filingsOfStandardInput(options.form)) await map(file, () => filing);
    else for (const group of together) await map(group[0]!, () => filingOfFiles(group, options.form));
  } catch (error) {
    // Print the rows of whole filings before the faulty line.
    if (out instanceof JsonRows) await out.end();
    throw error;
  }
  await out.end();
  if (others.size > 0)
    process.stderr.write(`note: --co-registrants prints the statements of ${[...others].join(', ')}\n`);
  if (failed > 0) process.exitCode = EXIT.finishedWithFailures;
}

function printSchemaCheck(files: readonly string[], { form, json }: Options): void {
  if (form === undefined)
    throw new FilinglakeError('argument-missing', '--schema needs --form', {
      remedy: 'Name the form of the schema, for example --form 13F-HR.',
    });
  const schemas = files.map((file) => ({ name: file, text: decodeText(readInputFile(file)).text }));
  const found = checkSchema(schemas, form);
  if (found === null)
    throw new FilinglakeError('argument-invalid', `no mapping has forms of type ${form}`, {
      remedy: 'Name a form of docs/guide/forms.md.',
    });
  const rows = (['unread', 'absent'] as const).flatMap((is) =>
    found[is].map((path) => ({ form: found.form, is, path })),
  );
  if (json) process.stdout.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  else
    process.stdout.write(
      rows.length === 0 ? 'every leaf is read, and every path is in the schema\n' : formatTable(rows, ['is', 'path']),
    );
}

function* rowsOf(filing: Filing, tables: ReadonlySet<string> | null): Generator<MappedRow> {
  if (tables === null) return yield* mapFiling(filing);
  yield* reportRows(filing, tables);
  const ofForms = tables.difference(new Set(REPORT_TABLES));
  if (ofForms.size > 0) yield* mapFiling(filing, ofForms, pageRows);
}

function chosenTables(list: string): Set<string> {
  const names = new Set<string>();
  for (const word of list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')) {
    const group = GROUPS.get(word)?.map((table) => table.name);
    const table = [...REPORT_TABLES, ...TABLES].find((name) => name === word);
    for (const name of group ?? (table === undefined ? [] : [table])) names.add(name);
    if (group === undefined && table === undefined) {
      const known = [...FORM_GROUPS.keys(), ...REPORT_TABLES, ...TABLES];
      throw new FilinglakeError('table-unknown', `there is no table or group '${word}'${nearestHint(word, known)}`, {
        remedy: `The groups are ${[...GROUPS.keys()].join(', ')}. docs/guide/forms.md lists the tables.`,
      });
    }
  }
  return names;
}

const LINKBASE = /(?:_(?:cal|def|lab|pre)\.xml|\.xsd)(?:\.gz)?$/i;

/**
 * Loose pages and instances, each with its linkbases among the files: those of its name (`acme-20241231.htm`, `acme-20241231_cal.xml`), of the
 * schema that it names, or all, if there is one only.
 */
function withLinkbases(files: readonly string[]): string[][] {
  const stemOf = (file: string) =>
    basename(file)
      .replace(/\.gz$/, '')
      .replace(LINKBASE, '')
      .replace(/(?:_htm)?\.\w+$/, '');
  const isLinkbase = (file: string) => LINKBASE.test(file);
  const groups = new Map(files.filter((file) => !isLinkbase(file)).map((file) => [file, [file]]));
  for (const file of files.filter(isLinkbase)) {
    const pages = [...groups.keys()].filter((other) => !isLinkbase(other));
    const page =
      pages.find((other) => stemOf(other) === stemOf(file)) ??
      (pages.length === 1 ? pages[0] : pages.find((other) => schemaOf(other) === stemOf(file)));
    if (page === undefined) {
      process.stderr.write(`note: ${file} is mapped alone: no other file has its name or names its schema\n`);
      groups.set(file, [file]);
    }
    if (page !== undefined) groups.get(page)!.push(file);
  }
  return [...groups.values()];
}

/** The schema that an instance or a page names, without its ending: linkbases have the name of their schema, which may be of another day. */
function schemaOf(file: string): string | null {
  const { text } = decodeText(readInputFile(file));
  return /schemaRef\b[^>]*\bhref=["'](?:[^"']*\/)?([^"'/]+)\.xsd["']/.exec(text)?.[1] ?? null;
}

function pathOf(first: string, { row }: MappedRow, together: readonly (readonly string[])[]): string {
  const group = together.find(([file]) => file === first);
  return group?.find((file) => basename(file).replace(/\.gz$/, '') === row.file) ?? first;
}

function filingOfFiles([file, ...linkbases]: readonly string[], form: string | undefined): Filing {
  const filing = filingOfFile(file!, form);
  return linkbases.length === 0
    ? filing
    : { ...filing, documents: [file!, ...linkbases].flatMap((each) => filingOfFile(each, form).documents) };
}

/** @param form used if neither the document nor the submission names one */
function filingOfFile(file: string, form: string | undefined): Filing {
  const bytes = readInputFile(file);
  const name = basename(file).replace(/\.gz$/, '');
  if (recogniseFile(name, bytes.subarray(0, 4096)) !== submissionKind) {
    const documents = [{ name, type: null, ...textOf(() => bytes) }];
    return { accessionNumber: null, filingDate: null, formType: form ?? null, documents };
  }
  const submission = readSubmission(bytes);
  return {
    accessionNumber: submission.accessionNumber,
    filingDate: submission.filingDate,
    formType: form ?? submission.formType,
    documents: submission.documents.map((document) => ({
      name: document.filename,
      type: document.type,
      ...(document.kind === 'text' ? textOf(() => document.read()) : { text: () => '' }),
    })),
  };
}

/** Above it a form is read in pieces: its text is never in memory as a whole. */
const LONG_BYTES = 4_000_000;

/** @param read returns a view of the file's bytes, not a copy */
function textOf(read: () => Buffer): Pick<FilingDocument, 'text' | 'pieces'> {
  const text = () => decodeText(read()).text;
  return read().length > LONG_BYTES ? { text, pieces: () => decodePieces(read()) } : { text };
}

/** Structured forms that gave no row. One without tables of its own is in form_values. */
function isFailure({ table, row }: MappedRow, tables: ReadonlySet<string> | null): boolean {
  if (table !== 'form_problems') return false;
  const hasValues = tables === null || tables.has(formValues.name);
  return row.reason === 'malformed' || row.reason === 'left_out' || (row.reason === 'no_mapping' && !hasValues);
}

interface Output {
  add(file: string, row: MappedRow): void | Promise<void>;
  end(): void | Promise<void>;
}

/** Lines are joined before they are written: one call for each would cost more than the mapping. */
class JsonRows implements Output {
  readonly #tables: ReadonlySet<string> | null;
  #lines = '';

  constructor(tables: ReadonlySet<string> | null) {
    this.#tables = tables;
  }

  async add(file: string, { table, row }: MappedRow): Promise<void> {
    if (isFailure({ table, row }, this.#tables))
      process.stderr.write(`warning: ${file}: ${row.document}: ${row.reason}: ${row.value}\n`);
    this.#lines += `${JSON.stringify({ file, table, row })}\n`;
    if (this.#lines.length > 65_536) await this.end();
  }

  async end(): Promise<void> {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '' && !process.stdout.write(lines)) await once(process.stdout, 'drain');
  }
}

const PROBLEMS_SHOWN = 20;

/** For people: rows by table, then values that did not fit. */
class Counts implements Output {
  readonly #counts = new Map<string, { file: string; table: string; rows: number }>();
  /** The first ones. */
  readonly #problems: string[] = [];
  #more = 0;

  add(file: string, { table, row }: MappedRow): void {
    const key = `${file}\0${table}`;
    const count = this.#counts.get(key);
    if (count) count.rows++;
    else this.#counts.set(key, { file, table, rows: 1 });
    if (table === 'form_problems') this.#name(`${file}: ${row.reason}: ${row.path ?? row.document}: ${row.value}`);
    if (table === 'form_unknown_elements') this.#name(`${file}: unknown: ${row.path}: ${row.occurrences}`);
  }

  #name(problem: string): void {
    if (this.#problems.length < PROBLEMS_SHOWN) this.#problems.push(problem.slice(0, 200));
    else this.#more++;
  }

  /** Files in their given order, tables in the forms' order. */
  #sorted(): Record<string, unknown>[] {
    const counts = [...this.#counts.values()];
    const files = [...new Set(counts.map(({ file }) => file))];
    const place = ({ file, table }: { file: string; table: string }) =>
      files.indexOf(file) * TABLES.length + TABLES.indexOf(table);
    return counts.sort((a, b) => place(a) - place(b));
  }

  end(): void {
    if (this.#counts.size === 0) process.stdout.write('no structured form that a mapping knows\n');
    else process.stdout.write(formatTable(this.#sorted(), ['file', 'table', 'rows']));
    for (const problem of this.#problems) process.stdout.write(`${problem}\n`);
    if (this.#more > 0) process.stdout.write(`and ${this.#more} more: --json has them all\n`);
  }
}
