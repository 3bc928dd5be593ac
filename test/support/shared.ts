/** Where the real EDGAR files and labelled filings lie, when this checkout stands beside them; tests that need them are skipped, and say so, elsewhere. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const candidate = resolve(process.env.FILINGLAKE_SHARED ?? resolve(import.meta.dirname, '../../../shared'));

/** Absolute path of the folder with `edgar/` and `sections/`, or null. */
export const sharedFolder: string | null = existsSync(resolve(candidate, 'edgar/truth.jsonl')) ? candidate : null;
