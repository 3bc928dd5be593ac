import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EdgarFileError, type FilingIndexEntry, readFilingIndex } from '../../../../src/filings/edgar/index.ts';
import { realFile } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const DASHES = '-'.repeat(141);
const read = (...lines: string[]) => [...readFilingIndex(Buffer.from(lines.join('\n'), 'latin1'))];
const brief = ({ formType, entityName, cik }: FilingIndexEntry) => [formType, entityName, cik];

const FORM_HEAD = [
  'Form Type   Company Name                                                  CIK         Date Filed  File Name',
  DASHES,
];
const COMPANY_HEAD = [
  'Company Name                                                  Form Type   CIK         Date Filed  File Name',
  DASHES,
];
const END = '2021-02-05  edgar/data/1/0000000001-21-000001.txt';

function row(first: string, firstWidth: number, second: string, secondWidth: number, cik = '1'): string {
  return `${first.padEnd(firstWidth)}${second.padEnd(secondWidth)}${cik.padEnd(12)}${END}`;
}

describe('an index with columns', () => {
  it('is cut by shape if a form fills its column', () => {
    const entry = (form: string) => read(...FORM_HEAD, row(form, 12, 'SAMPLE COMPANY', 62)).map(brief);
    expect(entry('SC 13D/A')).toEqual([['SC 13D/A', 'SAMPLE COMPANY', '1']]);
    expect(entry('NSAR-U-AMD1')).toEqual([['NSAR-U-AMD1', 'SAMPLE COMPANY', '1']]);
    expect(entry('SCHEDULE 13G/A ')).toEqual([['SCHEDULE 13G/A', 'SAMPLE COMPANY', '1']]);
    expect(entry('SCHEDULE 13G/A   ')).toEqual([['SCHEDULE 13G/A', 'SAMPLE COMPANY', '1']]);
  });

  it('is cut by shape if a name fills its column, is too long, or holds a gap', () => {
    const long = 'SAMPLE COMPANY WITH A NAME  AND A GAP'.padEnd(61, 'X');
    for (const name of [long, `${long}X`, `${long}XYZ  `, 'SHORT  WITH GAP']) {
      expect(read(...FORM_HEAD, row('10-K', 12, name, 62, ' 1')).map(brief)).toEqual([['10-K', name.trim(), '1']]);
    }
    for (const name of [long, `${long.slice(0, 59)}  `, 'SHORT  WITH GAP', `${long}XYZ  `]) {
      expect(read(...COMPANY_HEAD, row(name, 62, '10-K405/A', 12)).map(brief)).toEqual([
        ['10-K405/A', name.trim(), '1'],
      ]);
    }
  });

  it('may be that for crawlers, with addresses of pages', () => {
    const url = 'https://www.sec.gov/Archives/edgar/data/1/0000000001-21-000001-index.htm';
    const line = row('SAMPLE COMPANY', 62, '10-K', 12).replace(/edgar\/.*$/, url);
    expect(read(COMPANY_HEAD[0]!.replace('File Name', 'URL'), DASHES, line)).toEqual([
      {
        formType: '10-K',
        entityName: 'SAMPLE COMPANY',
        cik: '1',
        filingDate: '2021-02-05',
        path: 'edgar/data/1/0000000001-21-000001-index.htm',
        accessionNumber: '0000000001-21-000001',
      },
    ]);
  });
});

describe('a master index', () => {
  const HEAD = ['CIK|Company Name|Form Type|Date Filed|Filename', DASHES];

  it('keeps a name that holds the separator', () => {
    const rows = read(...HEAD, '1|ONE|TWO INC|8-K|20240131|edgar/data/1/0000000001-24-000001.txt');
    expect(rows.map(brief)).toEqual([['8-K', 'ONE|TWO INC', '1']]);
  });

  it('knows an accession number by the folder, and that some paths have none', () => {
    const accession = (path: string) => read(...HEAD, `1|ONE|8-K|20240131|${path}`)[0]!.accessionNumber;
    expect(accession('edgar/data/1/000000000124000001/form.txt')).toBe('0000000001-24-000001');
    expect(accession('edgar/data/1/form.txt')).toBeNull();
  });
});

