/** The `filinglake` command as a process. */
import { EXIT, FilinglakeError, systemErrorWords } from '../core/index.ts';
import { runCommandLine } from './run-command-line.ts';
import { endDespiteLeftovers } from './terminal/end-of-process.ts';
import { reportError } from './terminal/error-report.ts';

// A reader that closes the pipe (`filinglake sql … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.complete);
  const message = `standard output can't be written: ${systemErrorWords(error)}`;
  process.exit(reportError(new FilinglakeError('stdout-unwritable', message, { cause: error })));
});

await runCommandLine(process.argv.slice(2));
endDespiteLeftovers();
