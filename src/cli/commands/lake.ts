/** `filinglake lake`: verifies a lake, shows its history, and maintains it. */
import { Command } from 'commander';
import { EXIT } from '../../core/index.ts';
import { type Lake, type LakeVersionEntry, type LogEntry, turnText } from '../../lake/index.ts';
import {
  checkLake,
  type LakeCheckReport,
  type OlderRevisions,
  sentencesOfWithout,
  type WindowsReport,
} from '../../lake/report/index.ts';
import { withLake } from '../terminal/lake-folder.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { counted, formatBytes, formatCount, printCutTable, printJson, printTable } from '../terminal/terminal.ts';
import { changesCommand } from './lake-changes.ts';
import { compactCommand } from './lake-compact.ts';
import { icebergCommand } from './lake-iceberg.ts';
import { releaseCommand } from './lake-release.ts';
import { repairCommand } from './lake-repair.ts';
import { vacuumCommand } from './lake-vacuum.ts';

interface Options {
  lake?: string;
  json?: boolean;
  strict?: boolean;
  delta?: boolean;
  limit?: number;
}

export function command(): Command {
  const lake = new Command('lake')
    .enablePositionalOptions()
    .description('Verify, list, compact, clean or repair a lake, and release versions of it');
  const withCommonOptions = (sub: Command) =>
    sub
      .option('--lake <place>', 'folder or URL of the lake (default: this folder if it is a lake, else ./lake)')
      .option('--json', 'print JSON');
  withCommonOptions(
    lake
      .command('check')
      .description(
        "Verify files, row counts, keys, references and Delta logs against the lake's log, and stored rows against what each export recorded. Exits 1 if anything is wrong, 3 if it holds nothing",
      )
      .option('--strict', 'exit with code 3 if the lake is not complete, or has known failures'),
  ).action(async (options: Options) => {
    const report = await withLake(options.lake, {}, (open) => checkLake(open));
    if (options.json) printJson(report);
    else printReport(report);
    if (!report.ok) process.exitCode = EXIT.error;
    else if (report.verdict === 'empty' || (options.strict && report.verdict !== 'complete'))
      process.exitCode = EXIT.finishedWithFailures;
  });
  withCommonOptions(
    lake.command('log').description('List versions, what each added, and by which export, newest first (times in UTC)'),
  )
    .option('--delta', 'list the Delta version of each table at each version instead')
    .option('--limit <n>', 'how many versions (default: 20, with --delta 10)', wholeNumber('--limit', 1, 999_999_999))
    .addHelpText(
      'after',
      `
Read every Delta table at the version of one row of --delta to see the lake at one moment.`,
    )
    .action((options: Options) => withLake(options.lake, {}, (open) => printLog(open, options)));
  lake.addCommand(changesCommand());
  lake.addCommand(withCommonOptions(compactCommand()));
  lake.addCommand(withCommonOptions(vacuumCommand()));
  lake.addCommand(withCommonOptions(repairCommand()));
  lake.addCommand(releaseCommand(withCommonOptions));
  lake.addCommand(withCommonOptions(icebergCommand()));
  return lake;
}

async function printLog(lake: Lake, { delta, limit, json }: Options): Promise<void> {
  if (delta) {
    const entries = await lake.versions(limit ?? 10);
    return json ? printJson(entries) : printVersions(entries);
  }
  const entries = await lake.log(limit ?? 20);
  if (json) printJson(entries);
  else printCutTable(entries.map(logRow), ['version', COMMITTED, 'by', 'new', 'replaced', 'removed', 'tables']);
}

function printReport(report: LakeCheckReport): void {
  const all = Object.entries(report.tables);
  const tables = all.flatMap(([table, { rows, parts, bytes }]) =>
    rows === 0 ? [] : { table, rows: formatCount(rows), parts: formatCount(parts), size: formatBytes(bytes) },
  );
  if (tables.length > 0) printTable(tables, ['table', 'rows', 'parts', 'size']);
  const empty = all.flatMap(([table, { rows }]) => (rows === 0 ? table : []));
  if (empty.length > 0) process.stdout.write(`${counted(empty.length, 'table')} without rows: ${empty.join(', ')}\n`);
  for (const { message } of report.problems) process.stdout.write(`wrong: ${message}\n`);
  if (report.windows !== null) printWindows(report.windows);
  if (report.older_revisions !== null) printOlder(report.older_revisions);
  if (report.unnamed.files > 0) {
    const { files, bytes } = report.unnamed;
    process.stdout.write(
      `${counted(files, 'file belongs', 'files belong')} to no version of the last 7 days (${formatBytes(bytes)}): harmless; lake vacuum deletes those older than a day\n`,
    );
  }
  if (report.scratch.files > 0) {
    const { files, bytes } = report.scratch;
    process.stdout.write(
      `${counted(files, 'file is', 'files are')} being built, or left by a crash (${formatBytes(bytes)}): lake vacuum deletes those older than a day\n`,
    );
  }
  if (report.turn !== null) process.stdout.write(`${turnText(report.turn)}\n`);
  const pending = report.pending ?? [];
  for (const { export: name, run_id, pass, steps } of pending) {
    process.stdout.write(
      `not fetched yet: ${counted(steps, 'step')} of ${pass}, planned by run ${run_id} of ${name}. It has not completed: export again\n`,
    );
  }
  const told = new Set(pending.map(({ run_id }) => run_id));
  for (const { export: name, run_id, state } of report.unfinished ?? []) {
    if (told.has(run_id)) continue;
    const run = name === null ? `run ${run_id}` : `run ${run_id} of ${name}`;
    process.stdout.write(`not complete: ${run} ${state === null ? 'has not ended' : `is ${state}`}: export again\n`);
  }
  for (const sentence of sentencesOfWithout(report.without ?? [])) process.stdout.write(`${sentence}\n`);
  const { failures, known_failures } = report;
  if (failures > known_failures) {
    process.stdout.write(
      `failed: ${counted(failures - known_failures, 'request')}, not known as final (table export_failures): filinglake retry\n`,
    );
  }
  const version = report.version < 0 ? 'no version' : `version ${report.version}`;
  process.stdout.write(`${report.lake}, ${version}, ${verdictText(report)}\n`);
}

