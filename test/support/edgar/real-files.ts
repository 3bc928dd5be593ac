/** Reads the real EDGAR files beside the checkout, compressed or not. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AccessionNumber } from '../../../src/filings/api/index.ts';
import { readSubmission, type Submission } from '../../../src/filings/edgar/index.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';
import { jsonRows, sharedFolder } from '../shared.ts';

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

/** A folder with the main documents of 150 8-Ks, in an archive that only the system's tar can open; null if it can't. */
export function currentReports(): string | null {
  const folder = temporaryFolder();
  const archive = join(sharedFolder!, 'edgar/8k/8k-documents.tar.xz');
  try {
    execFileSync('tar', ['-xJf', archive, '-C', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return null;
  }
}

/** A submission as an independent reader found it. */
export interface Truth {
  file: string;
  dialect: string;
  accession_number: AccessionNumber;
  form_type: string;
  filing_date: string;
  public_document_count: number | null;
  period: string | null;
  acceptance_datetime: string | null;
  items: string[];
  ciks: { cik: string; role: string }[];
  n_documents: number;
  /** `inner_…`: without a wrapper */
  documents: {
    sequence: string;
    type: string;
    filename: string | null;
    description: string | null;
    kind: string;
    size: number;
    sha256: string;
    wrapper?: string | undefined;
    inner_size?: number;
    inner_sha256?: string;
  }[];
}

/** All real submissions; none without the files beside the checkout. */
export function truths(): Truth[] {
  return sharedFolder === null ? [] : jsonRows<Truth>(join(sharedFolder, 'edgar/truth.jsonl'));
}

/** One for each accession number: the .txt counts if there are both dialects. */
export function truthsOfCatalog(): Truth[] {
  const kept = new Map<string, Truth>();
  for (const one of truths())
    if (one.dialect === 'txt' || !kept.has(one.accession_number)) kept.set(one.accession_number, one);
  return [...kept.values()];
}
