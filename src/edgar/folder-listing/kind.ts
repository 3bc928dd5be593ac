import type { RecordKind } from '../file-kind.ts';
import { readFolderListing } from './folder-listing.ts';

/** Listings as JSON. A listing as HTML counts as a web page: its head looks like that of any page. */
export const folderListingKind: RecordKind<'directory_json', string[]> = {
  name: 'directory_json',
  recognise: (head) => /^\{\s*"directory"/.test(head.text),
  read: readFolderListing,
};
