/**
 * Path of the real EDGAR files and labelled filings, if this checkout is beside them. Elsewhere, tests that need them are skipped,
 * and say so.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

const candidate = resolve(process.env.FILINGLAKE_SHARED ?? resolve(import.meta.dirname, '../../../shared'));

/** Absolute path of the folder with `edgar/` and `sections/`, or null. */
export const sharedFolder: string | null = existsSync(resolve(candidate, 'edgar/truth.jsonl')) ? candidate : null;

/** The JSON values of a file, one on each line; it may be gzipped. */
export function jsonRows<Row = ReturnType<typeof JSON.parse>>(file: string): Row[] {
  const bytes = file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file);
  const lines = bytes.toString().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
