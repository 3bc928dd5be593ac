/** The `filinglake` command: finds the command's file, runs it, turns errors into a message, a remedy and an exit code. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { EXIT, FilinglakeError, nearestWord, systemErrorWords } from '../core/index.ts';
import { COMMANDS } from './command-list.ts';
import { reportError } from './terminal/error-report.ts';

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
