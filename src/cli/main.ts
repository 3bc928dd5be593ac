/** The `filinglake` command: finds the command's file, runs it, turns errors into a message, a remedy and an exit code. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { EXIT, FilinglakeError, nearestWord, systemErrorWords } from '../core/index.ts';
import { reportError } from './terminal/error-report.ts';

interface Entry {
  name: string;
  summary: string;
  /** Loaded only when called: a command that needs no DuckDB or Temporal doesn't pay for them. */
  load: () => Promise<{ command: () => Command }>;
}

const COMMANDS: readonly Entry[] = [
  {
    name: 'sample',
    summary: 'Write EDGAR-shaped files of invented companies',
    load: () => import('./commands/sample.ts'),
  },
  {
    name: 'export',
    summary: 'Export filings from a /v2 service into a lake',
    load: () => import('./commands/export.ts'),
  },
  { name: 'plan', summary: 'What an export will bring and cost', load: () => import('./commands/plan.ts') },
  {
    name: 'doctor',
    summary: 'What is there for exports, and what is missing',
    load: () => import('./commands/doctor.ts'),
  },
  { name: 'status', summary: 'The newest run of each export', load: () => import('./commands/status.ts') },
  { name: 'resume', summary: 'Go on with a run that stands still', load: () => import('./commands/resume.ts') },
  { name: 'retry', summary: 'Ask again what an export failed at', load: () => import('./commands/retry.ts') },
  { name: 'pause', summary: 'Let a run stand still', load: () => import('./commands/pause.ts') },
  { name: 'cancel', summary: 'End a run', load: () => import('./commands/cancel.ts') },
  { name: 'schedule', summary: 'Exports that run by themselves', load: () => import('./commands/schedule.ts') },
  { name: 'worker', summary: 'Do the work of exports', load: () => import('./commands/worker.ts') },
  { name: 'up', summary: 'Keep Temporal and a worker running', load: () => import('./commands/up.ts') },
  {
    name: 'temporal',
    summary: 'Show the Temporal server, or run its own command',
    load: () => import('./commands/temporal.ts'),
  },
  {
    name: 'ingest',
    summary: 'Store EDGAR submissions in a catalog',
    load: () => import('./commands/ingest.ts'),
  },
  { name: 'edgar', summary: 'Fetch and follow EDGAR', load: () => import('./commands/edgar.ts') },
  { name: 'catalog', summary: 'Check a catalog', load: () => import('./commands/catalog.ts') },
  { name: 'serve', summary: 'Serve a catalog over HTTP', load: () => import('./commands/serve.ts') },
  { name: 'keys', summary: 'API keys of the service over a catalog', load: () => import('./commands/keys.ts') },
  { name: 'sql', summary: 'Ask a lake a question in SQL', load: () => import('./commands/sql.ts') },
  { name: 'report', summary: 'One HTML page about a lake', load: () => import('./commands/report.ts') },
  { name: 'schema', summary: 'The tables of a lake', load: () => import('./commands/schema.ts') },
  {
    name: 'sections',
    summary: 'Find sections and 8-K items in files',
    load: () => import('./commands/sections.ts'),
  },
  { name: 'map', summary: 'Rows of structured forms, straight from files', load: () => import('./commands/map.ts') },
  { name: 'lake', summary: 'Check a lake, and see its history', load: () => import('./commands/lake.ts') },
];

async function main(argv: string[]): Promise<void> {
  const version = (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  ).version;
  const program = new Command('filinglake')
    .description(
      'Turns SEC EDGAR filings into research data: a /v2 service, and exports from any such service to Delta Lake tables.',
    )
    .version(version)
    .exitOverride()
    .enablePositionalOptions();
  const wanted = argv.find((word) => !word.startsWith('-'));
  for (const entry of COMMANDS) {
    if (entry.name === wanted) program.addCommand((await entry.load()).command());
    else program.command(entry.name).description(entry.summary).allowUnknownOption();
  }
  if (wanted !== undefined && wanted !== 'help' && !COMMANDS.some((entry) => entry.name === wanted)) {
    const near = nearestWord(
      wanted,
      COMMANDS.map((entry) => entry.name),
    );
    throw new FilinglakeError(
      'unknown-command',
      `unknown command '${wanted}'${near ? `; did you mean '${near}'?` : ''}`,
      {
        exitCode: EXIT.usage,
        remedy: 'filinglake --help lists the commands',
      },
    );
  }
  overrideExits(program);
  await program.parseAsync(argv, { from: 'user' });
}

function overrideExits(command: Command): void {
  command.exitOverride().showSuggestionAfterError(true);
  for (const child of command.commands) overrideExits(child);
}

// A reader that has seen enough (`filinglake sql … | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.complete);
  const message = `standard output can't be written: ${systemErrorWords(error)}`;
  const remedy = 'send it to a file on a disk with room';
  process.exit(reportError(new FilinglakeError('output-unwritable', message, { remedy, cause: error })));
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportError(error);
}
