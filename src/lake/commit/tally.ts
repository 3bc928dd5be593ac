/**
 * A tally: numbers that a process counts up for a run, on disk after each change. A kill of the process costs none of them; a power cut
 * may cost the last seconds, since nothing is synced.
 */
import { randomBytes } from 'node:crypto';
import { runFolder } from '../storage/layout.ts';
import type { GrowingFile, LakeStorage } from '../storage/storage.ts';

/** No batch has a folder of such a name. */
const folderOf = (runId: string) => `${runFolder(runId)}/+tallies`;
/** Then the next file of the tally begins, and this one goes: each reader reads all of it. */
const FILE_BYTES_MAX = 64 * 1024;
/** A whole entry. What a full disk cut off ends without the semicolon. */
const ENTRY = /^\d+(?: \d+)*;$/;

export class Tally {
  readonly #storage: LakeStorage;
  readonly #path: string;
  #file: GrowingFile | null = null;
  #files = 0;
  #bytes = 0;

  constructor(storage: LakeStorage, runId: string) {
    this.#storage = storage;
    this.#path = `${folderOf(runId)}/${randomBytes(8).toString('hex')}`;
  }

  /** Blocking. @param numbers as they stand now, none less than before @throws FilinglakeError `lake-full`, `lake-unwritable` */
  put(numbers: readonly number[]): void {
    const entry = Buffer.from(`\n${numbers.join(' ')};`);
    if (this.#file !== null && this.#bytes >= FILE_BYTES_MAX) {
      this.#file.close();
      const full = this.#name();
      this.#files++;
      this.#begin().append(entry);
      // One that stays has smaller numbers, and is skipped.
      this.#storage.remove(full).catch(() => {});
    } else (this.#file ?? this.#begin()).append(entry);
    this.#bytes += entry.length;
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#files++;
  }

  #name(): string {
    return `${this.#path}.${this.#files}`;
  }

  #begin(): GrowingFile {
    this.#bytes = 0;
    this.#file = this.#storage.openGrowing(this.#name());
    return this.#file;
  }
}

/** The numbers of each tally of a run, as they stand. */
export async function readTallies(storage: LakeStorage, runId: string): Promise<number[][]> {
  const folder = folderOf(runId);
  const tallies = new Map<string, number[]>();
  for (const name of await storage.listNames(folder)) {
    const [tally] = name.split('.');
    const bytes = await storage.read(`${folder}/${name}`);
    // Its process has begun the next file, which was not there yet when the names were listed.
    if (bytes === null) return readTallies(storage, runId);
    const entry = bytes
      .toString('latin1')
      .split('\n')
      .findLast((line) => ENTRY.test(line));
    if (entry === undefined) continue;
    const numbers = entry.slice(0, -1).split(' ').map(Number);
    const before = tallies.get(tally!) ?? [];
    tallies.set(
      tally!,
      numbers.map((n, i) => Math.max(n, before[i] ?? 0)),
    );
  }
  return [...tallies.values()];
}
