/** Runs one command line: finds the command's file, runs it, and turns errors into a message, a remedy and an exit code. */
import { Command } from 'commander';
import { FilinglakeError, nearestHint } from '../core/index.ts';
import { COMMANDS } from './command-list.ts';
import { reportError } from './terminal/error-report.ts';
import { packageVersion } from './terminal/package-version.ts';
import { wrappedHelp } from './terminal/wrapped-help.ts';

/** @param argv without Node and the program. The exit code is `process.exitCode` (not set: 0). */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await run(argv);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

async function run(argv: readonly string[]): Promise<void> {
  const program = new Command('filinglake')
    .description(
      'Turns SEC EDGAR filings into research data: a /v2 service, and exports from any such service to Delta Lake tables.',
    )
    .version(packageVersion())
    .exitOverride()
    .enablePositionalOptions();
  const wanted = argv.find((word) => !word.startsWith('-'));
  for (const entry of COMMANDS) {
    if (entry.name === wanted) program.addCommand((await entry.load()).command());
    else program.command(entry.name).description(entry.summary).allowUnknownOption();
  }
  if (wanted !== undefined && wanted !== 'help' && !COMMANDS.some((entry) => entry.name === wanted)) {
    const names = COMMANDS.map((entry) => entry.name);
    throw new FilinglakeError('command-unknown', `unknown command '${wanted}'${nearestHint(wanted, names)}`);
  }
  prepare(program, program.name());
  await program.parseAsync(argv.map(notAnOption), { from: 'user' });
}

/** A query may begin with a comment (`-- sales by year`). No name of an option has white space. */
function notAnOption(word: string): string {
  return /^--[^=\s]*\s/.test(word) ? `\n${word}` : word;
}

/** Help and versions. On a terminal, paragraphs are broken to its width. */
function writeOut(text: string): void {
  const { isTTY, columns } = process.stdout;
  process.stdout.write(isTTY && columns ? wrappedHelp(text, columns) : text);
}

/** @param path the words that call the command: `filinglake keys create` */
function prepare(command: Command, path: string): void {
  command.exitOverride().showSuggestionAfterError(true).configureOutput({ writeOut });
  // Like the remedy of our own errors.
  command.showHelpAfterError(`       Run \`${path} --help\` to see what it takes.`);
  for (const child of command.commands) prepare(child, `${path} ${child.name()}`);
}
