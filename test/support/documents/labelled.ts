/** The labelled filings that lie beside the project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Labelled } from '../../../bench/section-score/score.ts';
import { decodeText } from '../../../src/filings/documents/index.ts';
import { jsonRows, sharedFolder } from '../shared.ts';

const folder = join(sharedFolder ?? '', 'sections');

export const labels: readonly Labelled[] = sharedFolder
  ? jsonRows<Labelled>(join(folder, 'labelled/labels.jsonl'))
  : [];

/** Text of a filing document, `labelled/NAME` or `unlabelled/NAME`. */
export function filingText(path: string): string {
  return decodeText(gunzipSync(readFileSync(join(folder, path)))).text;
}
