/**
 * Path of the real EDGAR files and labelled filings, if this checkout is beside them. Elsewhere, tests that need them are skipped,
 * and say so.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const candidate = resolve(process.env.FILINGLAKE_SHARED ?? resolve(import.meta.dirname, '../../../shared'));

/** Absolute path of the folder with `edgar/` and `sections/`, or null. */
export const sharedFolder: string | null = existsSync(resolve(candidate, 'edgar/truth.jsonl')) ? candidate : null;
