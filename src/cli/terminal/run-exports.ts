/** Runs exports one after the other, with Temporal and a worker of their own: `export`, and `lake release rebuild`. */
import { EXIT } from '../../core/index.ts';
import type { ExportDefinition, ExportProgress } from '../../export/index.ts';
import { selectionText, serviceRange } from '../../export/runtime/index.ts';
import { withServiceAddress } from './catalog-service.ts';
import { reportError } from './error-report.ts';
import { followRun } from './follow-run.ts';
import { printJson } from './terminal.ts';
import { type RunsSession, withRuns } from './with-runs.ts';

export interface RunOptions {
  command: string;
  json: boolean;
  /** Known failures count for the exit code. */
  strict: boolean;
  wait: boolean;
  worker: boolean;
}

export interface OneExport {
  definition: ExportDefinition;
  key: string;
  lake: string;
}

/** @param questions receives an example query for each lake with rows @returns the worst exit code */
export async function runExports(
  exports: readonly OneExport[],
  options: RunOptions,
  questions: Map<string, string> = new Map(),
): Promise<number> {
  let worst: number = EXIT.complete;
  for (const group of byKey(exports)) {
    worst = worse(worst, await runGroup(group, options, exports.length > 1, questions));
    if (worst === EXIT.interrupted) break;
  }
  return worst;
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

/** Runs exports one after the other. A failure is printed, and the next one starts; a single export's is thrown. */
function runGroup(
  group: readonly OneExport[],
  options: RunOptions,
  oneOfSeveral: boolean,
  questions: Map<string, string>,
): Promise<number> {
  const apiKey = options.worker ? group[0]!.key : null;
  return withRuns({ command: options.command, apiKey, silent: options.json }, async (session) => {
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
  options: RunOptions,
  session: RunsSession,
  questions: Map<string, string>,
): Promise<number> {
  const { runs, worker, interrupted } = session;
  const { json } = options;
  if (options.worker) await tellTroubleOf(lake);
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
  else if (started.tookOver === 'key')
    process.stderr.write(`${started.id} waited for the quota of another key: continuing with yours\n`);
  else if (started.tookOver) process.stderr.write(`${started.id} had nothing of another address: started again\n`);
  else if (sharing.length > 0) process.stderr.write(sharingText(sharing));
  if (started.budgetChanged) await started.handle.executeUpdate('raise-budget', { args: [definition.budget] });
  if (started.attached) await runs.goOnIfItWaits(started.handle);
  const { exitCode, status } = await followRun(runs, started.handle, {
    json,
    wait: options.wait,
    interrupted,
    worker,
    knownCount: options.strict,
  });
  if (!json && status.state === 'completed') {
    const { tablesText } = await import('./run-summary.ts');
    process.stdout.write(tablesText(status.progress));
    const nothing = status.progress.filings_found === 0 && definition.tables.includes('filings');
    if (nothing && definition.select.accession_numbers === undefined) {
      process.stderr.write(await nothingText(definition, key, status.progress.started_at, interrupted));
    }
    const question = firstQuestion(status.progress);
    if (question !== null) questions.set(lake, question);
  }
  return exitCode;
}

/** A store that refuses, or that nobody reaches, is named before the run begins to wait for it. */
async function tellTroubleOf(lake: string): Promise<void> {
  if (!lake.includes('://')) return;
  try {
    const { openLakeIfThere } = await import('../../lake/index.ts');
    await (await openLakeIfThere(lake))?.close();
  } catch (error) {
    reportError(error);
  }
}

/** What was looked for without success, and what there is. The export is complete without the latter. */
async function nothingText(
  definition: ExportDefinition,
  key: string,
  startedAt: string,
  signal: AbortSignal,
): Promise<string> {
  const asked = selectionText(definition, startedAt.slice(0, 10));
  const range = await withServiceAddress(definition.service.base_url, (baseUrl) =>
    serviceRange(definition, key, { baseUrl, signal }),
  ).catch(() => null);
  return `no filing matches the selection${asked === '' ? '' : ` (${asked})`}.${range === null ? '' : ` ${range}`}\n`;
}

/** Printed at the start: at the end the requests are spent. */
function sharingText(ids: readonly string[]): string {
  const [who, verb] = [ids.join(', '), ids.length === 1 ? 'writes' : 'write'];
  return `${who} ${verb} to this lake too and may select the same filings: the runs take turns, and what both need is requested once\n`;
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

export function worse(one: number, other: number): number {
  return SEVERITY.indexOf(other) > SEVERITY.indexOf(one) ? other : one;
}
