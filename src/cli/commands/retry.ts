/** `filinglake retry NAME`: retries an export's failures, and nothing else. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { EXIT, type ExitCode, quoteText } from '../../core/index.ts';
import type { ExportDefinition } from '../../export/index.ts';
import type { ExportRuns } from '../../export/runtime/index.ts';
import { absolutePlace } from '../../lake/index.ts';
import { keyOf, readDefinition } from '../terminal/definition-file.ts';
import { followRun } from '../terminal/follow-run.ts';
import { keyOfRun } from '../terminal/key-of-run.ts';
import { withLake } from '../terminal/lake-folder.ts';
import { tablesText } from '../terminal/run-summary.ts';
import { counted, printJson } from '../terminal/terminal.ts';
import { withRuns } from '../terminal/with-runs.ts';

interface Options {
  lake?: string;
  json?: boolean;
  wait: boolean;
}

export function command(): Command {
  return new Command('retry')
    .description("Retry an export's failures (export_failures), and nothing else")
    .argument('<export>', "an export's name, with the definition of its last run; or a definition (YAML)")
    .argument('[name]', 'which export of a file with several')
    .option('--lake <place>', 'folder or URL of the lake (default: that of the run, or of the definition)')
    .option('--no-wait', 'exit with code 6 if the quota is used up, instead of waiting for its reset')
    .option('--json', 'print events as JSON, a line each; the last one is "done"')
    .addHelpText(
      'after',
      `
Sends no lookup. Two kinds of failures stay, and are counted at the end: values that can't be stored, and records
of lookups that break the contract, such as a second record of a filing. Only the whole export reads those again.

If the lake has no failure of the export, nothing is run.

Exit codes: 0 no failure is left; 3 some are; others as filinglake export.

Examples:
  filinglake retry annual-reports
  filinglake retry annual-reports.yaml --json`,
    )
    .action(run);
}

async function run(what: string, name: string | undefined, options: Options): Promise<void> {
  const json = options.json === true;
  const parsed = existsSync(what) ? await readDefinition(what, name) : null;
  const key = parsed ? await keyOf(parsed) : await keyOfRun(what);
  process.exitCode = await withRuns(
    { command: 'retry', apiKey: key, silent: json },
    async ({ runs, worker, interrupted }) => {
      const { definition, lake } = await goal(runs, what, parsed?.definition, options.lake);
      const recorded = await failuresIn(lake, definition.name);
      if (recorded.failures === 0) return nothingFailed(definition.name, lake, recorded.version, json);
      const started = await runs.start({ ...definition, lake }, lake, key, 'failures');
      if (json) printJson({ event: 'start', id: started.id, lake, attached: started.attached });
      else if (started.attached) process.stderr.write(`continuing ${started.id}\n`);
      const { exitCode, status, failedNow } = await followRun(runs, started.handle, {
        json,
        wait: options.wait,
        // The purpose of this command is to request them again.
        knownCount: true,
        interrupted,
        worker,
      });
      if (!json && status.state === 'completed') {
        process.stdout.write(tablesText(status.progress));
        process.stderr.write(notAskedText(definition.name, status.progress.failures - failedNow));
      }
      return exitCode;
    },
  );
}

/** The lake's failures of an export. @throws FilinglakeError if there is no lake */
async function failuresIn(folder: string, name: string): Promise<{ failures: number; version: number }> {
  return withLake(folder, {}, async (lake) => {
    const rows = await lake.query(`SELECT count(*) AS n FROM export_failures WHERE export = ${quoteText(name)}`, {
      tables: ['export_failures'],
    });
    return { failures: Number(rows[0]?.n ?? 0), version: await lake.currentVersion() };
  });
}

/** Without failures no run is started. */
function nothingFailed(name: string, lake: string, lake_version: number, json: boolean): ExitCode {
  const still = { stopped_by: null, message: null, waiting_until: null, tables: {} };
  const nothing = { requests: 0, bytes: 0, requests_pending: 0, windows_left: 0, failures: 0, filings_deferred: 0 };
  if (json) printJson({ event: 'done', id: null, state: 'completed', ...still, ...nothing, lake_version });
  else process.stdout.write(`nothing to retry: ${lake} records no failure of ${name}\n`);
  return EXIT.complete;
}

/** Failures that were not retried; '' if there are none. */
function notAskedText(name: string, failures: number): string {
  if (failures <= 0) return '';
  const [value, record] = failures === 1 ? ['a value', 'a record'] : ['values', 'records'];
  const why = `${value} that can't be stored, or ${record} that only the whole export (filinglake export) of ${name} finds`;
  return `${counted(failures, 'failure was', 'failures were')} not retried: ${why}\n`;
}

async function goal(
  runs: ExportRuns,
  what: string,
  given: ExportDefinition | undefined,
  place: string | undefined,
): Promise<{ definition: ExportDefinition; lake: string }> {
  const { definition, lake } = given
    ? { definition: given, lake: absolutePlace(given.lake) }
    : await runs.definitionOf(what);
  return { definition, lake: place === undefined ? lake : absolutePlace(place) };
}
