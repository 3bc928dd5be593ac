/** Errors of lakes. */
import type { ErrorsByExit } from './exit-codes.ts';

const PERMISSIONS = 'Check the permissions of the lake, and the disk.';
const AGAIN = 'Run the command again. What was committed is unharmed.';

export const LAKE_ERRORS = {
  usage: {
    'lake-missing': [
      'The place holds no lake.',
      'Name the folder or URL of a lake with --lake. `filinglake export` makes one.',
    ],
    'table-unknown': ['There is no such table.', 'Run `filinglake schema` to list the tables.'],
    'lake-place-unknown': [
      'A lake cannot lie in a place of this kind.',
      'Name a folder, or a URL: file:///FOLDER or s3://BUCKET/PREFIX.',
    ],
    'lake-version-unknown': ['The lake has no such version.', 'Run `filinglake lake log` to list the versions.'],
    'release-unknown': ['The lake has no such release.', 'Run `filinglake lake release` to list them.'],
    'release-exists': [
      'The lake has a release of this name. A release never changes.',
      'Choose another name. `filinglake lake release` shows the version of each.',
    ],
    'definition-differs': [
      'The version that was to be released is not what the definition makes, or not all of it.',
      'Export the definition to its end, into a lake that has no other exports. Or release without --definition.',
    ],
    'sql-invalid': [
      'The query is wrong, or names a file that is not there.',
      'Run `filinglake schema` to list tables.',
    ],
    'sql-refused': [
      'The query is not a single question, or would change something.',
      'Ask with SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN.',
    ],
  },
  error: {
    'lake-replaced': [
      'The lake is not the one that the run began with, or it is an older copy.',
      'Run `filinglake export` again. It begins with the lake that is there.',
    ],
    'lake-busy': [
      'Another writer has the lake.',
      'Run the command again when it has ended, or without --no-wait: the command then waits for its turn.',
    ],
    'release-refused': [
      'A vacuum may be deleting parts of the version that was to be released.',
      'Run the command again when the vacuum has ended, or release the newest version. A vacuum that crashed counts for a day.',
    ],
    'release-unreadable': [
      'The folder holds no release, or its manifest cannot be read.',
      'Name a folder that `filinglake lake release export` wrote.',
    ],
    'lake-damaged': [
      'A file of the lake was changed or lost.',
      'Restore the file from a copy. Run `filinglake lake check` to list all that is wrong.',
    ],
    'lake-newer': ['Another version of filinglake wrote the lake.', 'Use that version, or update this one.'],
    'lake-version-vacuumed': ['Vacuum removed files of this version.', 'Ask for a later version.'],
    'query-too-large': [
      'The query needs more memory than DuckDB may use, or a value of the result is too long for its format.',
      'Select fewer rows (WHERE, LIMIT) or less of each text, as in `left(content, 100000)`, or write large texts with --format parquet.',
    ],
    'lake-unreadable': ['A file of the lake cannot be read.', PERMISSIONS],
    'lake-unwritable': ['A file of the lake cannot be written.', `${PERMISSIONS} What was committed is unharmed.`],
    'lake-unreachable': ['The storage of the lake did not answer, after retries.', `Check the network. ${AGAIN}`],
    'lake-full': ['The disk of the lake is full.', `Make room on the disk. ${AGAIN}`],
    'lake-place-unfit': [
      'The place cannot hold a lake: it has no hard links, or does not keep the first of two writers.',
      'Choose a folder on a file system that has hard links (ext4, xfs, btrfs, APFS or NTFS), or a store with conditional writes.',
    ],
    'part-damaged': [
      'A part, a Parquet file of a table, is missing or damaged.',
      'Restore the file from a copy, or run `filinglake lake repair`. The next export then fetches its rows again.',
    ],
    'part-failed': ['DuckDB could not write a part.', AGAIN],
    'part-vanished': ['A part was removed before it was committed.', AGAIN],
    'row-invalid': [
      'A row, or what a batch replaces, does not fit its table.',
      'Report the message. Nothing of its batch was committed.',
    ],
    'batch-differs': [
      'The lake has this batch of the run with other rows. Temporal has an older history of the run: it was reset, or the database restored.',
      'Run `filinglake export` again. It continues from what the lake has.',
    ],
    'plan-outdated': [
      'Another writer has had the lake since the plan was made. A run takes its turn and plans again automatically.',
      'Run `filinglake export` again. It continues from what the lake has.',
    ],
  },
} as const satisfies ErrorsByExit;
