/** `filinglake schedule`: exports that run automatically, at the times of a cron expression. */
import { Command } from 'commander';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import { catalogOf, readAnew } from '../../export/index.ts';
import type { ScheduleDetails, ScheduleStatus } from '../../export/runtime/index.ts';
import { absolutePlace } from '../../lake/index.ts';
import {
  type DefinitionOptions,
  keyOf,
  readDefinition,
  tellWarnings,
  withSetOption,
} from '../terminal/definition-file.ts';
import { followRun } from '../terminal/follow-run.ts';
import { keyOfSchedule } from '../terminal/key-of-run.ts';
import { duration } from '../terminal/option-values.ts';
import { tablesText } from '../terminal/run-summary.ts';
import { ScheduleWatch } from '../terminal/schedule-watch.ts';
import { counted, formatCount, formatDuration, formatTable, printJson, printResult } from '../terminal/terminal.ts';
import { type RunsSession, withRuns } from '../terminal/with-runs.ts';

interface JsonOption {
  json?: boolean;
}

export function command(): Command {
  return new Command('schedule')
    .description('Run exports on a schedule, while filinglake up runs. Each run fetches what is new')
    .addHelpText(
      'after',
      `
Runs of a schedule follow one another. A run that fails (a refused key, a full disk) pauses its schedule. Runs need
filinglake up, or a worker and a Temporal server, with the API key that the schedule was created with.

Examples:
  filinglake schedule create annual-reports.yaml --cron "0 6 * * *" --time-zone America/New_York
  filinglake schedule list
  filinglake schedule backfill annual-reports --from 2024-01-01 --to 2024-01-07`,
    )
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(triggerCommand())
    .addCommand(backfillCommand())
    .addCommand(deleteCommand());
}

interface CreateOptions extends JsonOption, DefinitionOptions {
  cron: string[];
  timeZone: string;
  jitter: string;
  lake?: string;
  replace?: boolean;
}

function createCommand(): Command {
  const create = new Command('create')
    .description('Run an export definition at the times of a cron expression')
    .argument('<file>', 'the export definition (YAML); later changes need --replace')
    .argument('[name]', 'which export of a file with several')
    .requiredOption('--cron <expression...>', 'minute hour day-of-month month day-of-week, or @daily and the like')
    .option('--time-zone <name>', 'of the expression', 'UTC')
    .option('--jitter <duration>', 'random delay of up to: 90s, 10m, 1h', '0s')
    .option('--lake <place>', 'folder or URL of the lake (default: that of the definition, else ./lake)')
    .option('--replace', 'replace the schedule of that name')
    .option('--json', 'print the schedule as JSON');
  return withSetOption(create)
    .addHelpText(
      'after',
      `
Relative dates (date_from: -30d) count from the day of each run. A file of accession numbers is read again by each run.

Examples:
  filinglake schedule create daily.yaml --cron "30 22 * * 1-5" --time-zone America/New_York --jitter 10m
  filinglake schedule create research.yaml releases --cron @daily --set date_from=-7d`,
    )
    .action(createSchedule);
}

async function createSchedule(file: string, name: string | undefined, options: CreateOptions): Promise<void> {
  const parsed = await readDefinition(file, name, options);
  tellWarnings(file, [parsed]);
  const { definition } = parsed;
  // Its runs are started by Temporal, and only `export` fetches from EDGAR: they would read a catalog that lacks filings, and say nothing.
  if (parsed.edgar !== undefined) throw fetchesFromEdgar(definition.name);
  const key = await keyOf(parsed);
  const lake = absolutePlace(options.lake ?? definition.lake);
  const { checkTimes } = await import('../../export/runtime/index.ts');
  checkTimes(options.cron, options.timeZone);
  const request = {
    definition: readAnew({ ...definition, lake }),
    lake,
    apiKey: key,
    cron: options.cron,
    time_zone: options.timeZone,
    jitter_seconds: duration('--jitter', 'smh', '90s, 10m or 1h')(options.jitter) / 1000,
    replace: options.replace === true,
  };
  await withSchedules(options, async ({ schedules }) => {
    const made = await schedules.create(request);
    if (options.json) printJson(made);
    else {
      process.stdout.write(details(made));
      const catalog = catalogOf(definition.service.base_url);
      const up = catalog === null ? 'up runs with the same key' : `up --catalog ${catalog} runs`;
      process.stderr.write(`it runs while filinglake ${up}\n`);
    }
  });
}

