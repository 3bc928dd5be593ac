/** `filinglake lake changes`: rows that were added, removed and changed between two versions. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { cellJson, type Lake, type TableChanges } from '../../lake/index.ts';
import { withLake } from '../terminal/lake-folder.ts';
import { openOutput } from '../terminal/output.ts';
import { formatByName } from '../terminal/output-format.ts';

interface Options {
  lake?: string;
  since: string;
  until?: string;
  table: string[];
  parquet?: string;
  output?: string;
}

export function changesCommand(): Command {
  return new Command('changes')
    .description('List rows that were added, removed and changed since a version or a release, as lines of JSON')
    .requiredOption('--since <version|release>', 'the older version (filinglake lake log), or a release')
    .option('--until <version|release>', 'the newer version, or a release (default: the newest version)')
    .option('--table <name>', 'only this table; give it several times', (one, all: string[]) => [...all, one], [])
    .option('--parquet <folder>', 'write a Parquet file for each table with changes')
    .option('--output <file>', 'write the lines to a file, which appears when it is complete')
    .option('--lake <place>', 'folder or URL of the lake (default: this folder if it is a lake, else ./lake)')
    .addHelpText(
      'after',
      `
Each line has table, _change_type and row. As in Delta's change data feed, _change_type is insert, delete,
update_preimage or update_postimage: the row before its change, and after it. Only the difference of the two versions
is listed: a row that changed twice is listed once, and one that came and went not at all.
Remove the rows of delete and update_preimage from the older version, and add the others: that is the newer version.

Examples:
  filinglake lake changes --since 2026-q3 --table filings
  filinglake lake changes --since 2026-q3 --until 2026-q4 --parquet ./changes
  filinglake lake changes --since 120 --output changes.jsonl`,
    )
    .action(async ({ lake: place, ...options }: Options) => {
      await withLake(place, {}, async (lake) => {
        const range = {
          since: await versionOf(lake, options.since),
          ...(options.until === undefined ? {} : { until: await versionOf(lake, options.until) }),
          ...(options.table.length === 0 ? {} : { tables: options.table }),
        };
        if (options.parquet !== undefined) return writeFiles(lake, range, options.parquet);
        if (options.output !== undefined) formatByName('--output', options.output, { jsonl: ['jsonl', 'ndjson'] });
        await using output = await openOutput(options.output);
        await output.write(lines(lake.changes(range)));
        await output.done();
      });
    });
}

async function versionOf(lake: Lake, text: string): Promise<number> {
  return /^\d{1,15}$/.test(text) ? Number(text) : (await lake.release(text)).version;
}

async function writeFiles(lake: Lake, range: Parameters<Lake['changes']>[0], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for await (const changes of lake.changes(range)) {
    const file = path.join(folder, `${changes.table}.parquet`);
    const rows = await changes.writeParquet(file);
    if (rows === 0) await rm(file);
    else process.stdout.write(`${file}\n`);
  }
}

async function* lines(all: AsyncIterable<TableChanges>): AsyncIterable<string> {
  for await (const { table, columns, chunks } of all) {
    for await (const rows of chunks()) {
      const texts = rows.map(([type, ...cells]) => {
        const members = cells.map((cell, i) => `${JSON.stringify(columns[i + 1])}:${cellJson(cell)}`);
        return `{"table":${JSON.stringify(table)},"_change_type":${JSON.stringify(type)},"row":{${members.join(',')}}}\n`;
      });
      yield texts.join('');
    }
  }
}
