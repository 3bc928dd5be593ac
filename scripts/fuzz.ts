/**
 * `npm run fuzz -- [--seeds N] [--seed K] [--today YYYY-MM-DD] [--json]`: exports of random definitions from a service that changes at
 * random. Exit code 1 if a lake differs from fresh ones in more than `test/support/fuzz/tolerated.ts` says. `--shrink` leaves out what
 * a difference does not need. `--scenario FILE` plays a scenario in JSON. `--without CURE` takes a cure out first
 * (`test/support/fuzz/cures.ts`).
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { takeOut } from '../test/support/fuzz/cures.ts';
import type { TemporalRuns as Runs } from '../test/support/fuzz/run-on-temporal.ts';
import type { Scenario } from '../test/support/fuzz/scenario.ts';

const SHRINK_TRIES = 25;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    today: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    json: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    scenario: { type: 'string' },
    without: { type: 'string' },
  },
});
if (values.without !== undefined) takeOut(values.without);
// What a cure is taken out of must not be loaded before.
const { play, shrink } = await import('../test/support/fuzz/fuzz.ts');
const { scenarioOf } = await import('../test/support/fuzz/scenario.ts');
const { TemporalRuns } = await import('../test/support/fuzz/run-on-temporal.ts');

const { today } = values;
const scenarios: (() => Scenario)[] =
  values.scenario === undefined
    ? Array.from({ length: Number(values.seeds) }, (_, i) => () => scenarioOf(Number(values.seed) + i, today))
    : [() => JSON.parse(readFileSync(values.scenario!, 'utf8')) as Scenario];
const say = (line: string) => process.stdout.write(`${line}\n`);
const startedAt = performance.now();
let temporal: Runs | null = null;
let failed = 0;
let cpu = 0;
let count = 0;
const tolerated = new Map<string, number>();

for (const make of scenarios) {
  const scenario = make();
  const { seed } = scenario;
  if (scenario.on_temporal) temporal ??= await TemporalRuns.start();
  const played = await play(scenario, temporal).catch((error: Error) => ({
    problems: [{ step: 'end' as const, kind: 'error' as const, message: `the fuzz itself: ${error.stack}` }],
    exits: [],
    killed: 0,
    requests: 0,
    tolerated: [],
    errors: [],
    seconds: 0,
    cpu_seconds: 0,
  }));
  count++;
  cpu += played.cpu_seconds;
  for (const one of played.tolerated) tolerated.set(one, (tolerated.get(one) ?? 0) + 1);
  const { problems, ...rest } = played;
  if (problems.length > 0) failed++;
  if (values.json) say(JSON.stringify({ seed, ...played }));
  else if (problems.length === 0)
    say(
      `seed ${seed}: whole · exits ${rest.exits.join(' ')} · ${rest.killed} killed · ${rest.requests} requests · ${rest.seconds.toFixed(1)} s`,
    );
  else {
    const small = values.shrink
      ? await shrink(scenario, { kind: problems[0]!.kind, tries: SHRINK_TRIES, temporal })
      : scenario;
    const { dialect, filings, choices } = small;
    if (values.shrink) say(JSON.stringify(small));
    say(`seed ${seed}: DIFFERS · exits ${rest.exits.join(' ')} · ${rest.seconds.toFixed(1)} s`);
    say(`  service: ${filings} filings, ${JSON.stringify(dialect)}`);
    for (const [i, choice] of choices.entries()) say(`  definition ${i}: ${JSON.stringify(choice)}`);
    for (const [i, step] of small.steps.entries()) say(`  step ${i}: ${JSON.stringify(step)}`);
    for (const { step, kind, message } of problems) say(`  ! ${kind} at ${step}: ${message}`);
    say(`  replay: npm run fuzz -- --seed ${seed} --today ${today}`);
  }
}
await temporal?.close();
const seconds = (performance.now() - startedAt) / 1000;
if (!values.json) for (const [what, times] of tolerated) say(`tolerated in ${times} seeds: ${what}`);
const rounded = (value: number) => Math.round(value * 10) / 10;
const summary = {
  seeds: count,
  differ: failed,
  seconds: Math.round(seconds),
  seconds_per_seed: rounded(seconds / count),
  cpu_seconds_per_seed: rounded(cpu / count),
};
say(
  values.json
    ? JSON.stringify(summary)
    : `${count} seeds, ${failed} differ; ${summary.seconds_per_seed} s each, ${summary.cpu_seconds_per_seed} s of CPU`,
);
process.exitCode = failed > 0 ? 1 : 0;
process.exit();
