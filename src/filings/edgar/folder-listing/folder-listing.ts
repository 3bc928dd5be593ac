/** EDGAR's listings of a folder: `index.json`, or the HTML page of the folder itself. */
import { EdgarFileError } from '../reading/edgar-file-error.ts';
import type { RecordKind } from '../reading/file-kind.ts';

const FILE = 'folder listing';

/** Names of a folder's files, in order. @throws EdgarFileError if the bytes are not a listing, or are cut short */
export function readFolderListing(bytes: Buffer): string[] {
  const text = bytes.toString('utf8').trimStart();
  return text.startsWith('{') ? namesInJson(text) : namesInPage(text);
}

function namesInJson(text: string): string[] {
  let listing: unknown;
  try {
    listing = JSON.parse(text);
  } catch (cause) {
    throw new EdgarFileError(FILE, 'its JSON is damaged', { cause });
  }
  const items = (listing as { directory?: { item?: unknown } }).directory?.item;
  if (!Array.isArray(items)) throw new EdgarFileError(FILE, 'it has no directory.item');
  return items.map((item) => String((item as { name?: unknown }).name ?? '')).filter((name) => name !== '');
}

function namesInPage(page: string): string[] {
  if (!/directory listing/i.test(page)) throw new EdgarFileError(FILE, 'it is not a listing');
  if (!/<\/table>/i.test(page)) throw new EdgarFileError(FILE, 'it is cut short');
  const names = [...page.matchAll(/<tr>\s*<td><a href="([^"]+)"/gi)].map((row) => row[1]!);
  return names.map((name) => name.slice(name.lastIndexOf('/', name.length - 2) + 1)).filter((name) => name !== '');
}

/** Listings as JSON. A listing as HTML counts as a web page: its head looks like that of any page. */
export const folderListingKind: RecordKind<'directory_json', string[]> = {
  name: 'directory_json',
  recognise: (head) => /^\{\s*"directory"/.test(head.text),
  read: readFolderListing,
};
