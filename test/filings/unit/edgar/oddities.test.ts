/** Oddities of real submissions, one by one. The numbers are those of the list beside the files. */
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  primaryFiler,
  readSubmission,
  type Submission,
  type SubmissionDocument,
} from '../../../../src/filings/edgar/index.ts';
import { realFile, realFiles, realSubmission } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const all: Submission[] = sharedFolder
  ? [...realFiles('full-submissions'), ...realFiles('feed-nc')].map((path) => readSubmission(realFile(path)))
  : [];

function fields(submission: Submission, name: string): string[] {
  return submission.otherFields.filter((field) => field.name === name).map((field) => field.value);
}

function document(submission: Submission, filename: string): SubmissionDocument {
  const found = submission.documents.find((candidate) => candidate.filename === filename);
  if (!found) throw new Error(`${submission.accessionNumber} has no ${filename}`);
  return found;
}

function startsLike(content: Buffer, hex: string): boolean {
  return content.toString('hex', 0, hex.length / 2) === hex;
}

const JPEG_END = 'ffd9';

describe.skipIf(!sharedFolder)('the envelope and the header of real submissions', () => {
  it('has no warning for any of them, since all that is odd in them is known', () => {
    expect(all.flatMap((submission) => submission.warnings)).toEqual([]);
  });

  it('1: a PEM envelope is not part of header or documents, but counts in the size', () => {
    for (const accession of ['0000320193-96-000027', '0001193125-11-009392']) {
      const submission = realSubmission(accession);
      expect(submission.accessionNumber).toBe(accession);
      expect(submission.otherFields.some((field) => /Originator|MIC-Info|Proc-Type/.test(field.name))).toBe(false);
      expect(submission.documents.at(-1)!.read().includes('PRIVACY-ENHANCED')).toBe(false);
    }
    expect(realSubmission('0000320193-96-000027').size).toBe(16281);
    expect(realSubmission('0000950117-01-501228').accessionNumber).toBe('0000950117-01-501228');
  });

  it('2: <IMS-DOCUMENT> is read like <SEC-DOCUMENT>', () => {
    const ims = ['0000320193-94-000016', '0000891618-94-000021', '0000950117-94-000182'];
    for (const accession of [...ims, '0000899243-95-000310', '0000037996-94-000005', '0000950131-94-000440']) {
      expect(realSubmission(accession)).toMatchObject({ dialect: 'txt', accessionNumber: accession });
    }
  });

  it('3: a header without <ACCEPTANCE-DATETIME> has no time of acceptance', () => {
    const without = all.filter((submission) => submission.dialect === 'txt' && submission.acceptanceDatetime === null);
    expect(without).toHaveLength(61);
    expect(without.every((submission) => submission.filingDate < '2002-04-01')).toBe(true);
  });

  it('4: the accession number is the header’s, not that of the path in the first line', () => {
    expect(realSubmission('0000914260-00-000037').accessionNumber).toBe('0000914260-00-000037');
  });

  it('5: half-tagged headers of 2000 give the same blocks as ever', () => {
    const [party, ...others] = realSubmission('0000914260-00-000037').parties;
    expect(others).toEqual([]);
    expect(party).toMatchObject({ role: 'filer', fiscal_year_end: '0131' });
    expect(Object.keys(party!.addresses)).toEqual(['business', 'mailing']);
    expect(realSubmission('0000912057-00-043726').parties[0]!.former_names).toMatchObject([
      { date_of_change: '1995-12-29' },
      { date_of_change: '1995-10-10' },
    ]);
  });

  it('6: a SIC broken over the line end hides no IRS number', () => {
    expect(realSubmission('0000084581-00-500009').parties[0]).toMatchObject({
      sic: '3281',
      sic_description: null,
      irs_number: '030153200',
    });
  });

  it('7: <REPORTING-OWNER> as a tag inside a .txt header is a party', () => {
    const { parties } = realSubmission('0001094891-00-000193');
    expect(parties.map((party) => [party.role, party.cik, party.relationship])).toEqual([
      ['subject_company', '911787', null],
      ['reporting_owner', '1050609', 'DIRECTOR'],
    ]);
    expect(parties[1]!.addresses.business).toMatchObject({ city: 'NEW YORK', zip: '10022' });
  });

  it('8: SIC comes with description, as a number alone, empty, or not at all', () => {
    const sic = (accession: string, at = 0, folder = 'full-submissions') => {
      const party = realSubmission(accession, folder).parties[at]!;
      return [party.sic, party.sic_description];
    };
    expect(sic('0000320193-24-000005')).toEqual(['3571', 'ELECTRONIC COMPUTERS']);
    expect(sic('0000320193-98-000003')).toEqual(['3571', null]);
    expect(sic('0000891618-94-000021')).toEqual(['3571', null]);
    expect(sic('0001094891-00-000193', 1)).toEqual([null, null]);
    expect(sic('0001193125-10-145855', 0, 'feed-nc')).toEqual(['6189', null]);
    expect(sic('0000320193-22-000061')).toEqual([null, null]);
  });

  it('9: the act is kept in the header’s words, and null if it is empty', () => {
    expect(realSubmission('0000891020-98-001352').parties[0]!.sec_act).toBeNull();
    expect(realSubmission('0000320193-22-000061').parties[0]!.sec_act).toBe('1934 Act');
    expect(realSubmission('0000002488-24-000005', 'feed-nc').parties[0]!.sec_act).toBe('34');
  });

  it('10: EIN is the IRS number under its new name; nine zeros are none; leading zeros stay', () => {
    expect(realSubmission('0001108205-25-000026').parties[0]!.irs_number).toBe('043505116');
    expect(realSubmission('0001045810-26-000024').parties[0]!.irs_number).toBe('943177549');
    expect(realSubmission('0001140361-21-010426').parties[0]!.irs_number).toBeNull();
  });

  it('11: ORGANIZATION NAME is not a name', () => {
    const filing = realSubmission('0000019617-26-000241');
    expect(filing.parties[0]!.name).not.toBe('06 Technology');
    expect(fields(realSubmission('0000000000-24-005673'), 'ORGANIZATION NAME')).toEqual(['06 Technology']);
    expect(fields(realSubmission('0000842517-24-000086'), 'ORGANIZATION NAME')).toContain('');
  });

  it('12: several filers stay several, and the same CIK twice stays twice', () => {
    expect(realSubmission('0001213900-25-026186').parties.map((party) => party.cik)).toEqual(['70858', '1682472']);
    expect(realSubmission('0001481057-23-010389').parties.map((party) => party.cik)).toEqual(['1682472', '70858']);
    for (const folder of ['full-submissions', 'feed-nc']) {
      const { parties } = realSubmission('0001193125-24-100942', folder);
      expect(parties.map((party) => [party.cik, party.file_number])).toEqual([
        ['1100663', '811-09729'],
        ['1100663', '333-92935'],
      ]);
    }
  });

  it('13: roles mix, in the order of the header', () => {
    const roles = (accession: string, folder?: string) =>
      realSubmission(accession, folder).parties.map((party) => party.role);
    expect(roles('0000320193-22-000061')).toEqual(['reporting_owner', 'issuer']);
    expect(roles('0001815572-25-000002')).toEqual(['subject_company', 'filed_by']);
    expect(roles('0000000000-24-005673')).toEqual(['filed_for']);
    expect(roles('0001193125-10-145855', 'feed-nc')).toEqual(['filer', 'serial_company']);
    expect(roles('0000929638-25-000114', 'feed-nc')).toEqual(['filer', 'depositor', 'securitizer', 'issuing_entity']);
    expect(fields(realSubmission('0001628297-25-000023'), 'DEPOSITOR-CIK')).toEqual(['0001258361']);
    expect(fields(realSubmission('0001779026-23-000027'), 'SPONSOR-CIK')).toEqual(['0001601902']);
  });

  it('14: former names repeat, in file order, a person’s under another heading', () => {
    const dates = (accession: string, at = 0) =>
      realSubmission(accession).parties[at]!.former_names.map((former) => former.date_of_change);
    expect(dates('0000019617-24-000664')).toEqual(['2010-09-02', '2010-08-23', '2009-02-19']);
    const renamed = realSubmission('0001675365-19-000012').parties[0]!;
    expect(renamed.former_names.map((former) => former.name)).toEqual([
      'BOFAML SECURITIES, INC.',
      'BOFA SECURITIES, INC.',
      'BOFAML SECURITIES, INC.',
    ]);
    expect(renamed.former_names[1]!.name).toBe(renamed.name);
    expect(dates('0001045810-23-000128')).toEqual(['2004-03-16']);
  });

  it('15: empty lines of ITEM INFORMATION are kept; .nc gives codes', () => {
    expect(realSubmission('0000912057-00-002128').items).toEqual(['', '']);
    expect(realSubmission('0001104659-04-019574').items).toEqual(['', 'Financial statements and exhibits']);
    expect(realSubmission('0001398344-24-000491', 'feed-nc').items).toEqual(['06b', '3C', '3C.1']);
  });

  it('16: no period of report is null', () => {
    const without = all.filter((submission) => submission.dialect === 'txt' && submission.reportDate === null);
    expect(without.length).toBeGreaterThan(40);
    expect(realSubmission('0001108205-25-000026').reportDate).toBeNull();
  });

  it('17: a PUBLIC DOCUMENT COUNT above the documents present is kept and believed by nobody', () => {
    const counts = (accession: string, folder?: string) => {
      const { publicDocumentCount, documents } = realSubmission(accession, folder);
      return [publicDocumentCount, documents.length];
    };
    expect(counts('0000320193-24-000005')).toEqual([17, 15]);
    expect(counts('0000066740-24-000023')).toEqual([16, 14]);
    expect(counts('0001493152-25-001317', 'feed-nc')).toEqual([14, 13]);
  });

  it('18: the filing date is FILED AS OF DATE, not the day of publication nor of acceptance', () => {
    expect(realSubmission('0000000000-24-003505').filingDate).toBe('2024-04-02');
    expect(realSubmission('0000930413-08-001093')).toMatchObject({
      acceptanceDatetime: '2008-02-19T17:59:09',
      filingDate: '2008-02-20',
    });
    expect(realSubmission('0001104659-23-069410')).toMatchObject({
      acceptanceDatetime: '2023-06-09T08:01:52',
      filingDate: '2023-06-08',
    });
  });

  it('19, 20a: flags without value are kept and open no party', () => {
    expect(fields(realSubmission('0000000000-24-005673'), 'PRIVATE-TO-PUBLIC')).toEqual(['']);
    for (const accession of ['0000019617-24-000012', '0000950150-00-000118']) {
      const submission = realSubmission(accession);
      expect(fields(submission, 'CONFIRMING COPY')).toEqual(['']);
      expect(submission.parties.map((party) => party.role)).not.toContain('confirming_copy');
    }
  });

  it('20: a second accession number in the header is not the submission’s, and no party’s', () => {
    const upload = realSubmission('0000000000-24-005673');
    expect(upload.accessionNumber).toBe('0000000000-24-005673');
    expect(upload.otherFields).toContainEqual({
      name: 'PUBLIC REFERENCE ACCESSION NUMBER',
      value: '0000320193-23-000106',
      party: null,
    });
    const withdrawal = realSubmission('0000019617-24-000664');
    expect(withdrawal.accessionNumber).toBe('0000019617-24-000664');
    expect(fields(withdrawal, 'WITHDRAWN ACCESSION NUMBER')).toEqual(['0000019617-24-000662']);
  });

  it('21: a letter of the SEC has an accession number of its own kind', () => {
    const letter = realSubmission('0000000000-24-005673');
    expect(letter.documents.map((each) => [each.type, each.filename])).toEqual([
      ['LETTER', 'filename1.pdf'],
      ['TEXT-EXTRACT', 'filename2.txt'],
    ]);
    expect(primaryFiler(letter.parties)).toMatchObject({ role: 'filed_for', cik: '320193' });
  });

  it('22: unknown keys are kept', () => {
    expect(fields(realSubmission('0000320193-94-000016'), 'SROS')).toEqual(['NASD']);
    expect(all.filter((submission) => fields(submission, 'EFFECTIVENESS DATE').length > 0)).toHaveLength(43);
    const feed = realSubmission('0000929638-25-000114', 'feed-nc');
    expect(fields(feed, 'ABS-RULE')).toEqual(['RULE-15GA2']);
    expect(fields(feed, 'REGISTERED-ENTITY')).toEqual(['Y']);
    expect(fields(feed, 'ABS-ASSET-CLASS')).toEqual(['Auto loans']);
  });

  it('23: series and classes, with blank lines between the tags and tickers missing', () => {
    const [series, ...others] = realSubmission('0001193125-25-148895').series;
    expect(series).toMatchObject({ status: 'existing', owner_cik: '45291', series_id: 'S000000617' });
    expect(series!.classes[0]).toEqual({ class_id: 'C000001745', name: 'Class A', ticker: 'PZFVX' });
    expect(others.every((other) => /^S\d{9}$/.test(other.series_id))).toBe(true);
    expect(realSubmission('0001410368-26-010918').series).toHaveLength(22);
    for (const folder of ['full-submissions', 'feed-nc']) {
      expect(realSubmission('0001193125-24-100942', folder).series).toEqual([
        {
          status: 'new',
          owner_cik: '1100663',
          series_id: 'S000085693',
          name: 'iShares U.S. Manufacturing ETF',
          classes: [{ class_id: 'C000251033', name: 'iShares U.S. Manufacturing ETF', ticker: null }],
        },
      ]);
    }
  });

  it('24, 25: state codes, ZIP codes and fiscal year ends are unchanged texts', () => {
    const states = (accession: string) =>
      realSubmission(accession).parties.flatMap((party) => [
        party.state_of_incorporation,
        ...Object.values(party.addresses).map((address) => address.state),
      ]);
    expect(states('0000930413-08-001093')).toContain('X0');
    expect(states('0001178913-20-000417')).toContain('L3');
    expect(states('0001140361-21-010426')).toContain('E9');
    expect(states('0001619124-21-000002')).toContain('P7');
    expect(states('0000950103-25-008153')).toContain('V8');
    const zips = all
      .flatMap(({ parties }) => parties.flatMap((party) => Object.values(party.addresses)))
      .map((a) => a.zip);
    expect(zips).toContain('49016-3599');
    expect(zips).toContain('98027-');
    expect(realSubmission('0000914260-00-000037').parties[0]!.fiscal_year_end).toBe('0131');
  });

  it('26: slashes in names stay', () => {
    expect(realSubmission('0001094891-00-000193').parties[0]!.name).toBe('PRODUCTIVITY TECHNOLOGIES CORP /');
  });
});

