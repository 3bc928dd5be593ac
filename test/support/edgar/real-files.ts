/** Reads the real EDGAR files beside the checkout, compressed or not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readSubmission, type Submission } from '../../../src/filings/edgar/index.ts';
import { sharedFolder } from '../shared.ts';

/** The bytes of a file under `edgar/`, decompressed if its name ends in `.gz`. */
export function realFile(path: string): Buffer {
  const bytes = readFileSync(join(sharedFolder!, 'edgar', path));
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

export function realFiles(folder: string): string[] {
  return readdirSync(join(sharedFolder!, 'edgar', folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${folder}/${entry.name}`)
    .sort();
}

/** The complete submission with this accession number. */
export function realSubmission(accession: string, folder = 'full-submissions'): Submission {
  const path = realFiles(folder).find((name) => name.startsWith(`${folder}/${accession}.`));
  if (!path) throw new Error(`${folder} holds no ${accession}`);
  return readSubmission(realFile(path));
}
