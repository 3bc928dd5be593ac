/** PDFs that were made before, in memory: the same content is not printed twice. The least recently requested ones go first. */

export interface MadePdf {
  bytes: Uint8Array;
  pages: number;
}

/** Larger files would leave room for few. */
export const KEPT_BYTES_MAX = 8 * 1024 * 1024;
const TOTAL_BYTES_MAX = 64 * 1024 * 1024;

export class MadePdfs {
  readonly #pdfs = new Map<string, MadePdf>();
  readonly #limits: { fileBytes: number; totalBytes: number };
  #bytes = 0;

  constructor(limits = { fileBytes: KEPT_BYTES_MAX, totalBytes: TOTAL_BYTES_MAX }) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @param name hash of all that the file is made from @returns a copy: an answer leaves the thread with its memory */
  find(name: string): MadePdf | null {
    const known = this.#pdfs.get(name);
    if (!known) return null;
    this.#pdfs.delete(name);
    this.#pdfs.set(name, known);
    return copyOf(known);
  }

  add(name: string, pdf: MadePdf): void {
    const size = pdf.bytes.byteLength;
    if (size > this.#limits.fileBytes) return;
    this.#remove(name);
    while (this.#pdfs.size > 0 && this.#bytes + size > this.#limits.totalBytes) {
      this.#remove(this.#pdfs.keys().next().value!);
    }
    this.#pdfs.set(name, copyOf(pdf));
    this.#bytes += size;
  }

  #remove(name: string): void {
    this.#bytes -= this.#pdfs.get(name)?.bytes.byteLength ?? 0;
    this.#pdfs.delete(name);
  }
}

function copyOf({ bytes, pages }: MadePdf): MadePdf {
  return { bytes: Uint8Array.from(bytes), pages };
}
