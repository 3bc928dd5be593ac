/** Every document of every real submission against an independent reading of the same files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSubmission, type Submission } from '../../../../src/filings/edgar/index.ts';
import { realFile, realFiles } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

interface TruthDocument {
  sequence: string;
  type: string;
  filename: string | null;
  description: string | null;
  kind: string;
  size: number;
  sha256: string;
  wrapper?: string;
  inner_size?: number;
  inner_sha256?: string;
}

interface Truth {
  file: string;
  dialect: string;
  accession_number: string;
  form_type: string;
  filing_date: string;
  public_document_count: number | null;
  period: string | null;
  acceptance_datetime: string | null;
  items: string[];
  ciks: { cik: string; role: string }[];
  n_documents: number;
  documents: TruthDocument[];
}

const truths: Truth[] = sharedFolder
  ? readFileSync(join(sharedFolder, 'edgar/truth.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];

const digits = (text: string | null) => text?.replace(/\D/g, '') ?? null;

/** Our reading in the words of truth.jsonl. */
function inTruthsWords(submission: Submission): Omit<Truth, 'file'> {
  return {
    dialect: submission.dialect,
    accession_number: submission.accessionNumber,
    form_type: submission.formType,
    filing_date: digits(submission.filingDate)!,
    public_document_count: submission.publicDocumentCount,
    period: digits(submission.reportDate),
    acceptance_datetime: digits(submission.acceptanceDatetime),
    items: submission.items,
    ciks: submission.parties.map((party) => ({
      cik: party.cik!.padStart(10, '0'),
      role: party.role.toUpperCase().replaceAll('_', '-'),
    })),
    n_documents: submission.documents.length,
    documents: submission.documents.map((document) => {
      const content = document.read();
      return {
        sequence: String(document.sequence),
        type: document.type,
        filename: document.filename,
        description: document.description,
        kind: document.kind,
        wrapper: document.wrapper ?? undefined,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      } as TruthDocument;
    }),
  };
}

function expected({ file: _, ...truth }: Truth): Omit<Truth, 'file'> {
  return {
    ...truth,
    ciks: truth.ciks.map(({ cik, role }) => ({ cik, role: role.replaceAll('_', '-') })),
    documents: truth.documents.map((document) => ({
      sequence: document.sequence,
      type: document.type,
      filename: document.filename,
      description: document.description,
      kind: document.kind,
      wrapper: document.wrapper,
      size: document.inner_size ?? document.size,
      sha256: document.inner_sha256 ?? document.sha256,
    })) as TruthDocument[],
  };
}

describe.skipIf(!sharedFolder)('every real submission', () => {
  it('is in the list of truths, and no other', () => {
    const files = [...realFiles('full-submissions'), ...realFiles('feed-nc')].map((name) => name.replace(/\.gz$/, ''));
    expect(truths.map((truth) => truth.file.replace(/\.gz$/, '')).sort()).toEqual(files.sort());
  });

  it.each(truths.map((truth) => [truth.file, truth] as const))('%s is read exactly', (file, truth) => {
    expect(inTruthsWords(readSubmission(realFile(file)))).toEqual(expected(truth));
  });
});
