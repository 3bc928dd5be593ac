/**
 * A file that grows: on this machine's disk, and in the bucket as it was at the last sync. Objects can't grow, so each sync uploads
 * the whole file. A killed process loses what it appended since.
 */
import type { LocalFile } from '../local/local-file.ts';
import type { GrowingFile } from '../storage.ts';

interface GrowingPlace {
  /** Uploads the first bytes of the file. @returns its ETag */
  put(bytes: number): Promise<string>;
  /** Keeps the closed file as the copy of its object: this process needn't download what it wrote. */
  keep(etag: string): Promise<void>;
}

export class GrowingObject implements GrowingFile {
  readonly #file: LocalFile;
  readonly #place: GrowingPlace;
  /** The state in the bucket. */
  #uploaded: { bytes: number; etag: string } | null = null;
  #isClosed = false;
  #isKept = false;
  /** A sync that waits for another one. It uploads everything appended before it begins. */
  #waiting: Promise<void> | null = null;
  /** Uploads follow each other: an older state must not come last. */
  #uploads: Promise<unknown> = Promise.resolve();

  constructor(file: LocalFile, place: GrowingPlace) {
    this.#file = file;
    this.#place = place;
  }

  append(bytes: Uint8Array): void {
    this.#file.append(bytes);
  }

  sync(): Promise<void> {
    this.#waiting ??= this.#next(async () => {
      this.#waiting = null;
      const { bytes } = this.#file;
      if (bytes > (this.#uploaded?.bytes ?? 0)) this.#uploaded = { bytes, etag: await this.#place.put(bytes) };
      await this.#keep();
    });
    return this.#waiting;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#file.close();
    void this.#next(() => this.#keep()).catch(() => undefined);
  }

  async #keep(): Promise<void> {
    if (!this.#isClosed || this.#isKept || this.#uploaded?.bytes !== this.#file.bytes) return;
    this.#isKept = true;
    await this.#place.keep(this.#uploaded.etag);
  }

  #next(work: () => Promise<void>): Promise<void> {
    const next = this.#uploads.then(work);
    this.#uploads = next.catch(() => undefined);
    return next;
  }
}