function fetchesFromEdgar(name: string): FilinglakeError {
  return new FilinglakeError(
    'schedule-invalid',
    `${name} has service.edgar, and scheduled runs do not fetch from EDGAR`,
    {
      remedy:
        'Leave service.edgar out, and let `filinglake up --catalog DIR --follow` fetch new filings; or run `filinglake export` from cron.',
    },
  );
}

interface ListOptions extends JsonOption {
  check?: boolean;
  notify?: boolean;
}

function listCommand(): Command {
  return new Command('list')
    .description('List schedules of exports, or show one: times, next and last runs')
    .argument('[name]', "the export's name")
    .option('--check', 'say how each schedule fares, once: for cron, if no filinglake up runs')
    .option('--notify', '--check, and tell whom the definitions name, as filinglake up does each 30 seconds')
    .option('--json', 'print as JSON: the schedule, or an array')
    .addHelpText(
      'after',
      `
With --check. failed: the newest run failed; incomplete: it has new failures or unproven windows; waiting: for its quota, its
budget or the service; late: it has not ended in time; not_run: a time passed, and nothing was started;
no_worker: no up or worker would run it.

Exit code 3, with --check: one of them is not well.

Example:
  */15 * * * *  filinglake schedule list --notify`,
    )
    .action((name: string | undefined, options: ListOptions) =>
      withSchedules(options, async (session) => {
        const { schedules } = session;
        if (options.check || options.notify) return check(session, options, name);
        if (name !== undefined) {
          const shown = await schedules.show(name);
          return options.json ? printJson(shown) : void process.stdout.write(details(shown));
        }
        const found = await schedules.list();
        if (options.json) printJson(found);
        else process.stdout.write(found.length > 0 ? table(found) : NO_SCHEDULES);
      }),
    );
}

const NO_SCHEDULES = 'there are no schedules: filinglake schedule create FILE\n';

async function check({ runs, schedules }: RunsSession, options: ListOptions, name?: string): Promise<void> {
  const only = name === undefined ? null : (await schedules.show(name)).id;
  const onProblem = (message: string) => process.stderr.write(`warning: ${message}\n`);
  const watch = new ScheduleWatch({ runs, schedules, onProblem, watchedSince: 0 });
  const { schedules: seen, notices_failed } = await watch.look(options.notify === true);
  const rows = seen
    .map(({ schedule, condition: { kind, message, remedy } }) => {
      return { name: schedule.name, id: schedule.id, lake: schedule.lake, condition: kind, message, remedy };
    })
    .filter(({ id }) => only === null || id === only);
  if (options.json) printJson(rows);
  else process.stdout.write(formatTable(rows, ['name', 'condition', 'message']));
  if (notices_failed > 0 || rows.some(({ condition }) => condition !== 'well'))
    process.exitCode = EXIT.finishedWithFailures;
}

function pauseCommand(): Command {
  return new Command('pause')
    .description('Start no further runs until resume. An active run continues')
    .argument('<name>', "the export's name")
    .option('--note <text>', 'why', 'paused by request')
    .option('--json', 'print the outcome as JSON')
    .action((name: string, options: JsonOption & { note: string }) =>
      withSchedules(options, async ({ schedules }) => {
        await schedules.pause(name, options.note);
        told(options, { name, state: 'paused' }, `${name} is paused`);
      }),
    );
}

function resumeCommand(): Command {
  return new Command('resume')
    .description('Start runs again')
    .argument('<name>', "the export's name")
    .option('--json', 'print the outcome as JSON')
    .action((name: string, options: JsonOption) =>
      withSchedules(options, async ({ schedules }) => {
        await schedules.resume(name);
        told(options, { name, state: 'active' }, `${name} runs again at its times`);
      }),
    );
}

