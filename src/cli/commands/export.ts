/** `filinglake export FILE`: runs an export definition, or continues its run. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { EXIT, shellWord } from '../../core/index.ts';
import {
  type DefinitionOptions,
  keyOf,
  readDefinitions,
  SET_HELP,
  tellWarnings,
  withRefreshOption,
  withSetOption,
} from '../terminal/definition-file.ts';
import { fetchForExport } from '../terminal/fetch-for-export.ts';
import { type OneExport, runExports, worse } from '../terminal/run-exports.ts';

interface Options extends DefinitionOptions {
  lake?: string;
  json?: boolean;
  strict?: boolean;
  wait: boolean;
  worker: boolean;
}

export function command(): Command {
  const command = new Command('export')
    .description('Export filings from a /v2 service into a lake')
    .argument('<file>', 'the export definition (YAML)')
    .argument('[names...]', 'which exports of a file with several (default: all, one after another)')
    .option('--lake <place>', 'folder or URL of the lake (default: that of the definition, else ./lake)')
    .option('--no-wait', 'exit with code 6 if the quota is used up, instead of waiting for its reset')
    .option('--no-worker', 'leave the work to other workers (filinglake worker)')
    .option('--strict', 'known failures count for the exit code too: 3 as long as there are any')
    .option('--json', 'print events as JSON, a line each; the last one is "done"');
  return withRefreshOption(withSetOption(command))
    .addHelpText(
      'after',
      `
Starts Temporal and a worker if there are none, and ends them with the command. Fetches only what the lake lacks.
Ctrl-C leaves the run as it is; the same command, or filinglake resume, continues it.

--refresh requests again what the lake has, with the ETag of the answer: what did not change moves no bytes. It applies
to the filings of the selection, so --set narrows it. Their companies are requested again too, a hundred a request.

If the quota is used up, one request is sent: your plan may have been upgraded. With another key, the export continues a
run that waits for the quota of the first one. If the service refuses that key, the run keeps waiting (exit code 4).

service.catalog reads a catalog of this machine directly, without a key. With service.edgar the export first fetches
from EDGAR what it needs and the catalog lacks (FILINGLAKE_EDGAR_AGENT).

The API key is read from FILINGLAKE_API_KEY, or from the variable that the definition names. The service is
service.base_url of the definition, else FILINGLAKE_BASE_URL.

${SET_HELP}

Exit codes: 0 complete; 3 new failures (--strict: any) or incomplete windows; 4 key refused; 5 service unreachable; 6 stopped by
budget or quota; 130 interrupted. With several exports, the worst one.

Examples:
  filinglake export annual-reports.yaml
  filinglake export annual-reports.yaml --lake /data/lake --json
  filinglake export annual-reports.yaml --refresh 30d
  filinglake export annual-reports.yaml --set date_from=-30d --set entity_query.tickers=AAPL,MSFT`,
    )
    .action(run);
}

/** A folder needs nothing of the lake, which then loads while Temporal starts. */
async function placeOf(lake: string): Promise<string> {
  return lake.includes('://') ? (await import('../../lake/index.ts')).absolutePlace(lake) : resolve(lake);
}

async function run(file: string, names: string[], options: Options): Promise<void> {
  const json = options.json === true;
  const parsed = await readDefinitions(file, names, options);
  if (!json) tellWarnings(file, parsed);
  let worst: number = EXIT.complete;
  for (const one of parsed) worst = worse(worst, await fetchForExport(one));
  if (worst === EXIT.interrupted) {
    process.exitCode = worst;
    return;
  }
  const exports: OneExport[] = [];
  for (const one of parsed) {
    const { definition } = one;
    exports.push({ definition, key: await keyOf(one), lake: await placeOf(options.lake ?? definition.lake) });
  }
  const questions = new Map<string, string>();
  const { strict = false, wait, worker } = options;
  worst = worse(worst, await runExports(exports, { command: 'export', json, strict, wait, worker }, questions));
  for (const [lake, question] of questions)
    process.stderr.write(`query it: filinglake sql "${question}" --lake ${shellWord(lake)}\n`);
  process.exitCode = worst;
}
