/**
 * `npm test [-- vitest's arguments]`: fetches what tests need, runs them, says what was skipped and why; last line
 * `N passed, N failed, N skipped`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readSettings } from '../src/environment/settings.ts';
import { findTemporal } from '../src/runtime/temporal/fetch.ts';
import { sharedFolder } from '../test/support/shared.ts';
import { CHECKOUT, runTool } from './steps.ts';

/** Of vitest's JSON report, what is read here. */
interface Report {
  testResults: {
    name: string;
    status: 'passed' | 'failed';
    message?: string;
    assertionResults: { status: 'passed' | 'failed' | 'pending' | 'skipped' | 'todo' }[];
  }[];
}

const missing: string[] = [];
try {
  await findTemporal({
    cacheFolder: readSettings().cacheFolder,
    env: process.env,
    onMessage: (line) => process.stdout.write(`${line}\n`),
  });
} catch (error) {
  missing.push(`no Temporal server, so tests that run workflows are skipped: ${(error as Error).message}`);
}
if (!sharedFolder) {
  missing.push(
    'no real EDGAR files beside this checkout (FILINGLAKE_SHARED may name their folder): tests of them are skipped',
  );
}

const folder = mkdtempSync(join(tmpdir(), 'filinglake-report-'));
const reportFile = join(folder, 'report.json');
try {
  const code = await runTool('vitest', [
    ...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`],
    ...process.argv.slice(2),
  ]);
  process.exitCode = code;
  const { testResults } = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  let [passed, failed] = [0, 0];
  const skippedIn = new Map<string, number>();
  for (const { name, status, assertionResults } of testResults) {
    const skipped = assertionResults.filter((test) => !['passed', 'failed'].includes(test.status)).length;
    if (skipped > 0) skippedIn.set(relative(CHECKOUT, name), skipped);
    passed += assertionResults.filter((test) => test.status === 'passed').length;
    const failedHere = assertionResults.filter((test) => test.status === 'failed').length;
    // A file that can't be loaded has no tests to count, and is a failure all the same.
    failed += failedHere === 0 && status === 'failed' ? 1 : failedHere;
  }
  for (const line of missing) process.stdout.write(`${line}\n`);
  for (const [file, count] of skippedIn) process.stdout.write(`skipped ${count} in ${file}\n`);
  const skipped = [...skippedIn.values()].reduce((sum, count) => sum + count, 0);
  if (failed > 0 && code === 0) process.exitCode = 1;
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
