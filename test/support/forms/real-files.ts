/** The real files that have expected rows (`shared/forms`), and how to read any of them as a filing. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeText } from '../../../src/filings/documents/index.ts';
import { readSubmission, recogniseFile, submissionKind } from '../../../src/filings/edgar/index.ts';
import type { Filing } from '../../../src/filings/forms/index.ts';
import { sharedFolder } from '../shared.ts';

/** The folder with truth and scorer, or null. */
export const formsFolder: string | null =
  sharedFolder !== null && existsSync(join(sharedFolder, 'forms/truth.jsonl.gz')) ? join(sharedFolder, 'forms') : null;

/** Paths relative to the shared folder. */
export function formFiles(): string[] {
  const lines = readFileSync(join(formsFolder!, 'files.tsv'), 'utf8').split('\n').slice(1);
  return lines.map((line) => line.split('\t')[0]!).filter((file) => file !== '');
}

export function bytesOf(file: string): Buffer {
  const path = join(sharedFolder!, file);
  if (file.endsWith('.gz')) return gunzipSync(readFileSync(path));
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
}

export function filingOf(file: string, bytes = bytesOf(file)): Filing {
  if (recogniseFile(basename(file), bytes.subarray(0, 4096)) !== submissionKind) {
    const documents = [{ name: basename(file), type: null, text: () => decodeText(bytes).text }];
    return { accessionNumber: null, filingDate: null, formType: null, documents };
  }
  const { accessionNumber, filingDate, formType, documents } = readSubmission(bytes);
  return {
    accessionNumber,
    filingDate,
    formType,
    documents: documents.map((document) => ({
      name: document.filename,
      type: document.type,
      text: () => (document.kind === 'text' ? decodeText(document.read()).text : ''),
    })),
  };
}
