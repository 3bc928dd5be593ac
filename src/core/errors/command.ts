/** Errors of the command line, its files and its environment. */
import type { ErrorsByExit } from './exit-codes.ts';

export const COMMAND_ERRORS = {
  usage: {
    'command-unknown': ['There is no such command.', 'Run `filinglake --help` to list the commands.'],
    'argument-missing': ['A command needs an argument or an option that is not given.', 'Give it. `--help` shows how.'],
    'argument-invalid': [
      'A value on the command line is not one that the command takes.',
      'Correct it. `--help` shows what the command takes.',
    ],
    'setting-invalid': [
      'An environment variable has a value that is not allowed.',
      'Correct the variable, or unset it.',
    ],
    'file-unreadable': [
      'A file or folder that the command needs cannot be read.',
      'Name files and folders that are there and that you may read.',
    ],
    'line-invalid': [
      'A line of standard input is not what the command reads.',
      'Give one JSON object a line, with the document as "content".',
    ],
    'form-unsupported': [
      'The form is not stated, or has neither sections nor 8-K items.',
      'Give --form 10-K, 10-Q, 20-F, 8-K or one of their variants.',
    ],
    'folder-taken': [
      'The folder for a sample or a backup holds other files.',
      'Name an empty folder, or one that does not exist yet. A sample is written into any with --force.',
    ],
    'output-binary': [
      'Arrow or Parquet bytes would go to a terminal.',
      'Write them to a file with --output, or send them to another program.',
    ],
    'output-unwritable': [
      'The output, a log or a sample cannot be written.',
      'Name a file in a folder that exists and that you may write to, on a disk with room.',
    ],
  },
  error: {
    'file-damaged': ['A compressed file cannot be unpacked.', 'Fetch the file again.'],
    'document-missing': ['A submission holds a header and no document.', 'Name a submission with documents.'],
    'section-missing': [
      'The document does not have this section or item.',
      'Run `filinglake sections` without --section to list what it has.',
    ],
    'stdout-unwritable': ['Standard output cannot be written.', 'Send it to a file on a disk with room.'],
    'home-unwritable': [
      'A folder that filinglake keeps its runs and programs in cannot be written.',
      'Set FILINGLAKE_HOME to a folder that you may write to.',
    ],
    'error-unexpected': [
      'An unexpected error occurred.',
      'Run the command again. If it fails again, report the message and the log.',
    ],
  },
} as const satisfies ErrorsByExit;