function verdictText({
  verdict,
  problems,
  known_failures,
  windows,
  failures,
  pending,
  unfinished,
  version,
}: LakeCheckReport): string {
  const known = counted(known_failures, 'known failure');
  switch (verdict) {
    case 'empty':
      return version < 0
        ? 'is empty: nothing was ever committed to it. Run the export again'
        : 'is empty: no filing and no company was found. Look at the selection of the export, and at what its service has';
    case 'wrong':
      return `has ${counted(problems.length, 'problem')}`;
    case 'incomplete': {
      const isAllFetched = failures === known_failures && !pending?.length && !unfinished?.length;
      return `is undamaged, but not ${isAllFetched && windows?.unproven.length ? 'proven ' : ''}complete`;
    }
    case 'known-failures':
      return `is complete but for ${known} (table export_failures)`;
    case 'complete':
      return 'is complete';
  }
}

const UNPROVEN_SHOWN = 10;

function printWindows({ windows, checked, checked_in_part, not_checked, unproven }: WindowsReport): void {
  if (windows === 0) return;
  const parts = [`${formatCount(checked)} checked against their rows`];
  if (checked_in_part > 0) parts.push(`${formatCount(checked_in_part)} checked in part`);
  if (not_checked > 0) parts.push(`${formatCount(not_checked)} not checked: searches and lists`);
  process.stdout.write(`windows of lookups: ${formatCount(windows)}; ${parts.join(', ')}\n`);
  for (const { export: name, run_id, window, expected, found } of unproven.slice(0, UNPROVEN_SHOWN)) {
    const counted = expected === null ? 'the service stated no count' : `the service counted ${formatCount(expected)}`;
    process.stdout.write(
      `not proven complete: window ${window} of ${name ?? `run ${run_id}`}: ${counted}, ${formatCount(found)} found\n`,
    );
  }
  if (unproven.length > UNPROVEN_SHOWN) {
    process.stdout.write(
      `and ${formatCount(unproven.length - UNPROVEN_SHOWN)} more: SELECT * FROM export_windows WHERE NOT proven\n`,
    );
  }
}

function printOlder({ filings, steps }: OlderRevisions): void {
  if (filings === 0) return;
  const kinds = Object.entries(steps).map(([kind, n]) => `${formatCount(n)} of ${kind}`);
  process.stdout.write(
    `of an older revision: ${counted(filings, 'filing')} (steps: ${kinds.join(', ')}). The next export that asks for them fetches them again\n`,
  );
}

/** A line for each table and a column for each version: fifteen tables side by side fit on no terminal. */
function printVersions(entries: readonly LakeVersionEntry[]): void {
  const said = entries.map((entry) => ({ ...entry, [COMMITTED]: timeText(entry.committed_at), by: byText(entry) }));
  printCutTable(
    said.map(({ version, [COMMITTED]: committed, by, run_id }) => ({
      version,
      [COMMITTED]: committed,
      by,
      run: run_id,
    })),
    ['version', COMMITTED, 'by', 'run'],
  );
  const versions = entries.map(({ version }) => String(version));
  const rows = Object.keys(entries[0]?.delta ?? {}).map((table) => ({
    'Delta version of': table,
    ...Object.fromEntries(entries.map(({ version, delta }) => [String(version), delta[table]])),
  }));
  if (rows.length === 0) return;
  process.stdout.write('\n');
  printCutTable(rows, ['Delta version of', ...versions]);
}

/** The export's name, if its run has ended. */
function byText({ export: name, run_id }: LogEntry | LakeVersionEntry): string {
  return name ?? run_id;
}

/** Heading of a column of times without their zone. */
const COMMITTED = 'committed (UTC)';

/** 2026-11-21T16:33:13.382Z → 2026-11-21 16:33:13 */
function timeText(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

function logRow(entry: LogEntry): Record<string, unknown> {
  const { version, committed_at, tables } = entry;
  const changes = Object.values(tables);
  const sum = (of: (change: (typeof changes)[number]) => number) => formatCount(changes.reduce((n, c) => n + of(c), 0));
  return {
    version,
    [COMMITTED]: timeText(committed_at),
    by: byText(entry),
    new: sum((change) => change.rows_new),
    replaced: sum((change) => change.rows_replaced),
    removed: sum((change) => change.rows_removed),
    tables: Object.keys(tables).join(' '),
  };
}
