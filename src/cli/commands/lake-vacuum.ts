/** `filinglake lake vacuum`: deletes files that no recent version needs. */
import { Command } from 'commander';
import type { Lake, VacuumReport } from '../../lake/index.ts';
import { NO_WAIT, withLake, withLakeInTurn } from '../terminal/lake-folder.ts';
import { duration } from '../terminal/option-values.ts';
import { counted, formatBytes, formatCount, printJson, printTable } from '../terminal/terminal.ts';

interface Options {
  lake?: string;
  json?: boolean;
  keep?: number;
  dryRun?: boolean;
  wait?: boolean;
}

const DAY_MS = 86_400_000;

export function vacuumCommand(): Command {
  return new Command('vacuum')
    .description(
      'Delete files not used by any release or version of the last 7 days, and leftovers of finished runs and crashes',
    )
    .option(
      '--keep <time>',
      'how long versions stay readable: 36h, 30d; 0h: only the newest (default: 7d)',
      duration('--keep', 'dh', '7d or 36h'),
    )
    .option('--dry-run', 'show what would be deleted, and delete nothing')
    .option(...NO_WAIT)
    .addHelpText(
      'after',
      `
Waits while an export or another command has the lake. Safe while others read. Never deletes anything younger than a day, or anything an active run may need.

Examples:
  filinglake lake vacuum --dry-run
  filinglake lake vacuum --keep 30d`,
    )
    .action(async (options: Options) => {
      const { keep: keepMs = 7 * DAY_MS, dryRun = false } = options;
      const vacuum = (lake: Lake) => lake.vacuum({ keepMs, dryRun });
      const report = dryRun
        ? await withLake(options.lake, {}, vacuum)
        : await withLakeInTurn(options.lake, { what: 'lake vacuum', wait: options.wait }, vacuum);
      if (options.json) printJson(report);
      else printReport(report, keepMs);
    });
}

function printReport(report: VacuumReport, keepMs: number): void {
  const { parts, scratch, staging } = report;
  const lines: [string, VacuumReport['scratch']][] = [
    ...Object.entries(parts).map(([table, removed]): [string, VacuumReport['scratch']] => [
      `parts of ${table}`,
      removed,
    ]),
    ['unfinished files (_scratch)', scratch],
    [
      `staged rows of ${staging.runs === 1 ? 'a run that has' : `${formatCount(staging.runs)} runs that have`} ended (_staging)`,
      staging,
    ],
  ];
  const going = lines.filter(([, { files }]) => files > 0);
  const row = ([what, { files, bytes }]: [string, VacuumReport['scratch']]) => ({
    what,
    files: formatCount(files),
    size: formatBytes(bytes),
  });
  if (going.length > 0) printTable(going.map(row), ['what', 'files', 'size']);
  for (const { folder } of report.runs_kept) process.stdout.write(`kept for a run that has not ended: ${folder}\n`);
  const files = going.reduce((sum, [, removed]) => sum + removed.files, 0);
  const bytes = going.reduce((sum, [, removed]) => sum + removed.bytes, 0);
  const verb = report.dry_run ? 'would be removed' : 'removed';
  const what = files === 0 ? 'nothing to remove' : `${counted(files, 'file')} (${formatBytes(bytes)}) ${verb}`;
  process.stdout.write(`${report.lake}, version ${report.version}: ${what}\n`);
  if (report.version < 0) return;
  process.stdout.write(
    keepMs > 0
      ? `readable: the newest version, and all that were the newest at some moment since ${report.kept_since}\n`
      : 'certainly readable: only the newest version\n',
  );
  if (keepMs < DAY_MS)
    process.stdout.write('files younger than a day stay, whatever --keep says: a writer may be about to name them\n');
}
