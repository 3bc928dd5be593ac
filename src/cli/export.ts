/** `filinglake export FILE`: runs an export definition, or goes on with its run. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { EXIT, FilinglakeError } from '../contract/index.ts';
import { parseExportDefinition } from '../export/index.ts';
import { followRun, tablesText } from './follow-run.ts';
import { printJson } from './terminal.ts';
import { requiredKey, withRuns } from './with-runs.ts';

interface Options {
  lake?: string;
  json?: boolean;
  wait: boolean;
  worker: boolean;
}

export function command(): Command {
  return new Command('export')
    .description('Export filings from a /v2 service into a lake, as a definition says')
    .argument('<file>', 'the export definition (YAML)')
    .option('--lake <dir>', 'folder of the lake (default: that of the definition, else ./lake)')
    .option('--no-wait', 'leave with exit code 6 when the quota is used up, instead of waiting for its reset')
    .option('--no-worker', 'leave the work to workers that run elsewhere (filinglake worker)')
    .option('--json', 'print events as JSON, a line each; the last one is "done"')
    .addHelpText(
      'after',
      `
Temporal and a worker are started where none is there, and end with the command. What the lake has already is not asked
for again. Ctrl-C leaves the run as it is; the same command, or filinglake resume, goes on with it.

The API key comes from FILINGLAKE_API_KEY (or the variable that the definition names), the service from
service.base_url or FILINGLAKE_BASE_URL.

Exit codes: 0 complete; 3 finished with recorded failures; 4 key refused; 5 service unreachable; 6 stopped by budget or
quota; 130 interrupted.

Examples:
  filinglake export config/exports/annual-reports.yaml
  filinglake export annual-reports.yaml --lake /data/lake --json`,
    )
    .action(run);
}

async function run(file: string, options: Options): Promise<void> {
  const json = options.json === true;
  const { definition, apiKey, apiKeyVariable, warnings } = parseExportDefinition(readText(file), file, process.env);
  if (!json) for (const warning of warnings) process.stderr.write(`${file}: ${warning}\n`);
  const key = requiredKey(apiKey, apiKeyVariable);
  const lake = resolve(options.lake ?? definition.lake);
  process.exitCode = await withRuns(
    { command: 'export', apiKey: options.worker ? key : null, silent: json },
    async ({ runs, worker, interrupted }) => {
      const started = await runs.start({ ...definition, lake }, lake, key);
      if (json) printJson({ event: 'start', id: started.id, lake, attached: started.attached });
      else if (started.attached) process.stderr.write(`going on with ${started.id}\n`);
      if (started.budgetChanged) await started.handle.executeUpdate('raise-budget', { args: [definition.budget] });
      else if (started.attached) await runs.goOnIfUnreachable(started.handle);
      const { exitCode, status } = await followRun(runs, started.handle, {
        json,
        wait: options.wait,
        interrupted,
        worker,
      });
      if (!json && status.state === 'completed') {
        process.stdout.write(tablesText(status.progress));
        process.stderr.write(
          `ask it: filinglake sql "SELECT form_type, count(*) FROM filings GROUP BY ALL" --lake ${lake}\n`,
        );
      }
      return exitCode;
    },
  );
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new FilinglakeError('file-unreadable', `${file} can't be read: ${(cause as Error).message}`, {
      exitCode: EXIT.usage,
      cause,
    });
  }
}
