/** Two real 20-Fs, which lie beside the project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../shared.ts';

const folder = join(sharedFolder ?? '', 'sections/20-f');

export const hasTwentyFs = sharedFolder !== null && existsSync(folder) && spawnSync('xz', ['--version']).status === 0;

export const readTwentyF = (name: string) =>
  execFileSync('xz', ['-dc', join(folder, `${name}.html.xz`)], { maxBuffer: 1 << 28 }).toString('utf8');

/** Read from the pages before anything searched them: the codes in order, and words with which some sections begin and end. */
export const TWENTY_FS = [
  {
    name: '0000928385-01-500187',
    codes: '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 19',
    risks: 14,
    begin: { 3: 'Item 3. Key Information', 9: 'Item 9. The Offer and Listing', 18: 'Item 18. Financial Statements' },
  },
  {
    name: '0001062993-21-003193',
    codes: '1 2 3 4 4A 5 6 7 8 9 10 11 12 13 14 15 16A 16B 16C 16D 16E 16F 17 18 19',
    risks: 43,
    begin: { '4A': 'ITEM 4A. UNRESOLVED STAFF COMMENTS', '16F': 'ITEM 16F. CHANGE IN', 19: 'ITEM 19 EXHIBITS' },
  },
];
