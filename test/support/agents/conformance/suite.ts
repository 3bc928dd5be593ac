/** The official conformance suite, run as it is published: all server scenarios that a revision of the protocol requires. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** By scenario, how many checks passed, and each that did not, with what the suite says. */
export type Verdicts = Record<string, { passed: number; failed: Record<string, string> }>;

/** A process for each session takes its time to start on a machine with much to do. */
const TIMEOUT_MS = '300000';
const SUITE = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** @param scenario that one alone */
export async function runSuite(url: string, revision: string, scenario?: string): Promise<Verdicts> {
  const out = mkdtempSync(join(tmpdir(), 'filinglake-conformance-'));
  const which =
    scenario === undefined ? ['--requirements', revision] : ['--spec-version', revision, '--scenario', scenario];
  // Its exit code says only whether all passed.
  await new Promise((resolve) =>
    execFile(
      process.execPath,
      [SUITE, 'server', '--url', url, ...which, '--timeout', TIMEOUT_MS, '--output-dir', out],
      { maxBuffer: 2 ** 28 },
      resolve,
    ),
  );
  const verdicts: Verdicts = {};
  for (const folder of readdirSync(out)) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(folder)?.[1];
    if (scenario === undefined) continue;
    const checks = JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')) as Check[];
    verdicts[scenario] = {
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      failed: Object.fromEntries(
        checks.filter(({ status }) => status === 'FAILURE').map(({ id, errorMessage }) => [id, errorMessage ?? '']),
      ),
    };
  }
  return verdicts;
}
