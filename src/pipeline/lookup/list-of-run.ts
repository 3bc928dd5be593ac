/** The list of a run: a copy of its file from the first read, kept in the staging folder. A later change of the file doesn't change the run. */
import { readFile } from 'node:fs/promises';
import { FilinglakeError } from '../../core/index.ts';
import { hash64, LIST_WORDS, type ListKind, type NumbersFile, readValueList } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';

/** @throws FilinglakeError `numbers-changed`, `numbers-invalid`, `file-unreadable` */
export async function listOfRun(
  lake: Lake,
  runId: string,
  kind: ListKind,
  { file, hash, column }: NumbersFile,
): Promise<readonly string[]> {
  const name = kind === 'accession_numbers' ? 'numbers.json' : `${kind}.json`;
  const kept = await lake.readStaged(runId, name);
  if (kept !== null) return JSON.parse(kept.toString('utf8')) as string[];
  const text = await textOf(file);
  if (hash !== undefined && hash !== hash64(text)) {
    throw new FilinglakeError('numbers-changed', `${file} changed after the export started`);
  }
  const { values, wrong } = listIn(text, kind, file, column);
  if (wrong) {
    const place = `${file}:${wrong.line}:${wrong.column}`;
    throw new FilinglakeError('numbers-invalid', `${place}: no ${LIST_WORDS[kind]}: ${JSON.stringify(wrong.text)}`);
  }
  await lake.putStaged(runId, name, JSON.stringify(values));
  return JSON.parse((await lake.readStaged(runId, name))!.toString('utf8')) as string[];
}

function listIn(text: string, kind: ListKind, file: string, column: string | undefined) {
  try {
    return readValueList(text, { kind, file, column });
  } catch (cause) {
    throw new FilinglakeError('numbers-invalid', `${file}: ${(cause as Error).message}`, { cause });
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new FilinglakeError('file-unreadable', `the list can't be read: ${(cause as Error).message}`, {
      remedy: 'Check the path. Workers on other machines need the file at the same path.',
      cause,
    });
  }
}
