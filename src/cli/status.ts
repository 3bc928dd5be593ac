/** `filinglake status [ID]`: the newest run of each export. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { type ExportProgress, PASSES, ratesOf, stateText } from '../export/index.ts';
import { openHome, type RunStatus, readSettings } from '../runtime/index.ts';
import { formatBytes, formatCount, formatDuration, formatTable, printJson } from './terminal.ts';
import { withRuns } from './with-runs.ts';

export function command(): Command {
  return new Command('status')
    .description('The newest run of each export, or of one: what it does, has done, and waits for')
    .argument('[id]', "an export's name, or export/NAME")
    .option('--json', 'print an array of runs as JSON')
    .addHelpText('after', '\nExamples:\n  filinglake status\n  filinglake status annual-reports --json')
    .action(run);
}

async function run(id: string | undefined, options: { json?: boolean }): Promise<void> {
  const runs = await listRuns(id);
  if (options.json) printJson(runs);
  else if (runs.length === 0) process.stdout.write('no export has run here yet: filinglake export FILE\n');
  else if (id === undefined) process.stdout.write(table(runs));
  else for (const status of runs) process.stdout.write(details(status));
}

async function listRuns(id: string | undefined): Promise<RunStatus[]> {
  const settings = readSettings();
  const nothingRan = settings.temporalAddress === null && !existsSync(openHome(settings.homeFolder).temporalDatabase);
  // Where no Temporal has ever run there are no runs: none is fetched or started to find that out.
  if (nothingRan && id === undefined) return [];
  return withRuns({ command: 'status', apiKey: null, silent: true }, ({ runs }) => runs.list(id));
}

function table(runs: readonly RunStatus[]): string {
  const rows = runs.map(({ name, lake, progress, started_at }) => ({
    name,
    state: stateText({ ...progress, message: null }),
    filings: `${formatCount(progress.filings_known + progress.filings_fetched)} of ${formatCount(progress.filings_found)}`,
    requests: formatCount(progress.requests),
    'last commit': progress.last_commit ? `version ${progress.last_commit.version}` : '',
    started: started_at.slice(0, 19),
    lake,
  }));
  return formatTable(rows, ['name', 'state', 'filings', 'requests', 'last commit', 'started', 'lake']);
}

/** What was asked of the filings, and is still to be asked. */
function stepLines({ steps }: ExportProgress): [string, string][] {
  return PASSES.flatMap((pass): [string, string][] => {
    const { done, owed } = steps[pass];
    return done + owed === 0 ? [] : [[pass, `${formatCount(done)} asked for, ${formatCount(owed)} owed`]];
  });
}

function details({ id, lake, progress }: RunStatus): string {
  const rates = ratesOf(progress);
  const quota = progress.quota?.requests_left;
  const lines: [string, string][] = [
    ['run', id],
    ['lake', lake],
    ['state', stateText(progress)],
    ['started', progress.started_at],
    ['windows', `${formatCount(progress.windows_read)} read, ${formatCount(progress.windows_unproven)} not proven`],
    [
      'filings',
      `${formatCount(progress.filings_found)} found, ${formatCount(progress.filings_known)} known, ${formatCount(progress.filings_fetched)} fetched, ${formatCount(progress.filings_committed)} committed`,
    ],
    ...stepLines(progress),
    [
      'requests',
      `${formatCount(progress.requests)} (${rates.requests_per_second.toFixed(1)}/s), ${formatCount(progress.retries)} retries, ${formatCount(progress.requests_owed)} owed`,
    ],
    ['bytes', formatBytes(progress.bytes)],
    ['failures', formatCount(progress.failures)],
    ['quota left', quota === null || quota === undefined ? 'not stated' : formatCount(quota)],
    [
      'last commit',
      progress.last_commit ? `version ${progress.last_commit.version} at ${progress.last_commit.at}` : 'none yet',
    ],
  ];
  if (progress.state === 'running' && rates.seconds_left !== null)
    lines.push(['time left', formatDuration(rates.seconds_left)]);
  return lines.map(([name, value]) => `${name.padEnd(12)} ${value}\n`).join('');
}
