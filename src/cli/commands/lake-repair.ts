/** `filinglake lake repair`: removes lost parts from a lake, so that the next export fetches their rows again. */
import { Command } from 'commander';
import { EXIT } from '../../core/index.ts';
import type { RepairReport } from '../../lake/index.ts';
import { repairLake } from '../../lake/report/index.ts';
import { NO_WAIT, withLake, withLakeInTurn } from '../terminal/lake-folder.ts';
import { counted, formatCount, printJson, printTable } from '../terminal/terminal.ts';

interface Options {
  lake?: string;
  json?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  wait?: boolean;
}

export function repairCommand(): Command {
  return new Command('repair')
    .description('Drop missing or damaged files, so that the next export fetches their rows again')
    .option('--yes', 'do it; without this option the command only shows what it would do')
    .option('--dry-run', 'show what it would do, and change nothing (the default)')
    .option(...NO_WAIT)
    .addHelpText(
      'after',
      `
Reads every file to its end. A missing or damaged file is removed from the newest version of the lake, and its steps
become failed in coverage: the next run of each export fetches them. Delta logs and lake.sql are rewritten if they
differ from the lake's log. Older versions stay as they are.
If you have a copy of a damaged file, restore it instead: that costs no request.

Exit code: 0 if nothing is left to repair; 1 if something is.

Examples:
  filinglake lake repair
  filinglake lake repair --yes`,
    )
    .action(async (options: Options, command: Command) => {
      if (options.yes && options.dryRun)
        command.error('error: choose one of --yes and --dry-run', { exitCode: EXIT.usage });
      const dryRun = !options.yes;
      const unmended = { unmended: true };
      const report = dryRun
        ? await withLake(options.lake, unmended, (lake) => repairLake(lake, { dryRun }))
        : await withLakeInTurn(options.lake, { ...unmended, what: 'lake repair', wait: options.wait }, (lake, term) =>
            repairLake(lake, { term }),
          );
      if (options.json) printJson(report);
      else printReport(report);
      if (
        (dryRun && !isSound(report)) ||
        report.left.some(({ code }) => !(report.lost.length > 0 && isBroughtBack(code)))
      ) {
        process.exitCode = EXIT.error;
      }
    });
}

function isSound({ lost, again, delta, lake_sql }: RepairReport): boolean {
  return lost.length === 0 && again.filings === 0 && again.entities === 0 && delta.length === 0 && !lake_sql;
}

/** Rows that the next export fetches: until then a check reports them missing. */
function isBroughtBack(code: string): boolean {
  return code === 'reference-broken' || code === 'window-short';
}

function printReport(report: RepairReport): void {
  const { lost, again, delta, lake_sql, left, dry_run } = report;
  if (lost.length > 0) {
    const rows = lost.map(({ table, part, rows: n, reason }) => ({
      part: `${table}/${part}`,
      rows: formatCount(n),
      reason,
    }));
    printTable(rows, ['part', 'rows', 'reason']);
  }
  const would = dry_run ? 'would be ' : '';
  const said: string[] = [];
  if (lost.length > 0) said.push(`${counted(lost.length, 'part')} ${would}dropped`);
  if (again.filings > 0) {
    const steps = Object.entries(again.steps).map(([kind, n]) => `${formatCount(n)} of ${kind}`);
    said.push(`${counted(again.filings, 'filing')} ${would}marked to be fetched again (steps: ${steps.join(', ')})`);
  }
  if (again.entities > 0)
    said.push(`${counted(again.entities, 'entity', 'entities')} ${would}dropped, to be fetched again`);
  if (delta.length > 0) said.push(`Delta logs ${would}updated: ${delta.join(', ')}`);
  if (lake_sql) said.push(`lake.sql ${would}rewritten`);
  for (const line of said) process.stdout.write(`${line}\n`);
  for (const { message, code } of left) {
    process.stdout.write(`${isBroughtBack(code) ? 'left to the next export' : 'not repaired'}: ${message}\n`);
  }
  const verdict = isSound(report) ? 'nothing to repair' : dry_run ? 'nothing was changed' : 'repaired';
  process.stdout.write(`${report.lake}, version ${report.version}: ${verdict}\n`);
  if (isSound(report)) return;
  process.stdout.write(
    dry_run
      ? 'Run `filinglake lake repair --yes` to do it.\n'
      : 'Export again: the next run of each export fetches what was dropped.\n',
  );
}
