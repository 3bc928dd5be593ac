/**
 * A tally: numbers that a process counts up for a run, on disk after each change. A killed process loses none of them. A power cut
 * may lose the last seconds, since nothing is synced.
 */
import { randomBytes } from 'node:crypto';
import { runFolder } from '../storage/layout.ts';
import type { GrowingFile, LakeStorage } from '../storage/storage.ts';

/** Names of batches' folders have no plus sign. */
const folderOf = (runId: string) => `${runFolder(runId)}/+tallies`;
/** From this size on, a tally starts a new file and deletes this one, since readers read whole files. */
const FILE_BYTES_MAX = 64 * 1024;
/** A whole entry. One that a full disk cut off lacks the semicolon. */
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

  /** Blocking. @param numbers none smaller than before @throws FilinglakeError `lake-full`, `lake-unwritable` */
  put(numbers: readonly number[]): void {
    const entry = Buffer.from(`\n${numbers.join(' ')};`);
    if (this.#file !== null && this.#bytes >= FILE_BYTES_MAX) {
      this.#file.close();
      const full = this.#name();
      this.#files++;
      this.#begin().append(entry);
      // If the full file stays, its smaller numbers change nothing: readers take the largest.
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

export async function readTallies(storage: LakeStorage, runId: string): Promise<number[][]> {
  const folder = folderOf(runId);
  const tallies = new Map<string, number[]>();
  for (const name of await storage.listNames(folder)) {
    const [tally] = name.split('.');
    const bytes = await storage.read(`${folder}/${name}`);
    // The process has started the next file since the names were listed.
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
