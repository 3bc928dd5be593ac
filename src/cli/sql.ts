/** `filinglake sql`: a question to a lake, its answer as table, JSON or CSV. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { EXIT, FilinglakeError } from '../contract/index.ts';
import { csvText, jsonText, type Lake, type QueryResult, terminalMemoryBytes } from '../lake/index.ts';
import { withLake } from './lake-folder.ts';
import { tableText } from './result-table.ts';

interface Options {
  lake?: string;
  file?: string;
  format: 'table' | 'json' | 'csv';
  at?: string;
}

export function command(): Command {
  return new Command('sql')
    .description('Ask a lake a question in SQL (DuckDB): every table of `filinglake schema` is there')
    .argument('[query]', 'the query; - reads it from standard input')
    .option('--file <file>', 'read the query from a file')
    .option('--lake <dir>', 'folder of the lake (default: this folder where it is one, else ./lake)')
    .option('--at <version|time>', 'ask the lake as it was at this version (filinglake lake log), or at this time')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json', 'csv']).default('table'))
    .addHelpText(
      'after',
      `
Tables are cut to the terminal's width; in a pipe, and as json or csv, everything is printed.

Examples:
  filinglake sql "SELECT form_type, count(*) FROM filings GROUP BY ALL ORDER BY 2 DESC"
  filinglake sql "SELECT accession_number, text FROM section_contents WHERE section = '1A'" --format json
  filinglake sql "SELECT count(*) FROM filings" --at 2026-11-01T00:00:00Z
  echo "SELECT * FROM entities" | filinglake sql - --format csv > entities.csv`,
    )
    .action(async (query: string | undefined, options: Options) => {
      const sql = await queryText(query, options.file);
      await withLake(options.lake, { queryMemoryBytes: terminalMemoryBytes() }, async (lake) => {
        await using result = await lake.stream(
          sql,
          options.at === undefined ? {} : { at: await version(lake, options.at) },
        );
        await print(written(result, options.format));
      });
    });
}

async function queryText(query: string | undefined, file: string | undefined): Promise<string> {
  if ((query === undefined) === (file === undefined)) {
    throw new FilinglakeError(
      'query-missing',
      query === undefined ? 'there is no query' : 'a query and --file are given',
      {
        exitCode: EXIT.usage,
        remedy: 'filinglake sql "SELECT ...", or --file FILE, or - for standard input.',
      },
    );
  }
  if (query === '-') return text(process.stdin);
  if (query !== undefined) return query;
  try {
    return readFileSync(file!, 'utf8');
  } catch (cause) {
    throw new FilinglakeError('query-unreadable', `${file} can't be read: ${(cause as Error).message}`, {
      exitCode: EXIT.usage,
      cause,
    });
  }
}

/** A number, a day (its beginning, UTC) or a time with its zone: without one nobody could say which moment is meant. */
async function version(lake: Lake, at: string): Promise<number> {
  if (/^\d{1,15}$/.test(at)) return Number(at);
  const time = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(at)
    ? new Date(at)
    : null;
  if (time !== null && !Number.isNaN(time.getTime())) return lake.versionAt(time);
  throw new FilinglakeError('version-invalid', `--at takes the number of a version or a time, not ${at}`, {
    exitCode: EXIT.usage,
    remedy:
      'For example --at 7, --at 2026-11-01 or --at 2026-11-01T09:30:00Z: a time needs Z or an offset such as -05:00.',
  });
}

function written(result: QueryResult, format: Options['format']): AsyncIterable<string> {
  if (format === 'json') return jsonText(result);
  if (format === 'csv') return csvText(result);
  return tableText(result, process.stdout.isTTY ? (process.stdout.columns ?? 80) : null);
}

/** Waits for the reader: a result may be larger than memory. */
async function print(chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) {
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
  }
}
