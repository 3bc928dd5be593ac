/** `filinglake sql`: runs a query on a lake, and prints a table, JSON, CSV, Arrow or Parquet. */
import { randomUUID } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import { csvText, jsonLines, jsonText, type Lake, type QueryResult } from '../../lake/index.ts';
import { EXPORT_TABLES, type ExportTable, tablesWrittenFor } from '../../lake/tables/index.ts';
import { terminalMemoryBytes, versionAsked, withLake, withLakeOrFiles } from '../terminal/lake-folder.ts';
import { type Output, openOutput } from '../terminal/output.ts';
import { formatByName } from '../terminal/output-format.ts';
import { tableText } from '../terminal/result-table.ts';

const FORMATS = ['table', 'json', 'jsonl', 'csv', 'arrow', 'parquet'] as const;
type Format = (typeof FORMATS)[number];

const ENDINGS: Readonly<Record<Format, readonly string[]>> = {
  table: ['tsv', 'txt'],
  json: ['json'],
  jsonl: ['jsonl', 'ndjson'],
  csv: ['csv'],
  arrow: ['arrow', 'arrows'],
  parquet: ['parquet'],
};

interface Options {
  lake?: string;
  file?: string;
  format?: Format;
  json?: boolean;
  at?: string;
  release?: string;
  output?: string;
}

export function command(): Command {
  return new Command('sql')
    .description('Query a lake with SQL (DuckDB). Tables: filinglake schema')
    .argument('[query]', 'the query; - reads it from standard input')
    .option('--file <file>', 'read the query from a file')
    .option('--lake <place>', 'folder or URL of the lake (default: this folder if it is a lake, else ./lake)')
    .option('--at <version|time>', 'read the lake as of a version (filinglake lake log) or a time')
    .addOption(new Option('--release <name>', 'read a release (filinglake lake release)').conflicts('at'))
    .addOption(
      new Option('--format <format>', 'how to print (default: by the ending of --output, else table)').choices(FORMATS),
    )
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .option('--output <file>', 'write to a file, which appears when it is complete')
    .addHelpText(
      'after',
      `
One statement that reads: SELECT, FROM, WITH, VALUES, PIVOT, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN.

On a terminal, long cells are cut, and the columns that don't fit are named. In a pipe or a file, cells are separated by tabs, and nothing is cut or padded.
json is one array, jsonl an object a line. arrow is an Arrow IPC stream, parquet a file compressed with zstd. Neither is printed to a terminal.

Examples:
  filinglake sql "SELECT form_type, count(*) FROM filings GROUP BY ALL ORDER BY 2 DESC"
  filinglake sql "SELECT accession_number, text FROM section_contents WHERE section = '1A'" --format json
  filinglake sql "SELECT count(*) FROM filings" --at 2026-11-01T00:00:00Z
  filinglake sql "SELECT count(*) FROM filings" --release 2026-q3
  filinglake sql "SELECT * FROM filings" --output filings.parquet
  filinglake sql "SELECT * FROM documents" --format arrow | python3 -c "import sys, pyarrow as pa; print(pa.ipc.open_stream(sys.stdin.buffer).read_all())"
  filinglake sql "SELECT * FROM 'prices.parquet'"
  echo "SELECT * FROM entities" | filinglake sql - --format csv > entities.csv`,
    )
    .action(async (query: string | undefined, options: Options) => {
      const sql = await queryText(query, options.file);
      const format = options.json ? 'json' : (options.format ?? formatOf(options.output));
      refuseTerminal(format, options.output);
      const open = options.at === undefined && options.release === undefined ? withLakeOrFiles : withLake;
      await open(options.lake, { queryMemoryBytes: terminalMemoryBytes() }, async (lake) => {
        const at = await versionAsked(lake, options);
        await using output = await openOutput(options.output);
        if (format === 'parquet') await writeParquet(lake, sql, at, output);
        else {
          await using result = await lake.stream(sql, at);
          await output.write(written(result, format, output.columns));
        }
        await output.done();
        for (const note of await tablesNeverAsked(lake, sql)) process.stderr.write(`${note}\n`);
      });
    });
}

