/**
 * `npm run soak [-- --runs 50] [--filings 500] [--seed N] [--bucket] [--workers 1] [--json]`: exports disturbed at random, each compared with an undisturbed
 * one.
 * `--workers` work beside each command's own: all of them fetch batches of the run. With `--bucket` the lakes lie in a bucket whose store fails one time in twenty. Exit code 1 if one differs. Real processes are killed; the disk is filled if this user may mount one.
 */
import { parseArgs } from 'node:util';
import { readSettings } from '../src/core/environment/settings.ts';
import { findTemporal } from '../src/export/runtime/temporal/fetch.ts';
import { Chaos, type DisturbedRun } from '../test/support/chaos/disturbed-runs.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    filings: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    bucket: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const runs = positive('runs', values.runs);
const filings = positive('filings', values.filings);
const workers = positive('workers', values.workers);
const firstSeed = positive('seed', values.seed);
const say = (line: string) => process.stderr.write(`${line}\n`);

await findTemporal({ cacheFolder: readSettings().cacheFolder, env: process.env, onMessage: say });
say(`${runs} exports of ${filings} filings each, seeds from ${firstSeed}`);
const chaos = await Chaos.prepare(filings, { bucket: values.bucket, workers });
const startedAt = performance.now();
const done: DisturbedRun[] = [];
try {
  for (let i = 0; i < runs; i++) {
    const run = await chaos.disturb(firstSeed + i);
    done.push(run);
    if (values.json) process.stdout.write(`${JSON.stringify(run)}\n`);
    const left = (((performance.now() - startedAt) / (i + 1)) * (runs - i - 1)) / 60_000;
    say(`${i + 1} of ${runs} · ${told(run)} · about ${left.toFixed(0)} min left`);
  }
} finally {
  await chaos.close();
}
const bad = done.filter((run) => !run.whole);
const sum = (of: (run: DisturbedRun) => number) => done.reduce((total, run) => total + of(run), 0);
const victims = new Map<string, number>();
for (const victim of done.flatMap((run) => run.disturbances)) victims.set(victim, (victims.get(victim) ?? 0) + 1);
const summary = {
  runs: done.length,
  whole: done.length - bad.length,
  filings,
  workers: workers + 1,
  first_seed: firstSeed,
  struck: Object.fromEntries(victims),
  missed: done.flatMap(({ missed }) => missed),
  ambiguous: done.filter((run) => run.ambiguous).length,
  large: done.flatMap(({ large }) => large?.is ?? []),
  odd_values: done.filter(({ odd }) => odd.length > 0).length,
  late: done.filter(({ late }) => late).length,
  faults: sum((run) => run.faults),
  requests: sum((run) => run.requests),
  requests_undisturbed: chaos.undisturbedRequests,
  commands: sum((run) => run.exit_codes.length),
  seconds: Math.round(sum((run) => run.seconds)),
};
process.stdout.write(`${values.json ? JSON.stringify(summary) : text()}\n`);
if (bad.length > 0) process.exitCode = 1;

function text(): string {
  const struck = [...victims].map(([victim, times]) => `${victim} ${times}`).join(', ');
  const perRun = (summary.requests / summary.runs).toFixed(0);
  return [
    `${summary.whole} of ${summary.runs} exports left the lake of an undisturbed one, row for row`,
    `struck: ${struck}; without effect: ${summary.missed.join(', ') || 'none'}; ${summary.faults} answers spoilt; ambiguous puts in ${summary.ambiguous} runs`,
    `large documents: ${summary.large.join(', ') || 'none'}; odd values in ${summary.odd_values} runs; late: ${summary.late}`,
    `${perRun} requests a run (undisturbed: ${summary.requests_undisturbed}), ${summary.commands} commands, ${(summary.seconds / 60).toFixed(0)} min`,
    ...bad.map((run) => `NOT WHOLE: ${told(run)}`),
  ].join('\n');
}

function told(run: DisturbedRun): string {
  const outcome = run.whole
    ? 'whole'
    : `${run.late ? 'late, ' : ''}differs in ${run.different.join(', ')} ${run.problems.join('; ')}`;
  const codes = run.exit_codes.map((code) => code ?? 'killed').join(' ');
  return [
    `seed ${run.seed}: ${outcome}`,
    run.disturbances.join(' '),
    ...(run.ambiguous ? ['ambiguous puts'] : []),
    ...(run.large ? [`a document of ${Math.round(run.large.bytes / 2 ** 20)} MiB ${run.large.is}`] : []),
    ...(run.odd.length > 0 ? [`odd values in ${run.odd.join(', ')}`] : []),
    `${run.faults} answers spoilt`,
    `ended with ${codes}`,
    `${run.seconds.toFixed(0)} s`,
  ].join(' · ');
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  process.stderr.write(`error: --${name} ${text} is not a whole number from 1\n`);
  process.exit(2);
}
