/**
 * Oddities of real submissions, one by one, by their numbers in the list beside the files. What test/filings/slow/edgar/truth.test.ts compares
 * for every submission is not here: dates, items, CIKs and roles, and each document to the byte.
 */
import { describe, expect, it } from 'vitest';
import { readSubmission, type Submission } from '../../../../src/filings/edgar/index.ts';
import { realFile, realFiles, realSubmission } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const all: Submission[] = sharedFolder
  ? [...realFiles('full-submissions'), ...realFiles('feed-nc')].map((path) => readSubmission(realFile(path)))
  : [];

function fields(submission: Submission, name: string): string[] {
  return submission.otherFields.filter((field) => field.name === name).map((field) => field.value);
}

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

  it('12: the same CIK twice stays twice', () => {
    for (const folder of ['full-submissions', 'feed-nc']) {
      const { parties } = realSubmission('0001193125-24-100942', folder);
      expect(parties.map((party) => [party.cik, party.file_number])).toEqual([
        ['1100663', '811-09729'],
        ['1100663', '333-92935'],
      ]);
    }
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

  it('22: unknown keys are kept', () => {
    expect(fields(realSubmission('0001628297-25-000023'), 'DEPOSITOR-CIK')).toEqual(['0001258361']);
    expect(fields(realSubmission('0001779026-23-000027'), 'SPONSOR-CIK')).toEqual(['0001601902']);
    expect(fields(realSubmission('0000320193-94-000016'), 'SROS')).toEqual(['NASD']);
    expect(all.filter((submission) => fields(submission, 'EFFECTIVENESS DATE').length > 0)).toHaveLength(43);
    const feed = realSubmission('0000929638-25-000114', 'feed-nc');
    expect(fields(feed, 'ABS-RULE')).toEqual(['RULE-15GA2']);
    expect(fields(feed, 'REGISTERED-ENTITY')).toEqual(['Y']);
    expect(fields(feed, 'ABS-ASSET-CLASS')).toEqual(['Auto loans']);
  });

  it('23: series and classes, with blank lines between the tags and tickers missing', () => {
    const [series, ...others] = realSubmission('0001193125-25-148895').series;
    expect(series).toMatchObject({ status: 'existing', ownerCik: '45291', seriesId: 'S000000617' });
    expect(series!.classes[0]).toEqual({ classId: 'C000001745', name: 'Class A', ticker: 'PZFVX' });
    expect(others.every((other) => /^S\d{9}$/.test(other.seriesId))).toBe(true);
    expect(realSubmission('0001410368-26-010918').series).toHaveLength(22);
    for (const folder of ['full-submissions', 'feed-nc']) {
      expect(realSubmission('0001193125-24-100942', folder).series).toEqual([
        {
          status: 'new',
          ownerCik: '1100663',
          seriesId: 'S000085693',
          name: 'iShares U.S. Manufacturing ETF',
          classes: [{ classId: 'C000251033', name: 'iShares U.S. Manufacturing ETF', ticker: null }],
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
  it('33a: <FLAWED> is kept, and so is its document', () => {
    for (const accession of ['0000320193-97-000014', '0000320193-98-000006', '0000320193-99-000002']) {
      const flawed = realSubmission(accession).documents.filter((each) => each.otherFields.length > 0);
      expect(flawed.map((each) => [each.type, each.otherFields])).toEqual([['EX-27', [{ name: 'FLAWED', value: '' }]]]);
    }
  });
});
