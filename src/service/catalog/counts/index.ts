/**
 * Counts that outlast commits. Triggers give each part of some days a revision, a count is a sum over ranges of parts, and only ranges
 * whose revisions changed are counted again, by this reader or the next one.
 */

export type { CountKind } from '../store/count-revisions.ts';
export { KeptCounts } from './kept-counts.ts';
export { type Days, PartCounts } from './part-counts.ts';