describe.skipIf(!sharedFolder)('the documents of real submissions', () => {
  it('27: a missing file name or description is null', () => {
    const nameless = all.map(({ documents }) => documents.filter((each) => each.filename === null).length);
    expect(nameless.filter((count) => count > 0)).toHaveLength(44);
    expect(nameless.reduce((sum, count) => sum + count)).toBe(150);
    expect(realSubmission('0000914760-99-000124').documents.some((each) => each.description === null)).toBe(true);
  });

  it('28: sequence numbers keep their gaps', () => {
    const sequences = (accession: string) => realSubmission(accession).documents.map((each) => each.sequence);
    expect(sequences('0000891092-03-001810')).toEqual([1, 3]);
    expect(sequences('0001815572-25-000002')).toEqual([1, 3, 5]);
    expect(sequences('0000066740-24-000023')).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 15, 16, 17]);
  });

  it('29: documents that EDGAR adds are kept under the type that EDGAR gives them', () => {
    const added = realSubmission('0001193125-19-292676').documents.filter(
      (d) => d.description === 'IDEA: XBRL DOCUMENT',
    );
    expect(new Set(added.map((each) => each.type))).toEqual(new Set(['XML', 'EXCEL', 'ZIP', 'JSON']));
    expect(added.map((each) => each.filename)).toContain('Show.js');
  });

  it('30: the seven documents that both dialects have are equal byte for byte', () => {
    const digests = (folder: string) =>
      new Map(
        realSubmission('0001193125-24-100942', folder).documents.map((each) => [
          each.filename,
          createHash('sha256').update(each.read()).digest('hex'),
        ]),
      );
    const txt = digests('full-submissions');
    const nc = digests('feed-nc');
    expect([txt.size, nc.size]).toEqual([8, 7]);
    for (const [filename, digest] of nc) expect(txt.get(filename)).toBe(digest);
  });

  it('31: the type is all of the line', () => {
    const types = new Set(all.flatMap(({ documents }) => documents.map((each) => each.type)));
    const odd = ['EX-FILING FEES', 'INTERNAL CONTROL RPT', 'ATS-N EX-1 SCHD A BD', 'EX-99.1 CHARTER', 'EX-10.(A)'];
    for (const type of [...odd, 'EX-99.(Q3)', 'INFORMATION TABLE', '10KSB', 'SCHEDULE 13G'])
      expect(types).toContain(type);
  });

  it('32: wrapper lines are taken off, whatever is inside', () => {
    const wrapped = all.flatMap(({ documents }) => documents.filter((each) => each.wrapper !== null));
    const counts = Object.groupBy(wrapped, (each) => each.wrapper!);
    expect([counts.XML!.length, counts.XBRL!.length, counts.PDF!.length]).toEqual([110, 115, 6]);
    for (const each of wrapped) expect(each.read().toString('latin1', 0, 7)).not.toMatch(/^<(XML|XBRL|PDF)>/);
    const pdf = document(realSubmission('0000000000-24-005673'), 'filename1.pdf');
    expect(pdf).toMatchObject({ wrapper: 'PDF', kind: 'uuencoded' });
  });

  it('33a: <FLAWED> is kept, and so is its document', () => {
    for (const accession of ['0000320193-97-000014', '0000320193-98-000006', '0000320193-99-000002']) {
      const flawed = realSubmission(accession).documents.filter((each) => each.otherFields.length > 0);
      expect(flawed.map((each) => [each.type, each.otherFields])).toEqual([['EX-27', [{ name: 'FLAWED', value: '' }]]]);
    }
  });

  it('33b: the tags of a financial data schedule are text', () => {
    const schedule = realSubmission('0000320193-98-000003').documents.find((each) => each.type === 'EX-27')!;
    expect(schedule.otherFields).toEqual([]);
    expect(schedule.read().toString('latin1')).toMatch(/^<ARTICLE>/m);
  });

  it('44, 45: long lines, cut lines and tags of old tables stay unchanged', () => {
    const cut = realSubmission('0001010412-10-000078').documents[0]!.read().toString('latin1').split('\n');
    expect(cut.filter((line) => line.length === 1023).length).toBeGreaterThan(200);
    const longest = realSubmission('0000018230-22-000107').documents.flatMap((each) =>
      each.kind === 'text' ? each.read().toString('latin1').split('\n') : [],
    );
    expect(Math.max(...longest.map((line) => line.length))).toBe(969505);
    expect(realSubmission('0000320193-94-000016').documents[0]!.read().includes('<PAGE>')).toBe(true);
  });
});

