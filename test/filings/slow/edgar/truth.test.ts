/** Every document of every real submission against an independent reading of the same files. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSubmission, type Submission } from '../../../../src/filings/edgar/index.ts';
import { realFile, realFiles, type Truth, truths } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const given = truths();

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
      };
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
    })),
  };
}

describe.skipIf(!sharedFolder)('every real submission', () => {
  it('is in the list of truths, and no other', () => {
    const files = [...realFiles('full-submissions'), ...realFiles('feed-nc')].map((name) => name.replace(/\.gz$/, ''));
    expect(given.map((truth) => truth.file.replace(/\.gz$/, '')).sort()).toEqual(files.sort());
  });

  it.each(given.map((truth) => [truth.file, truth] as const))('%s is read exactly', (file, truth) => {
    expect(inTruthsWords(readSubmission(realFile(file)))).toEqual(expected(truth));
  });
});
