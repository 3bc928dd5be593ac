/** What the tests of samples share: a sample in memory, and how a reader's result is compared with the truth. */
import { createHash } from 'node:crypto';
import { type SampleFile, type SampleTruth, sampleSubmissions } from '../../../../src/cli/sample/index.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** 500 filings: two cohorts. Made once for all tests of a file. */
export function twoCohorts(seed = 11): SampleFile[] {
  return [...sampleSubmissions({ filings: 500, seed })];
}

/** What the reader gives, in the truth's shape. */
export function asRead(bytes: Buffer) {
  const s = readSubmission(bytes);
  return {
    accessionNumber: s.accessionNumber as string,
    dialect: s.dialect,
    form: s.formType,
    filingDate: s.filingDate,
    reportDate: s.reportDate,
    acceptanceDatetime: s.acceptanceDatetime,
    publicDocumentCount: s.publicDocumentCount,
    items: s.items,
    parties: s.parties.map((p) => ({ role: p.role, cik: p.cik })),
    size: s.size,
    documents: s.documents.map((d) => {
      const content = d.read();
      return {
        sequence: d.sequence,
        type: d.type,
        filename: d.filename,
        description: d.description,
        uuencoded: d.kind === 'uuencoded',
        wrapper: d.wrapper,
        size: content.length,
        sha256: sha256(content),
      };
    }),
  };
}

export function asTrue(truth: SampleTruth) {
  const { itemNumbers: _numbers, documents, ...rest } = truth;
  return {
    ...rest,
    documents: documents.map(({ sections: _sections, ...document }) => document),
  };
}
