/** The error for a file of the catalog that can't be written. */
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';

export function unwritable(file: string, cause: unknown): FilinglakeError {
  return new FilinglakeError('catalog-unwritable', `${file} can't be written: ${systemErrorWords(cause)}`, {
    remedy: 'Make room on the disk, and run the command again. It fetches only what is missing.',
    cause,
  });
}
