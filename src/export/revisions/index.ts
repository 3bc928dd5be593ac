/** Hashes and revisions of records: whether two of them say the same. No I/O, no clock, nothing of Node. */

export { canonicalJson, hash64 } from './hash.ts';
export {
  filledRevision,
  isSameContent,
  isSpelledAlike,
  mergedRecord,
  recordHashOf,
  revisionOf,
  revisionWithoutDocuments,
} from './revision.ts';
