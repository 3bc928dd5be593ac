/** What the tests of samples share: a sample in memory, and how a reader's result is compared with the truth. */
import { createHash } from 'node:crypto';
import { isoDay } from '../../../../src/cli/sample/companies/calendar.ts';
import { type SampleFile, sampleSubmissions } from '../../../../src/cli/sample/index.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** 500 filings: two cohorts. Made once for all tests of a file. */
export function twoCohorts(seed = 11): SampleFile[] {
  return [...sampleSubmissions({ filings: 500, seed })];
}

/** What the reader gives, in one shape. */
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

/** The same from what the file was made of. */
export function asTrue({ submission, dialect, bytes }: SampleFile) {
  const { plan, period, accepted, items } = submission;
  const at = accepted.replace(/(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6');
  return {
    accessionNumber: plan.accessionNumber,
    dialect,
    form: plan.form,
    filingDate: isoDay(plan.filed),
    reportDate: period === null ? null : isoDay(period),
    acceptanceDatetime: dialect === 'nc' ? null : at,
    publicDocumentCount: submission.publicDocumentCount,
    // Words in a `.txt`, codes in a `.nc`.
    items: items.map((item) => (dialect === 'txt' ? item.words : item.number)),
    parties: submission.parties.map(({ role, entity }) => ({ role, cik: entity.cik })),
    size: bytes.length,
    documents: submission.documents.map(({ bytes: content, sections: _, ...document }) => ({
      ...document,
      size: content.length,
      sha256: sha256(content),
    })),
  };
}