describe('a file that is not an index', () => {
  const failure = (...lines: string[]): unknown => {
    try {
      return read(...lines);
    } catch (error) {
      return error;
    }
  };

  it('is refused without dashes, and without names of columns', () => {
    expect(failure('nothing')).toBeInstanceOf(EdgarFileError);
    expect(failure('A page', DASHES)).toMatchObject({ code: 'edgar-file-broken', offset: 7 });
  });

  it('gives the entries before a broken line, then its position', () => {
    const good = row('10-K', 12, 'SAMPLE COMPANY', 62);
    const entries = readFilingIndex(Buffer.from([...FORM_HEAD, good, good.slice(0, 90)].join('\n')));
    expect(entries.next().value?.formType).toBe('10-K');
    const offset = [...FORM_HEAD, good, ''].join('\n').length;
    expect(() => entries.next()).toThrow(expect.objectContaining({ offset }));
  });

  it('fails in no other way, whatever its lines are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(' ', '1', 'A', '|', '-', '/', 'edgar/') })), (lines) => {
        const result = failure(...FORM_HEAD, ...lines);
        expect(Array.isArray(result) || result instanceof EdgarFileError).toBe(true);
      }),
    );
  });
});

describe.skipIf(!sharedFolder)('real indexes', () => {
  const real = (path: string) => [...readFilingIndex(realFile(`indexes/${path}`))];

  it('48: daily dates are given like quarterly ones, blanks at the ends of lines are nothing', () => {
    const daily = real('form.20200318.idx.gz');
    expect(daily).toHaveLength(4084);
    expect(daily.every((entry) => /^\d{4}-\d\d-\d\d$/.test(entry.filingDate))).toBe(true);
    expect(daily.every((entry) => entry.path === entry.path.trim())).toBe(true);
    expect(daily[0]).toEqual({
      formType: '1-A',
      entityName: 'DLP Positive Note Fund LLC',
      cik: '1806014',
      filingDate: '2020-03-18',
      path: 'edgar/data/1806014/0001140361-20-006155.txt',
      accessionNumber: '0001140361-20-006155',
    });
    expect(real('oddities/form-misaligned.idx')[0]!.filingDate).toBe('2021-02-05');
  });

  it('49: a head that is broken into two lines hides no entry', () => {
    const entries = real('company.20221003.idx.gz');
    expect(entries).toHaveLength(4925);
    expect(entries.every((entry) => entry.accessionNumber !== null && !/\s{2}|\s$/.test(entry.formType))).toBe(true);
    expect(entries.map((entry) => entry.entityName).some((name) => / {2}/.test(name))).toBe(true);
  });

  it('50: shifted columns are read by their shape; an index of nothing has no entry', () => {
    const entries = real('oddities/form-misaligned.idx');
    expect(entries.map((entry) => entry.formType)).toEqual([
      ...Array(5).fill('1-A'),
      '1-A POS',
      ...Array(4).fill('X-17A-5'),
    ]);
    expect(entries.map((entry) => entry.cik)).toContain('820694');
    expect(entries.every((entry) => !/\s{2}/.test(entry.entityName))).toBe(true);
    expect(real('oddities/form-empty.idx')).toEqual([]);
  });

  it('reads master indexes, daily and quarterly', () => {
    expect(real('oddities/master.20181231-excerpt.idx').map(brief)[0]).toEqual(['4', 'HENRY SCHEIN INC', '1000228']);
    expect(real('oddities/master-quarter-excerpt.idx').map((entry) => entry.accessionNumber)).toContain(
      '0000011860-94-000005',
    );
  });
});