async function queryText(query: string | undefined, file: string | undefined): Promise<string> {
  if ((query === undefined) === (file === undefined)) {
    throw new FilinglakeError(
      'argument-missing',
      query === undefined ? 'sql needs a query' : 'sql takes a query or --file, not both',
      { remedy: 'Give one: `filinglake sql "SELECT ..."`, --file FILE, or - for standard input.' },
    );
  }
  const given = query === '-' ? await text(process.stdin) : (query ?? readQuery(file!));
  if (given.trim() !== '') return given;
  throw new FilinglakeError('argument-missing', 'the query is empty', {
    remedy: 'Give one: `filinglake sql "SELECT count(*) FROM filings"`.',
  });
}

function readQuery(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new FilinglakeError('file-unreadable', `${file} can't be read: ${systemErrorWords(cause)}`, {
      remedy: 'Give --file the path of a file with one query in it.',
      cause,
    });
  }
}

function written(
  result: QueryResult,
  format: Exclude<Format, 'parquet'>,
  columns: number | null,
): AsyncIterable<string | Uint8Array> {
  if (format === 'json') return jsonText(result);
  if (format === 'jsonl') return jsonLines(result);
  if (format === 'csv') return csvText(result);
  return format === 'arrow' ? result.arrow() : tableText(result, columns);
}

/** Parquet's directory is at its end, so it is written to a file first. */
async function writeParquet(lake: Lake, sql: string, at: { at?: number }, output: Output): Promise<void> {
  if (output.file !== null) {
    try {
      return await lake.writeParquet(sql, output.file, at);
    } catch (error) {
      throw underItsName(error, output.file);
    }
  }
  const file = join(tmpdir(), `filinglake-${randomUUID()}.parquet`);
  try {
    await lake.writeParquet(sql, file, at);
    await output.write(createReadStream(file));
  } finally {
    await rm(file, { force: true });
  }
}

/** The requested file, not the temporary one. */
function underItsName(error: unknown, partial: string): unknown {
  if (!(error instanceof FilinglakeError) || error.code !== 'output-unwritable') return error;
  const { code, remedy } = error;
  const message = error.message.replaceAll(partial, partial.replace(/\.\d+\.partial$/, ''));
  return new FilinglakeError(code, message, { remedy, cause: error });
}

function formatOf(output: string | undefined): Format {
  return (output === undefined ? null : formatByName('--output', output, ENDINGS)) ?? 'table';
}

/** Bytes on a screen are useless. */
function refuseTerminal(format: Format, output: string | undefined): void {
  if (output !== undefined || !process.stdout.isTTY || (format !== 'arrow' && format !== 'parquet')) return;
  throw new FilinglakeError('output-binary', `--format ${format} would print bytes to a terminal`, {
    remedy: `Write it to a file with --output FILE, or with \`filinglake sql … --format ${format} > FILE\`.`,
  });
}

/** Tables that a query names and no export has asked for: a line for each; none for a lake that other programs than exports have written. */
async function tablesNeverAsked(lake: Lake, sql: string): Promise<string[]> {
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  const named = EXPORT_TABLES.filter((name) => words.has(name));
  if (named.length === 0) return [];
  const { tables } = await lake.snapshot();
  const empty = named.filter((name) => (tables.get(name)?.rows ?? 0) === 0);
  if (empty.length === 0) return [];
  const runs = await lake.query('SELECT DISTINCT definition FROM export_runs', { tables: ['export_runs'] });
  const asked = new Set(
    runs.flatMap(({ definition }) =>
      tablesWrittenFor((JSON.parse(String(definition)) as { tables?: ExportTable[] } | null)?.tables ?? []),
    ),
  );
  return empty
    .filter((name) => runs.length > 0 && !asked.has(name))
    .map((name) => `note: no export of this lake has asked for ${name}: add it to \`tables\` of the definition`);
}
