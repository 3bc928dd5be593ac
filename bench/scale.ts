/**
 * The needs of an export of all 10-K and 10-Q sections since 1993, and whether anything in it grows with the whole. Alone: the
 * table, from unit costs measured now. `workflow`: the workflow's real code over as many filings, with scripted activities. `lake`:
 * the cost of commits at high versions.
 */
import { formatBytes, formatCount, formatTable } from '../src/cli/terminal/terminal.ts';
import { lakeByVersions } from './scale-sides/lake.ts';
import { onMachines } from './scale-sides/machines.ts';
import { type Needs, needsOf, REAL_SIZES } from './scale-sides/needs.ts';
import { measureUnitCosts } from './scale-sides/unit-costs.ts';
import { simulateRun } from './scale-sides/workflow.ts';

export const summary =
  'an export of 800,000 10-Ks and 10-Qs: [FILINGS] [SAMPLE], workflow [FILINGS] [A BATCH], lake [VERSIONS] [COMPACT EACH], machines [NUMBER...]';

const FILINGS = 800_000;

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const [mode, ...rest] = args;
  if (mode === 'workflow') await runWorkflow(rest.map(Number), json);
  else if (mode === 'lake') await runLake(rest.map(Number), json);
  else if (mode === 'machines') runMachines(rest.map(Number), json);
  else await runNeeds(args.map(Number), json);
  // The SDK keeps its runtime's threads.
  process.exit();
}

function runMachines(numbers: number[], json: boolean): void {
  const rows = (numbers.length > 0 ? numbers : [1, 4, 16]).map((machines) => onMachines(machines));
  if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else process.stdout.write(formatTable(rows as unknown as Record<string, unknown>[], Object.keys(rows[0]!)));
}

async function runNeeds([filings = FILINGS, sample = 4_000]: number[], json: boolean): Promise<void> {
  process.stderr.write(`measuring an export of the 10-Ks and 10-Qs among ${sample} sample filings\n`);
  const unit = await measureUnitCosts(sample);
  const sampleSizes = {
    bytes_a_filing: unit.bytes / unit.filings,
    lake_bytes_a_filing: unit.lake_bytes / unit.filings,
  };
  const needs = { sample: needsOf(filings, unit, sampleSizes), real: needsOf(filings, unit, REAL_SIZES) };
  if (json) {
    process.stdout.write(`${JSON.stringify({ filings, unit, needs })}\n`);
    return;
  }
  const { requests, bytes, seconds, cpu_seconds, events, commits, lake_bytes } = unit;
  process.stdout.write(
    `measured: ${unit.filings} filings, ${requests} requests, ${formatBytes(bytes)}, ${seconds.toFixed(1)} s, ` +
      `${cpu_seconds.toFixed(1)} CPU-s, ${events} events, ${commits} commits, ${formatBytes(lake_bytes)} of Parquet\n\n`,
  );
  const texts = { sample: inWords(needs.sample), real: inWords(needs.real) };
  const rows = Object.keys(texts.real).map((what) => ({ what, sample: texts.sample[what]!, real: texts.real[what]! }));
  process.stdout.write(`${formatCount(filings)} filings\n${formatTable(rows, ['what', 'sample', 'real'])}`);
}

function inWords({ months, ...needs }: Needs): Record<string, string> {
  const hours = (value: number) => value.toFixed(1);
  return {
    requests: formatCount(needs.requests),
    'bytes received': formatBytes(needs.bytes),
    'hours, the service on this machine': hours(needs.hours_near),
    'hours, answers of 0.1 s over 8 connections': hours(needs.hours_far),
    'hours of CPU, at most': hours(needs.cpu_hours),
    'batches of 7 s': formatCount(needs.batches),
    commits: formatCount(needs.commits),
    'parts, were none compacted': formatCount(needs.parts),
    'parts, compacted': formatCount(needs.parts_compacted),
    'history events': formatCount(needs.events),
    histories: formatCount(needs.histories),
    'the lake on disk': formatBytes(needs.lake_bytes),
    "the lake's log": formatBytes(needs.log_bytes),
    ...Object.fromEntries(
      Object.entries(months).map(([plan, count]) => [
        `months on the plan ${plan}`,
        count === null ? 'no limit' : formatCount(count),
      ]),
    ),
  };
}

async function runWorkflow([filings = FILINGS, batch = 500]: number[], json: boolean): Promise<void> {
  process.stderr.write(`the workflow over ${filings} filings, ${batch} a batch and pass\n`);
  const { histories, worker, ...run } = await simulateRun(filings, batch);
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...run, histories, worker })}\n`);
    return;
  }
  const { windows, batches, lookups, plans, events, seconds } = run;
  process.stdout.write(
    `${formatCount(filings)} filings in ${windows} windows: ${lookups} lookups, ${plans} plans, ${formatCount(batches)} batches, ` +
      `${formatCount(events)} events, ${seconds} s\n\n` +
      `${formatTable(
        histories.map((one) => ({ ...one })),
        ['history', 'events', 'history_bytes', 'input_bytes', 'memo_bytes'],
      )}\n` +
      formatTable(
        worker.filter((_, i) => i % Math.ceil(worker.length / 10) === 0).map((one) => ({ ...one })),
        ['batches', 'rss_mb', 'heap_mb'],
      ),
  );
}

async function runLake([versions = 2_000, compactEach = 0]: number[], json: boolean): Promise<void> {
  const stops = [100, 500, 1_000, 2_000, 5_000, 10_000, 20_000].filter((stop) => stop <= versions);
  process.stderr.write(
    `${versions} versions, ${compactEach > 0 ? `compacted each ${compactEach}` : 'never compacted'}\n`,
  );
  const measured = await lakeByVersions(stops, compactEach > 0 ? compactEach : null);
  if (json) process.stdout.write(`${JSON.stringify(measured)}\n`);
  else
    process.stdout.write(
      formatTable(
        measured.map((one) => ({ ...one })),
        Object.keys(measured[0] ?? {}),
      ),
    );
}
