/** The list of a run: a copy of its file from the first read, kept in the staging folder. A later change of the file doesn't change the run. */
import { FilinglakeError } from '../../../core/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { LIST_WORDS, type ListKind, type NumbersFile, type ReadList } from '../../definition/index.ts';
import { readListFile } from './list-file.ts';

/** @throws FilinglakeError `numbers-changed`, `numbers-invalid`, `file-unreadable` */
export async function listOfRun(
  lake: Lake,
  runId: string,
  kind: ListKind,
  list: NumbersFile,
): Promise<readonly string[]> {
  const kept = await keptList(lake, runId, kind);
  if (kept !== null) return kept;
  const { file } = list;
  const { values, wrong, hash } = await readChecked(list, kind);
  if (list.hash !== undefined && list.hash !== hash) {
    throw new FilinglakeError('numbers-changed', `${file} changed after the export started`);
  }
  if (wrong) {
    const place = `${file}:${wrong.line}:${wrong.column}`;
    throw new FilinglakeError('numbers-invalid', `${place}: no ${LIST_WORDS[kind]}: ${JSON.stringify(wrong.text)}`);
  }
  await lake.putStaged(runId, nameOf(kind), JSON.stringify(values));
  return (await keptList(lake, runId, kind))!;
}

/** The copy of the list; null if the run has not read its file yet. */
export async function keptList(lake: Lake, runId: string, kind: ListKind): Promise<readonly string[] | null> {
  const kept = await lake.readStaged(runId, nameOf(kind));
  return kept === null ? null : (JSON.parse(kept.toString('utf8')) as string[]);
}

const nameOf = (kind: ListKind) => (kind === 'accession_numbers' ? 'numbers.json' : `${kind}.json`);

async function readChecked(list: NumbersFile, kind: ListKind): Promise<ReadList> {
  try {
    return await readListFile(list, kind);
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw new FilinglakeError('numbers-invalid', `${list.file}: ${message}`, { cause });
    throw new FilinglakeError('file-unreadable', `the list can't be read: ${message}`, {
      remedy: 'Check the path. Workers on other machines need the file at the same path.',
      cause,
    });
  }
}
