/** `filinglake lake compact`: merges small parts into few large ones. */
import { Command } from 'commander';
import { invalidValue } from '../../core/index.ts';
import type { CompactionReport } from '../../lake/index.ts';
import { NO_WAIT, withLakeInTurn } from '../terminal/lake-folder.ts';
import { counted, formatBytes, formatCount, openProgress, printJson, printTable } from '../terminal/terminal.ts';

interface Options {
  lake?: string;
  json?: boolean;
  target?: number;
  wait?: boolean;
}

export function compactCommand(): Command {
  return new Command('compact')
    .description('Merge small files of tables into large ones: the same rows, read faster')
    .argument('[tables...]', 'tables to compact (default: all)')
    .option('--target <size>', 'size of a part: 64MB to 1000MB (default: 128MB, larger in tables beyond 51 GB)', size)
    .option(...NO_WAIT)
    .addHelpText(
      'after',
      `
Waits while an export or another command has the lake. Safe while others read. Older versions can be read until lake vacuum deletes their files.

Exports compact their lake automatically once a table has more than 200 small files.

Examples:
  filinglake lake compact
  filinglake lake compact filings documents --target 256MB`,
    )
    .action(async (tables: string[], options: Options) => {
      const progress = openProgress({ label: 'compacting', unit: 'bytes', silent: options.json === true });
      const report = await withLakeInTurn(options.lake, { what: 'lake compact', wait: options.wait }, (lake, term) =>
        lake.compact({
          term,
          ...(tables.length > 0 ? { tables } : {}),
          ...(options.target === undefined ? {} : { targetBytes: options.target }),
          onProgress: ({ bytes, of, table }) => progress.update(bytes, table, of),
        }),
      );
      if (options.json) printJson(report);
      else printReport(report);
    });
}

function size(text: string): number {
  const match = /^(\d{1,4})MB$/i.exec(text);
  const bytes = Number(match?.[1]) * 10 ** 6;
  if (bytes >= 10 ** 6 && bytes <= 10 ** 9) return bytes;
  throw invalidValue('argument-invalid', '--target', 'megabytes from 1MB to 1000MB', text);
}

function printReport(report: CompactionReport): void {
  const changed = Object.entries(report.tables).filter(([, { written }]) => written > 0);
  const rows = changed.map(([table, one]) => ({
    table,
    before: formatCount(one.parts_before),
    after: formatCount(one.parts_after),
    'size before': formatBytes(one.bytes_before),
    'size after': formatBytes(one.bytes_after),
  }));
  if (rows.length > 0) printTable(rows, ['table', 'before', 'after', 'size before', 'size after']);
  const written = changed.reduce((sum, [, one]) => sum + one.written, 0);
  const replaced = changed.reduce((sum, [, one]) => sum + one.replaced, 0);
  const what =
    written > 0 ? `${counted(replaced, 'part')} became ${formatCount(written)}` : 'there was nothing to compact';
  process.stdout.write(`${report.lake}, version ${report.version}: ${what}\n`);
}
