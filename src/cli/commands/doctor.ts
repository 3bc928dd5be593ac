/** `filinglake doctor`: what exports need here, what is missing, and how to get it. */
import { Command } from 'commander';
import { readSettings, spawnProgram } from '../../core/environment/index.ts';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import { catalogOf } from '../../export/index.ts';
import { type Check, examine, type ServiceToCheck } from '../../export/runtime/index.ts';
import { absolutePlace } from '../../lake/index.ts';
import { withServiceAddress } from '../terminal/catalog-service.ts';
import { colours } from '../terminal/colours.ts';
import {
  type DefinitionOptions,
  keyOf,
  readDefinitions,
  SET_HELP,
  tellWarnings,
  withSetOption,
} from '../terminal/definition-file.ts';
import { printResult } from '../terminal/terminal.ts';

interface Options extends DefinitionOptions {
  lake?: string;
  json?: boolean;
}

const BROWSER_TIMEOUT_MS = 20_000;

export function command(): Command {
  const doctor = new Command('doctor')
    .description('Check that exports can run here: what is missing, and how to get it. Uses no quota')
    .argument('[file]', 'an export definition: checks its service, key variable and lake')
    .argument('[name]', 'which export of a file with several (default: the first)')
    .option('--lake <place>', 'folder or URL of the lake (default: that of the definition, else ./lake)')
    .option('--json', 'print the report as JSON');
  return withSetOption(doctor)
    .addHelpText(
      'after',
      `
${SET_HELP}

Exit codes: 0 exports can run; 1 something is missing; 2 the definition is wrong.

Examples:
  filinglake doctor
  filinglake doctor annual-reports.yaml --json
  filinglake doctor research.yaml releases --set base_url=http://127.0.0.1:9000`,
    )
    .action(run);
}

async function run(file: string | undefined, name: string | undefined, options: Options): Promise<void> {
  if (file === undefined && options.set !== undefined) {
    throw new FilinglakeError('argument-missing', '--set needs a definition file, and none is named', {
      remedy: 'Name the definition: `filinglake doctor FILE --set KEY=VALUE`.',
    });
  }
  const settings = readSettings();
  const { service, lake } = file === undefined ? defaults() : await ofDefinition(file, name, options);
  const report = await withServiceAddress(service.baseUrl, (baseUrl) =>
    examine(settings, {
      lake: absolutePlace(options.lake ?? lake),
      service: { ...service, baseUrl },
      browser: checkBrowser,
    }),
  );
  printResult(options.json, report, `${report.checks.map(line).join('')}${verdict(report.ready, file)}`);
  process.exitCode = report.ready ? EXIT.complete : EXIT.error;
}

function defaults(): { service: ServiceToCheck; lake: string } {
  const { baseUrl, apiKey } = readSettings();
  return { service: { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, keyVariable: 'FILINGLAKE_API_KEY' }, lake: 'lake' };
}

async function ofDefinition(
  file: string,
  name: string | undefined,
  options: Options,
): Promise<{ service: ServiceToCheck; lake: string }> {
  const [first] = await readDefinitions(file, name === undefined ? [] : [name], options);
  tellWarnings(file, [first!]);
  const { definition, apiKeyVariable } = first!;
  const isCatalog = catalogOf(definition.service.base_url) !== null;
  const apiKey = isCatalog ? await keyOf(first!) : first!.apiKey;
  const keyVariable = apiKeyVariable ?? 'FILINGLAKE_API_KEY';
  return { service: { baseUrl: definition.service.base_url, apiKey, keyVariable }, lake: definition.lake };
}

/** The browser with which the service prints PDFs. Exports need none. */
async function checkBrowser(): Promise<Check> {
  const { findBrowsers } = await import('../../service/index.ts');
  const failures: string[] = [];
  for await (const { executable, origin, environment } of findBrowsers(process.env)) {
    const env = { ...process.env, ...environment };
    const { code, stdout, stderr } = await spawnProgram(executable, ['--version'], {
      timeoutMs: BROWSER_TIMEOUT_MS,
      env,
    });
    if (code === 0) return { name: 'browser', state: 'ok', found: `${stdout.trim()} (${origin})`, remedy: null };
    failures.push(`${origin}: ${stderr.trim().split('\n').at(-1) || `it ended with ${code}`}`);
  }
  return {
    name: 'browser',
    state: 'warning',
    found: `no browser starts${failures.length > 0 ? ` (${failures.join('; ')})` : ''}: this machine can't serve PDFs`,
    remedy:
      'Install Chromium (Debian, Ubuntu: `apt-get install chromium fonts-liberation`), or set FILINGLAKE_CHROMIUM to one.',
  };
}

const MARKS: Record<Check['state'], string> = {
  ok: colours.green('ok     '),
  warning: colours.yellow('warning'),
  missing: colours.red('missing'),
};

function line({ name, state, found, remedy }: Check): string {
  const told = `${MARKS[state]}  ${name.padEnd(9)} ${found}\n`;
  return remedy === null ? told : `${told}${' '.repeat(19)} ${remedy}\n`;
}

function verdict(ready: boolean, file: string | undefined): string {
  if (ready) return 'exports can run';
  // Those from a catalog need no service.
  const others = file === undefined ? '. For a catalog, name a definition: filinglake doctor FILE' : '';
  return `exports cannot run yet${others}`;
}
