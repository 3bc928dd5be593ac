/** `filinglake status [ID]`: the latest run of each export. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { Command } from 'commander';
import { openHome, readSettings } from '../../core/environment/index.ts';
import { type ExportProgress, PASSES, ratesOf, stateText } from '../../export/index.ts';
import { commandNameOf, type RunStatus } from '../../export/runtime/index.ts';
import { type RunStatusCounted, withCompleteFilings } from '../terminal/complete-filings.ts';
import { STEP_WORDS } from '../terminal/step-words.ts';
import { counted, cutTable, formatBytes, formatCount, formatDuration, printJson } from '../terminal/terminal.ts';
import { withRuns } from '../terminal/with-runs.ts';

export function command(): Command {
  return new Command('status')
    .description('Show the latest run of each export: state, progress, what it waits for')
    .argument('[id]', "an export's name, or export/NAME")
    .option('--json', 'print an array of runs as JSON')
    .addHelpText(
      'after',
      `
Examples:
  filinglake status
  filinglake status annual-reports --json`,
    )
    .action(run);
}

async function run(id: string | undefined, options: { json?: boolean }): Promise<void> {
  const runs = await listRuns(id);
  if (options.json) printJson(runs);
  else if (runs.length === 0) process.stdout.write('no export has run here yet: filinglake export FILE\n');
  else if (id === undefined) {
    const screen = process.stdout.isTTY ? (process.stdout.columns ?? 80) : null;
    process.stdout.write(statusTable(runs, screen));
  } else process.stdout.write(runs.map(statusText).join(''));
}

async function listRuns(id: string | undefined): Promise<RunStatusCounted[]> {
  const settings = readSettings();
  const nothingRan = settings.temporalAddress === null && !existsSync(openHome(settings.homeFolder).temporalDatabase);
  // If Temporal has never run here there are no runs: nothing is downloaded or started to find out.
  if (nothingRan && id === undefined) return [];
  return withRuns({ command: 'status', apiKey: null, silent: true }, async ({ runs }) =>
    withCompleteFilings(await runs.list(id)),
  );
}

/** Active or stopped runs without a worker. */
const isLeft = ({ worker }: RunStatus) => worker !== null && !worker.answers;
const leftNote = (run: RunStatus) =>
  isLeft(run) ? `, ${run.worker?.refused ? 'workers of another version' : 'no worker'}` : '';

const COLUMNS = ['name', 'state', 'listed', 'complete', 'requests', 'pending', 'version', 'started (UTC)', 'lake'];

/** @param screen width of the terminal; null: nothing is cut */
export function statusTable(runs: readonly RunStatusCounted[], screen: number | null): string {
  const rows = runs.map((run) => ({
    name: run.name,
    state: `${stateText({ ...run.progress, message: null })}${leftNote(run)}`,
    listed: formatCount(run.progress.filings_found),
    complete: run.filings_complete === null ? '' : formatCount(run.filings_complete),
    requests: formatCount(run.progress.requests),
    pending: formatCount(run.progress.requests_pending),
    version: run.progress.last_commit?.version ?? '',
    'started (UTC)': run.started_at.slice(0, 16).replace('T', ' '),
    lake: shortPath(run.lake),
  }));
  const left = runs.filter(isLeft);
  return [
    cutTable(rows, COLUMNS, screen),
    ...(left.length === 0
      ? []
      : [`no worker is active for ${left.map(({ name }) => name).join(', ')}: filinglake status NAME\n`]),
  ].join('');
}

/** Relative to the working folder, if that is shorter. */
function shortPath(folder: string): string {
  const fromHere = `./${relative(process.cwd(), folder)}`;
  return !fromHere.startsWith('./..') && fromHere.length < folder.length ? fromHere : folder;
}

/** The listed filings of a run, and those that the lake has complete. */
function filingsLine({ progress, filings_complete }: RunStatusCounted): string {
  const { filings_found, filings_known } = progress;
  const listed = `${formatCount(filings_found)} listed`;
  if (filings_complete === null) return `${listed}; complete: not known, because the lake can't be read here`;
  return `${listed}, ${formatCount(filings_complete)} complete (${formatCount(filings_known)} before this run)`;
}

function stepLines({ steps }: ExportProgress): [string, string][] {
  return PASSES.flatMap((pass): [string, string][] => {
    const { done, pending } = steps[pass];
    if (done + pending === 0) return [];
    return [
      [
        STEP_WORDS[pass],
        `${formatCount(done)} of ${formatCount(done + pending)} requests, ${formatCount(pending)} pending`,
      ],
    ];
  });
}

function workerLines({ id, worker, progress }: RunStatus): [string, string][] {
  if (worker === null) return [];
  if (worker.answers) return [['worker', 'active']];
  if (worker.refused) {
    return [
      ['worker', "active, and can't continue this run: another version of filinglake has worked on it"],
      ['', `filinglake cancel ${commandNameOf(id)}, and export again: it takes what the lake has`],
    ];
  }
  const since = worker.last_seen === null ? '' : ` (last heard from at ${worker.last_seen})`;
  return [
    ['worker', `none${since}: no worker is active; the figures are its last`],
    [
      '',
      progress.stopped_by === 'quota'
        ? 'then it continues automatically if filinglake up, or filinglake worker, runs with its key'
        : `filinglake resume ${commandNameOf(id)} continues it here; filinglake up, or filinglake worker, in the background`,
    ],
  ];
}

/** A shorter time gives no rate. */
const RATE_MIN_MS = 5_000;

/** @param run its status, as `filinglake status NAME` shows it */
export function statusText(run: RunStatusCounted): string {
  const { id, lake, progress, worker } = run;
  const rates = ratesOf(progress);
  const quota = progress.quota?.requests_left;
  // Without a worker, or just after the start, the past rate predicts nothing.
  const isTelling = worker === null || (worker.answers && progress.working_ms >= RATE_MIN_MS);
  const rate = isTelling && progress.working_ms > 0 ? ` (${rates.requests_per_second.toFixed(1)}/s)` : '';
  const retries = counted(progress.retries, 'retry', 'retries');
  const lines: [string, string][] = [
    ['run', id],
    ['lake', lake],
    ['state', `${stateText(progress)}${progress.message === null ? leftNote(run) : ''}`],
    ...workerLines(run),
    ['started', progress.started_at],
    [
      'windows',
      `${formatCount(progress.windows_read)} read, ${formatCount(progress.windows_unproven)} not proven complete`,
    ],
    ['filings', filingsLine(run)],
    ...stepLines(progress),
    ...run.without.map((sentence): [string, string] => ['without', sentence]),
    [
      'requests',
      `${formatCount(progress.requests)}${rate}, ${retries}, ${formatCount(progress.requests_pending)} pending`,
    ],
    ['bytes', formatBytes(progress.bytes)],
    ['failures', formatCount(progress.failures)],
    ['quota left', quota === null || quota === undefined ? 'not stated' : formatCount(quota)],
    [
      'last commit',
      progress.last_commit ? `version ${progress.last_commit.version} at ${progress.last_commit.at}` : 'none yet',
    ],
  ];
  if (progress.state === 'running' && isTelling && rates.seconds_left !== null)
    lines.push(['time left', formatDuration(rates.seconds_left)]);
  return lines.map(([name, value]) => `${name.padEnd(12)} ${value}\n`).join('');
}
