import type { RecordKind } from '../file-kind.ts';
import { readFolderListing } from './folder-listing.ts';

/** Listings as JSON. One as a page is recognised as a page: nothing in its head tells it from others. */
export const folderListingKind: RecordKind<'directory_json', string[]> = {
  name: 'directory_json',
  recognise: (head) => /^\{\s*"directory"/.test(head.text),
  read: readFolderListing,
};
