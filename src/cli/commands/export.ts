/** `filinglake export FILE`: runs an export definition, or continues its run. */
import { Command } from 'commander';
import { EXIT, shellWord } from '../../core/index.ts';
import type { ExportDefinition, ExportProgress } from '../../export/index.ts';
import { absolutePlace } from '../../lake/index.ts';
import { serviceRange } from '../../runtime/index.ts';
import {
  type DefinitionOptions,
  keyOf,
  readDefinitions,
  SET_HELP,
  tellWarnings,
  withRefreshOption,
  withSetOption,
} from '../terminal/definition-file.ts';
import { reportError } from '../terminal/error-report.ts';
import { fetchForExport } from '../terminal/fetch-for-export.ts';
import { followRun } from '../terminal/follow-run.ts';
import { tablesText } from '../terminal/run-summary.ts';
import { printJson } from '../terminal/terminal.ts';
import { type RunsSession, withRuns } from '../terminal/with-runs.ts';

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
to the filings of the selection, so --set narrows it.

If the quota is used up, one request is sent: your plan may have been upgraded. With another key, the export continues a
run that waits for the quota of the first one.

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
    exports.push({ definition, key: await keyOf(one), lake: absolutePlace(options.lake ?? definition.lake) });
  }
  const questions = new Map<string, string>();
  for (const group of byKey(exports)) {
    worst = worse(worst, await runGroup(group, options, exports.length > 1, questions));
    if (worst === EXIT.interrupted) break;
  }
  for (const [lake, question] of questions)
    process.stderr.write(`query it: filinglake sql "${question}" --lake ${shellWord(lake)}\n`);
  process.exitCode = worst;
}

interface OneExport {
  definition: ExportDefinition;
  key: string;
  lake: string;
}

/** Exports in sequence with one key share a worker. */
function byKey(exports: readonly OneExport[]): OneExport[][] {
  const groups: OneExport[][] = [];
  for (const one of exports) {
    const last = groups.at(-1);
    if (last?.[0]?.key === one.key) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/**
 * Runs exports one after the other. If one fails, the error is printed and the next one starts. A single export's error is the
 * command's.
 */
function runGroup(
  group: readonly OneExport[],
  options: Options,
  oneOfSeveral: boolean,
  questions: Map<string, string>,
): Promise<number> {
  const apiKey = options.worker ? group[0]!.key : null;
  return withRuns({ command: 'export', apiKey, silent: options.json === true }, async (session) => {
    let worst: number = EXIT.complete;
    for (const one of group) {
      try {
        worst = worse(worst, await runOne(one, options, session, questions));
      } catch (error) {
        if (!oneOfSeveral) throw error;
        worst = worse(worst, reportError(error));
      }
      if (session.interrupted.aborted && one !== group.at(-1)) return EXIT.interrupted;
    }
    return worst;
  });
}

/** @param questions receives an example query, if the lake has rows */
async function runOne(
  { definition, key, lake }: OneExport,
  options: Options,
  session: RunsSession,
  questions: Map<string, string>,
): Promise<number> {
  const { runs, worker, interrupted } = session;
  const json = options.json === true;
  const started = await runs.start({ ...definition, lake }, lake, key);
  const sharing = started.attached ? [] : await runs.sharing(definition, lake, started.id);
  if (json)
    printJson({
      event: 'start',
      id: started.id,
      lake,
      attached: started.attached,
      ...(started.tookOver ? { took_over: true } : {}),
      sharing,
    });
  else if (started.attached) process.stderr.write(`continuing ${started.id}\n`);
  else if (started.tookOver)
    process.stderr.write(`${started.id} waited for the quota of another key: continuing with yours\n`);
  else if (sharing.length > 0) process.stderr.write(sharingText(sharing));
  if (started.budgetChanged) await started.handle.executeUpdate('raise-budget', { args: [definition.budget] });
  if (started.attached) await runs.goOnIfItWaits(started.handle);
  const { exitCode, status } = await followRun(runs, started.handle, {
    ...{ json, wait: options.wait, interrupted, worker },
    knownCount: options.strict === true,
  });
  if (!json && status.state === 'completed') {
    process.stdout.write(tablesText(status.progress));
    const nothing = status.progress.filings_found === 0 && definition.tables.includes('filings');
    if (nothing && definition.select.accession_numbers === undefined) {
      const range = await serviceRange(definition, key, interrupted);
      if (range !== null) process.stderr.write(`no filing matches the selection. ${range}\n`);
    }
    const question = firstQuestion(status.progress);
    if (question !== null) questions.set(lake, question);
  }
  return exitCode;
}

/** Printed at the start: at the end the requests are spent. */
function sharingText(ids: readonly string[]): string {
  const [who, verb] = [ids.join(', '), ids.length === 1 ? 'writes' : 'write'];
  return `${who} ${verb} to this lake too and may select the same filings: what both need is requested once, and this run waits for it at its end\n`;
}

function firstQuestion({ tables }: ExportProgress): string | null {
  const has = (table: string) => (tables[table]?.rows_total ?? 0) > 0;
  if (has('filings')) return 'SELECT form_type, count(*) FROM filings GROUP BY ALL';
  return has('entities') ? 'SELECT entity_type, count(*) FROM entities GROUP BY ALL' : null;
}

/** From best to worst: remaining work weighs less than failures. */
const SEVERITY: readonly number[] = [
  EXIT.complete,
  EXIT.finishedWithFailures,
  EXIT.stoppedByQuota,
  EXIT.unreachable,
  EXIT.error,
  EXIT.keyRefused,
  EXIT.usage,
  EXIT.interrupted,
];

function worse(one: number, other: number): number {
  return SEVERITY.indexOf(other) > SEVERITY.indexOf(one) ? other : one;
}
