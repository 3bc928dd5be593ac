/**
 * `npm test [-- vitest's arguments]`: the quick tiers (unit, integration, e2e), or the named files. `npm test -- lake`: those of a wing.
 * `npm run test:slow [-- --budget SECONDS]`: the slow tier, in another order each time; files that would not end within the budget are
 * skipped.
 * `npm run test:all`: every tier with every case, and Spark. Each downloads what tests need, runs them, and lists skipped ones with
 * the reason. Last line: `N passed, N failed, N skipped`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { readSettings } from '../src/core/environment/settings.ts';
import { findTemporal } from '../src/export/runtime/temporal/fetch.ts';
import { startBundledPrograms } from '../test/support/programs.ts';
import { sharedFolder } from '../test/support/shared.ts';
import { QUICK_TIERS } from '../test/support/tiers.ts';
import { CHECKOUT, runInTerminal, runTool } from './steps.ts';
import { type Report, summaryOf, tierLine } from './test-report.ts';

/** Settings that run every case: every fault, kill, reset and rearrangement, and ten times the random inputs, other ones in each run. */
const EVERY_CASE = {
  FILINGLAKE_EVERY_FAULT: '1',
  FILINGLAKE_EVERY_KILL: '1',
  FILINGLAKE_EVERY_RESET: '1',
  FILINGLAKE_EVERY_REARRANGEMENT: '1',
  FILINGLAKE_ODD_RUNS: '10',
  FILINGLAKE_PROPERTY_RUNS: '10',
  FILINGLAKE_SEED: process.env.FILINGLAKE_SEED ?? String(Math.floor(Math.random() * 2 ** 31)),
};

const args = process.argv.slice(2);
const all = take('--all');
const slow = take('--slow');
const budget = takeValue('--budget');
const say = (line: string) => process.stdout.write(`${line}\n`);

const missing: string[] = [];
try {
  await findTemporal({ cacheFolder: readSettings().cacheFolder, env: process.env, onMessage: say });
} catch (error) {
  missing.push(`no Temporal server, so tests that run workflows are skipped: ${(error as Error).message}`);
}
if (!sharedFolder) {
  missing.push(
    'no real EDGAR files beside this checkout (FILINGLAKE_SHARED may name their folder): tests of them are skipped',
  );
}

if (all) {
  Object.assign(process.env, { ...EVERY_CASE, ...process.env });
  say(`FILINGLAKE_SEED=${process.env.FILINGLAKE_SEED} repeats the random inputs of this run`);
}
if (budget !== null) process.env.FILINGLAKE_TEST_DEADLINE = String(Date.now() + budget * 1000);
// The name of a wing means its quick tests.
const wings = readdirSync(join(CHECKOUT, 'test')).filter((name) => args.includes(name));
for (const wing of wings) args[args.indexOf(wing)] = `test/${wing}/`;
// Named files may be of any tier.
const named = args.some((word) => !word.startsWith('-')) && wings.length === 0;
const tiers = all || named ? [] : slow ? ['slow'] : QUICK_TIERS;

// A file alone needs no bundle: that takes longer than most files.
if (!named && !slow && !all) await startBundledPrograms();

const folder = mkdtempSync(join(tmpdir(), 'filinglake-report-'));
const reportFile = join(folder, 'report.json');
try {
  const startedAt = performance.now();
  const code = await runTool('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...tiers.map((tier) => `--project=${tier}*`),
    ...args,
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  const { total, byTier, skippedIn } = summaryOf(JSON.parse(readFileSync(reportFile, 'utf8')) as Report, CHECKOUT);
  if (all) await spark();
  for (const line of missing) say(line);
  if (budget !== null && seconds > budget)
    say(`the budget of ${budget} s was over: files not begun by then are skipped`);
  for (const [file, count] of skippedIn) say(`skipped ${count} in ${file}`);
  for (const [tier, counts] of byTier) say(tierLine(tier, counts));
  say(`${seconds.toFixed(0)} s in all; several files run at a time`);
  process.exitCode = total.failed > 0 && code === 0 ? 1 : code;
  say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

  /** Counts as a test. */
  async function spark(): Promise<void> {
    if (!hasJava()) {
      missing.push('no Java: Spark does not read a lake');
      total.skipped++;
    } else if ((await runInTerminal(process.execPath, [join(CHECKOUT, 'scripts/spark.ts')])) === 0) total.passed++;
    else total.failed++;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function take(option: string): boolean {
  const at = args.indexOf(option);
  if (at >= 0) args.splice(at, 1);
  return at >= 0;
}

/** The number behind an option, or null. */
function takeValue(option: string): number | null {
  const at = args.indexOf(option);
  if (at < 0) return null;
  const value = Number(args[at + 1]);
  if (!(value >= 0)) throw new Error(`${option} takes a number of seconds: ${option} 300`);
  args.splice(at, 2);
  return value;
}

function hasJava(): boolean {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
