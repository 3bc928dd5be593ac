/** `filinglake retry NAME`: asks again what an export failed at, and nothing else. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { ExportDefinition } from '../export/index.ts';
import { type ExportRuns, readSettings } from '../runtime/index.ts';
import { readDefinition } from './definition-file.ts';
import { followRun } from './follow-run.ts';
import { tablesText } from './run-summary.ts';
import { counted, printJson } from './terminal.ts';
import { requiredKey, withRuns } from './with-runs.ts';

interface Options {
  lake?: string;
  json?: boolean;
  wait: boolean;
}

export function command(): Command {
  return new Command('retry')
    .description('Ask again what an export failed at (export_failures), and nothing else')
    .argument('<export>', "an export's name, as its last run went; or the definition (YAML)")
    .argument('[name]', 'which export of the definition, where it holds several')
    .option('--lake <dir>', 'folder of the lake (default: that of the run, or of the definition)')
    .option('--no-wait', 'leave with exit code 6 when the quota is used up, instead of waiting for its reset')
    .option('--json', 'print events as JSON, a line each; the last one is "done"')
    .addHelpText(
      'after',
      `
No lookup is sent. What takes a lookup takes the whole export: a record of it that broke the contract, a filing whose record had
changed when its fetch failed, an entity of entities: query. Such failures stay, and are counted at the end.

Exit codes: 0 nothing failed any more; 3 something still does; others as filinglake export.

Examples:
  filinglake retry annual-reports
  filinglake retry annual-reports.yaml --json`,
    )
    .action(run);
}

async function run(what: string, name: string | undefined, options: Options): Promise<void> {
  const json = options.json === true;
  const parsed = existsSync(what) ? readDefinition(what, name) : null;
  const key = requiredKey(parsed ? parsed.apiKey : readSettings().apiKey, parsed?.apiKeyVariable);
  process.exitCode = await withRuns(
    { command: 'retry', apiKey: key, silent: json },
    async ({ runs, worker, interrupted }) => {
      const { definition, lake } = await goal(runs, what, parsed?.definition, options.lake);
      const started = await runs.start({ ...definition, lake }, lake, key, 'failures');
      if (json) printJson({ event: 'start', id: started.id, lake, attached: started.attached });
      else if (started.attached) process.stderr.write(`going on with ${started.id}\n`);
      const { exitCode, status, failedNow } = await followRun(runs, started.handle, {
        json,
        wait: options.wait,
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

/** What stays recorded without having been asked; '' where there is none. */
function notAskedText(name: string, failures: number): string {
  if (failures <= 0) return '';
  const take = failures === 1 ? 'it takes' : 'they take';
  return `${counted(failures, 'failure was', 'failures were')} not asked again: ${take} the whole export (filinglake export) of ${name}\n`;
}

async function goal(
  runs: ExportRuns,
  what: string,
  given: ExportDefinition | undefined,
  folder: string | undefined,
): Promise<{ definition: ExportDefinition; lake: string }> {
  const { definition, lake } = given ? { definition: given, lake: resolve(given.lake) } : await runs.definitionOf(what);
  return { definition, lake: folder === undefined ? lake : resolve(folder) };
}
