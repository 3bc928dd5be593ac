import { FilinglakeError } from '../../../core/index.ts';

/** One of SEC's JSON or index files that can't be read: its fault, and the byte if known. */
export class EdgarFileError extends FilinglakeError {
  override name = 'EdgarFileError';
  readonly offset: number | null;

  /** @param file the kind of file: `submissions JSON` */
  constructor(file: string, reason: string, options: { offset?: number; cause?: unknown } = {}) {
    const place = options.offset === undefined ? '' : ` (at byte ${options.offset})`;
    super('edgar-file-broken', `not a ${file}: ${reason}${place}`, {
      remedy: 'Fetch the file again, and check that it is what SEC sends.',
      cause: options.cause,
    });
    this.offset = options.offset ?? null;
  }
}
