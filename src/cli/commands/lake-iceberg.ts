/** `filinglake lake iceberg`: Iceberg's metadata over the lake's parts. */
import { Command } from 'commander';
import type { IcebergReport } from '../../lake/index.ts';
import { withLake } from '../terminal/lake-folder.ts';
import { counted, printCutTable, printJson } from '../terminal/terminal.ts';

interface Options {
  lake?: string;
  json?: boolean;
  follow?: boolean;
}

export function icebergCommand(): Command {
  return new Command('iceberg')
    .description(
      'Write Iceberg metadata over the files of the lake, for Trino, Athena, PyIceberg and others. Copies no data',
    )
    .option('--follow', 'write it after each commit too, from now on')
    .option('--no-follow', 'end this')
    .addHelpText(
      'after',
      `
The metadata of each table lie in _iceberg/TABLE/metadata. They list the versions of the last seven days, at most 100,
and all releases as tags. Paths in them are absolute: run the command again after you moved or copied the lake.
PyIceberg opens no path with # or ?.
Other engines may only read: the lake's log does not know of their writes.

Examples:
  filinglake lake iceberg
  filinglake lake iceberg --follow
  filinglake lake iceberg --lake s3://bucket/lake --json`,
    )
    .action(async ({ lake: place, json, follow }: Options) => {
      const report = await withLake(place, {}, async (lake) => {
        if (follow !== undefined) await lake.followWithIceberg(follow);
        return lake.writeIceberg();
      });
      if (json) printJson(report);
      else printReport(report);
    });
}

function printReport({ lake, version, tables, written }: IcebergReport): void {
  const rows = Object.entries(tables).map(([table, { snapshots, metadata }]) => ({ table, snapshots, metadata }));
  if (rows.length > 0) printCutTable(rows, ['table', 'snapshots', 'metadata']);
  process.stdout.write(`${lake}, version ${version}: ${counted(written, 'file')} of metadata written\n`);
}
