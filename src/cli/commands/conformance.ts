/** `filinglake conformance`: checks any /v2 service against the interface. */
import { Command } from 'commander';
import { type CheckResult, type ConformanceReport, checkConformance } from '../../conformance/index.ts';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import { readSettings } from '../../environment/index.ts';
import { formatCount, openProgress, printJson } from '../terminal/terminal.ts';

interface Options {
  apiKey?: string;
  spentKey?: string;
  json?: boolean;
}

export function command(): Command {
  return new Command('conformance')
    .description('Check that a service has the /v2 interface, sentence by sentence')
    .argument('<url>', 'the address of the service, without /v2')
    .option('--api-key <key>', 'a key of the service (default: FILINGLAKE_API_KEY)')
    .option('--spent-key <key>', 'a key whose month is used up, for the checks of 429 (default: they are skipped)')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
A service must pass every check of level must: they are the published interface. Checks of level may are liberties:
clients of filinglake work either way. A check is skipped if the service has nothing to make it with.

It sends some 170 requests. Most count against the month of the key: use one that has 200 left.

Exit codes: 0 the service has the interface; 1 a check of level must failed.

Examples:
  filinglake conformance http://127.0.0.1:8080 --api-key "$KEY"
  filinglake conformance https://filings.example.org --json > report.json`,
    )
    .action(run);
}

async function run(url: string, options: Options): Promise<void> {
  const apiKey = options.apiKey ?? readSettings().apiKey;
  if (apiKey === null)
    throw new FilinglakeError('key-missing', 'no API key is given: neither --api-key nor FILINGLAKE_API_KEY');
  const progress = openProgress({ label: 'checking', unit: 'checks', silent: options.json === true });
  const keys = { apiKey, spentKey: options.spentKey ?? null };
  const report = await checkConformance(addressOf(url), keys, (_result, done, total) =>
    progress.update(done, undefined, total),
  );
  if (options.json) printJson(report);
  else {
    process.stdout.write(report.checks.map(line).join(''));
    progress.finish(verdict(report));
    const note = noteOf(report);
    if (note !== null) process.stderr.write(`note: ${note}\n`);
  }
  process.exitCode = report.conforms ? EXIT.complete : EXIT.error;
}

function addressOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new FilinglakeError('argument-invalid', `'${url}' is not an http or https address`);
  }
  return url.replace(/\/+$/, '');
}

/** A note if the key kept most checks from being made. */
function noteOf({ checks }: ConformanceReport): string | null {
  const ofKey = checks.filter(({ id }) => id === 'key.in-query' || id === 'key.in-body');
  if (ofKey.every(({ result }) => result === 'failed')) {
    return 'the service refused the key. Check --api-key: most checks need a key that works';
  }
  const isSpent = checks.some(({ reason }) => reason?.startsWith('the answer is 429'));
  return isSpent
    ? 'the month of the key was used up during the checks. Run them with a key that has 200 requests left'
    : null;
}

/** `must  ok      key.missing  a request without …` */
function line({ id, level, title, result, reason }: CheckResult): string {
  const word = {
    passed: level === 'must' ? 'ok' : 'yes',
    failed: level === 'must' ? 'FAILED' : 'no',
    skipped: 'skipped',
  };
  return `${level.padEnd(4)}  ${word[result].padEnd(7)}  ${id.padEnd(40)}  ${title}${reason === null ? '' : `: ${reason}`}\n`;
}

function verdict({ conforms, must, may, requests }: ConformanceReport): string {
  const skipped = must.skipped === 0 ? '' : `, ${must.skipped} skipped`;
  const musts = `must: ${must.passed} ok, ${must.failed} failed${skipped}`;
  return `${conforms ? 'the service has the interface' : 'the service breaks the interface'}. ${musts}; may: ${may.passed} yes, ${may.failed} no, ${may.skipped} skipped. ${formatCount(requests)} requests`;
}