describe.skipIf(!sharedFolder)('the uuencoded documents of real submissions', () => {
  it('34: stripped blanks count as blanks: JPEGs end with their mark, some with zeros behind it', () => {
    const images = all.flatMap(({ documents }) => documents.filter((each) => /\.jpg$/.test(each.filename ?? '')));
    const jpegs = images.map((each) => each.read()).filter((content) => startsLike(content, 'ffd8ff'));
    expect(jpegs).toHaveLength(150);
    // image_6a.jpg of 0001108205-25-000026 has two bytes 01 behind its mark before the zeros begin.
    expect(jpegs.filter((content) => !withoutZeros(content).endsWith(JPEG_END))).toHaveLength(1);
  });

  it('35: a backtick is a zero, in the middle of a line too', () => {
    const image = document(realSubmission('0001193125-10-145855', 'feed-nc'), 'g50878g60t48.jpg').read();
    expect(image.toString('hex').endsWith(JPEG_END)).toBe(true);
  });

  it('37: a doubled dot at the start of the last line loses one, a single one stays', () => {
    for (const accession of ['0000072333-23-000015', '0001193125-19-292676', '0001193125-24-218951']) {
      expect(namesInZip(document(realSubmission(accession), 'Financial_Report.xlsx').read())).toContain(
        '[Content_Types].xml',
      );
    }
    const jpeg = document(realSubmission('0001493152-23-041369'), 'ex5-2_002.jpg').read();
    expect(jpeg.toString('hex').endsWith(JPEG_END)).toBe(true);
    const pdf = document(realSubmission('0001675365-19-000012'), 'BofASFormBDScheduleB.pdf').read();
    expect(pdf.toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true);
    const single = document(realSubmission('0001193125-25-066253'), 'g763599dsp.jpg').read();
    expect(single.toString('hex').endsWith(JPEG_END)).toBe(true);
  });

  it('39: the document keeps its <FILENAME>, whatever follows begin', () => {
    expect(document(realSubmission('0000000000-24-005673'), 'filename1.pdf').read().toString('latin1', 0, 5)).toBe(
      '%PDF-',
    );
  });

  it('40: a lying extension changes nothing in the bytes', () => {
    const images = realSubmission('0001108205-25-000026').documents.filter((each) => each.type === 'GRAPHIC');
    expect(images.filter((each) => startsLike(each.read(), '89504e47'))).toHaveLength(6);
  });

  it('41: bare CR ends lines as well, within uuencoded data too', () => {
    for (const accession of ['0000929638-25-000114', '0001127602-25-004598', '0001493152-25-001317']) {
      expect(realSubmission(accession, 'feed-nc').parties[0]!.cik).toMatch(/^\d+$/);
    }
    const image = realSubmission('0001493152-25-001317', 'feed-nc').documents.find(
      (each) => each.kind === 'uuencoded',
    )!;
    expect(image.read().length).toBeGreaterThan(1000);
  });

  it('43: no line end at the end of the file is needed', () => {
    expect(realFile('full-submissions/0000943374-24-000509.txt').at(-1)).not.toBe(0x0a);
    expect(realSubmission('0000943374-24-000509').documents.length).toBeGreaterThan(0);
  });
});

/** The last bytes before the zeros that may end the content, in hexadecimal. */
function withoutZeros(content: Buffer): string {
  let end = content.length;
  while (content[end - 1] === 0) end--;
  return content.toString('hex', Math.max(0, end - 2), end);
}

/** Names in a ZIP, read along its central directory, each entry inflated: fails if a byte is wrong. */
function namesInZip(zip: Buffer): string[] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const names: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < zip.readUInt16LE(end + 10); i++) {
    const [size, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const local = zip.readUInt32LE(at + 42);
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    if (zip.readUInt16LE(at + 10) === 8) inflateRawSync(zip.subarray(data, data + size));
    names.push(zip.toString('latin1', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names;
}
