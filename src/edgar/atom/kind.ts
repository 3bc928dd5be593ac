import type { RecordKind } from '../file-kind.ts';
import { type CurrentFeedEntry, readCurrentFeed } from './current-feed.ts';

export const currentFeedKind: RecordKind<'atom', CurrentFeedEntry[]> = {
  name: 'atom',
  recognise: (head) => head.isMarkup() && head.root === 'feed',
  read: readCurrentFeed,
};
