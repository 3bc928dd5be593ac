/** The files that a definition names are read before anything runs: a wrong line is reported at once. */
import { ERRORS, systemErrorWords } from '../../core/index.ts';
import type { ExportDefinition, NumbersFile } from './definition.ts';
import { DefinitionError } from './mistakes.ts';
import { LIST_WORDS, type ListKind, type ValueList } from './value-list.ts';
import type { Position } from './yaml-values.ts';

export interface ListToRead {
  kind: ListKind;
  /** As in the definition. */
  name: string;
  list: NumbersFile;
  /** Place of the name in the definition. */
  position: Position;
  /** File of the definition. */
  definition: string;
}

/** What a file holds, and the hash of its content. */
export interface ReadList extends ValueList {
  hash: string;
}

/** Reads a file of values. @throws Error with a message for people; the system's if it can't be read */
export type ListReader = (list: NumbersFile, kind: ListKind) => Promise<ReadList>;

const UNREADABLE_REMEDY = 'Name a file that you may read, by its path from the folder of the definition.';
const COLUMN_REMEDY = 'Correct the file, or name its column: { file: …, column: … }.';

/**
 * A parsed definition after its files were read: it has their hashes, which show a later change.
 * @throws DefinitionError: a file can't be read, has no value, or a wrong one
 */
export async function withListsRead<Parsed extends { definition: ExportDefinition; lists?: readonly ListToRead[] }>(
  parsed: Parsed,
  read: ListReader,
): Promise<Parsed> {
  const select = { ...parsed.definition.select };
  for (const given of parsed.lists ?? []) {
    const list = { ...given.list, hash: await checkedHash(given, read) };
    if (given.kind === 'accession_numbers') select.accession_numbers = list;
    else select.entity_lists = { ...select.entity_lists, [given.kind]: list };
  }
  return { ...parsed, definition: { ...parsed.definition, select } };
}

async function checkedHash({ kind, name, list, position, definition }: ListToRead, read: ListReader): Promise<string> {
  const fail = (message: string, remedy?: string) => new DefinitionError(definition, position, message, null, remedy);
  let found: ReadList;
  try {
    found = await read(list, kind);
  } catch (error) {
    if ((error as { code?: string }).code !== undefined) {
      throw fail(`${name} can't be read: ${systemErrorWords(error)}`, UNREADABLE_REMEDY);
    }
    throw fail(`${name}: ${(error as Error).message}`, COLUMN_REMEDY);
  }
  if (found.wrong) {
    const message = `no ${LIST_WORDS[kind]}: ${JSON.stringify(found.wrong.text.slice(0, 60))}`;
    throw new DefinitionError(list.file, found.wrong, message, null, ERRORS['numbers-invalid'].remedy);
  }
  if (found.values.length === 0) throw fail(`${name} holds no ${LIST_WORDS[kind]}`);
  return found.hash;
}