function triggerCommand(): Command {
  return new Command('trigger')
    .description('Start a run now')
    .argument('<name>', "the export's name")
    .option('--follow', 'work on it and watch it to its end, as filinglake export does')
    .option('--json', 'print the outcome as JSON; with --follow events, a line each')
    .action(trigger);
}

async function trigger(name: string, options: JsonOption & { follow?: boolean }): Promise<void> {
  const json = options.json === true;
  const apiKey = options.follow ? await keyOfSchedule(name) : null;
  await withRuns({ command: 'schedule', apiKey, silent: json }, async ({ runs, schedules, worker, interrupted }) => {
    const id = await schedules.trigger(name);
    if (id === null) told(options, { name, id }, `${name} starts when the active run has ended`);
    else if (!options.follow) told(options, { name, id }, `started ${id}; filinglake status ${name} shows it`);
    if (id === null || !options.follow) return;
    if (json) printJson({ event: 'start', id, attached: false });
    const handle = await runs.open(id, apiKey);
    const { exitCode, status } = await followRun(runs, handle, { json, wait: true, interrupted, worker });
    if (!json && status.state === 'completed') process.stdout.write(tablesText(status.progress));
    process.exitCode = exitCode;
  });
}

function backfillCommand(): Command {
  return new Command('backfill')
    .description('Start the runs of past days, one after another')
    .argument('<name>', "the export's name")
    .requiredOption('--from <day>', "first day (in the schedule's zone), or a time as 2024-01-31T06:00:00Z")
    .requiredOption('--to <day>', 'last day, or a time')
    .option('--json', 'print the outcome as JSON')
    .action((name: string, options: JsonOption & { from: string; to: string }) =>
      withSchedules(options, async ({ schedules }) => {
        const { from, to } = await schedules.backfill(name, options);
        told(options, { name, from, to }, `${name} catches up its runs from ${from} to before ${to}`);
      }),
    );
}

function deleteCommand(): Command {
  return new Command('delete')
    .description('Delete a schedule. Its lake and its active runs are left alone')
    .argument('<name>', "the export's name")
    .option('--json', 'print the outcome as JSON')
    .action((name: string, options: JsonOption) =>
      withSchedules(options, async ({ schedules }) => {
        await schedules.delete(name);
        told(options, { name, state: 'deleted' }, `${name} is no longer scheduled`);
      }),
    );
}

function withSchedules(options: JsonOption, use: (session: RunsSession) => Promise<void>): Promise<void> {
  return withRuns({ command: 'schedule', apiKey: null, silent: options.json === true }, use);
}

function told(options: JsonOption, outcome: object, line: string): void {
  printResult(options.json, outcome, line);
}

function table(schedules: readonly ScheduleStatus[]): string {
  const rows = schedules.map((schedule) => ({
    name: schedule.name,
    cron: schedule.cron.join(' and '),
    zone: schedule.time_zone,
    state: schedule.state,
    next: schedule.next[0] ?? '',
    'last run': schedule.recent.at(-1)?.at ?? '',
    lake: schedule.lake,
  }));
  return formatTable(rows, ['name', 'cron', 'zone', 'state', 'next', 'last run', 'lake']);
}

function details(schedule: ScheduleDetails): string {
  const { name, cron, time_zone, jitter_seconds, state, note, lake, next, recent, running } = schedule;
  const lines: [string, string][] = [
    ['schedule', name],
    ['times', `${cron.join(' and ')} (${time_zone})`],
    ...(jitter_seconds > 0 ? ([['jitter', `up to ${formatDuration(jitter_seconds)}`]] as [string, string][]) : []),
    ['state', note && state === 'paused' ? `${state}: ${note}` : state],
    ['lake', lake],
    ['next', next.join('  ') || 'none'],
    [
      'started',
      `${counted(schedule.runs_started, 'run')}; ${formatCount(schedule.skipped_overlap)} skipped, because one was active and one waited; ${formatCount(schedule.missed)} missed`,
    ],
    ...recent.map(({ id, at }): [string, string] => [running.includes(id) ? 'active' : 'run', `${id} at ${at}`]),
  ];
  return lines.map(([key, value]) => `${key.padEnd(12)} ${value}\n`).join('');
}
