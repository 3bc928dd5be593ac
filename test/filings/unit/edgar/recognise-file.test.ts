import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEAD_BYTES, recogniseFile as kindOf } from '../../../../src/filings/edgar/index.ts';
import { currentReports, realFile, realFiles } from '../../../support/edgar/real-files.ts';
import { madeUpNc, madeUpTxt } from '../../../support/edgar/synthetic-submissions.ts';
import { sharedFolder } from '../../../support/shared.ts';

const recogniseFile = (name: string, head: Buffer) => kindOf(name, head)?.name ?? 'unknown';
const kind = (text: string, name = 'file') => recogniseFile(name, Buffer.from(text, 'latin1'));

describe('a file', () => {
  it('is a submission by its first tag, whatever it is called', () => {
    expect(recogniseFile('a.html', madeUpTxt())).toBe('submission');
    expect(recogniseFile('a.json', madeUpNc())).toBe('submission');
    expect(kind('\xef\xbb\xbf\r\n<IMS-DOCUMENT>0000000001-94-000001.txt')).toBe('submission');
    expect(kind('-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type')).toBe('submission');
  });

  it('is a submission if it is a bare header, but not as the header file of a whole submission', () => {
    const header = '<SEC-HEADER>0000000001-96-000001.hdr.sgml : 19960213\n';
    expect(kind(header, '0000000001-96-000001.txt')).toBe('submission');
    expect(kind(header.replace('SEC', 'IMS'))).toBe('submission');
    expect(kind(header, '0000000001-96-000001.hdr.sgml')).toBe('unknown');
  });

  it('is a page when it is what EDGAR or a proxy sends in place of a file', () => {
    const page = (title: string) => kind(`<!DOCTYPE html>\n<html><head><title>${title}</title>`, 'a.txt');
    for (const title of ['SEC.gov | File Unavailable', '502 Bad Gateway', '403 Forbidden', 'Error', 'Access Denied']) {
      expect(page(title)).toBe('page');
    }
    for (const title of ['FORM 8-K', '', '424 prospectus', 'sample-20240131']) expect(page(title)).toBe('document');
    expect(kind('<HTML><HEAD><TITLE>SEC EDGAR Submission 1</TITLE>\n<!--\n<SEC-HEADER>')).toBe('headers_page');
  });

  it('is decided by the content if names are shared', () => {
    expect(kind('{"cik":1,"entityName":"ONE","facts":{}}', 'CIK0000000001.json')).toBe('unknown');
    const funds = '{"fields":["cik","seriesId","classId","symbol"],"data":[]}';
    expect(kind(funds, 'company_tickers_mf.json')).toBe('fund_tickers_json');
    expect(kind(funds, 'a.json')).toBe('fund_tickers_json');
    expect(kind('{"fields":["cik","name","ticker","exchange"],"data":[]}', 'a.json')).toBe('tickers_json');
    expect(kind('{"unheard":1}', 'CIK0000000001.json')).toBe('submissions_json');
    expect(kind('{"unheard":1}', 'a.json')).toBe('unknown');
  });

  it('is an index by its head or the names of its columns', () => {
    expect(kind('Description:           Daily Index of EDGAR Dissemination Feed')).toBe('filing_index');
    expect(kind('CIK|Company Name|Form Type|Date Filed|Filename\n---')).toBe('filing_index');
  });

  it('is XML or a document by its root element, behind comments and declarations', () => {
    expect(kind('<?xml version="1.0"?>\n<!-- > -->\n<a/>')).toBe('xml');
    expect(kind('<?xml version="1.0"?><!--x--><!DOCTYPE html><html xmlns="x">')).toBe('document');
    expect(kind('<xs:schema/>', 'a.xsd')).toBe('xml');
    expect(kind('<p>part of a page</p>', 'a.htm')).toBe('document');
    expect(kind('<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">')).toBe('atom');
    expect(kind('<DOCUMENT>\n<TYPE>8-K\n')).toBe('document');
  });

  it('is unknown when it is nothing of these', () => {
    for (const text of ['', 'plain text', '[]', '\x1f\x8b\x08', '<DOCUMENT>', '<', '<!--'])
      expect(kind(text)).toBe('unknown');
  });

  it('is recognised without failing, whatever it holds', () => {
    const piece = fc.constantFrom('<', '>', '<!--', '-->', '<?', '?>', ' ', '\n', '{', '"cik"', 'html', '<title>', 'x');
    fc.assert(
      fc.property(fc.string(), fc.array(piece, { maxLength: 2000 }), (name, pieces) => {
        expect(kind(pieces.join(''), name)).toMatch(/^[a-z_]+$/);
      }),
    );
  });
});

describe.skipIf(!sharedFolder)('real files', () => {
  const kinds = (folder: string) =>
    Object.fromEntries(
      realFiles(folder).map((path) => [
        basename(path).replace(/\.gz$/, ''),
        recogniseFile(basename(path).replace(/\.gz$/, ''), realFile(path).subarray(0, HEAD_BYTES)),
      ]),
    );
  const only = (folder: string) => new Set(Object.values(kinds(folder)));

  it('are submissions in both dialects', () => {
    expect(only('full-submissions')).toEqual(new Set(['submission']));
    expect(only('feed-nc')).toEqual(new Set(['submission']));
  });

  it('53: are pages if EDGAR refused, failed, or lists a filing; never submissions', () => {
    expect(only('http-pages')).toEqual(new Set(['page']));
    expect(only('http-pages/filing-index')).toEqual(new Set(['page', 'headers_page']));
  });

  it('54: are Atom pages, though they declare ISO-8859-1', () => {
    expect(only('atom')).toEqual(new Set(['atom']));
  });

  it('55: are documents, with or without the tags of a submission in front', () => {
    const folder = currentReports()!;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.htm'));
    const found = files.map((name) => recogniseFile(basename(name), readFileSync(join(folder, name))));
    expect(found).toEqual(Array(150).fill('document'));
  });

  it('are indexes, JSON files and XML', () => {
    expect(only('indexes')).toEqual(new Set(['filing_index']));
    expect(only('indexes/oddities')).toEqual(new Set(['filing_index']));
    const json = kinds('json');
    for (const [name, found] of Object.entries(json)) {
      const expected = name.startsWith('CIK')
        ? 'submissions_json'
        : name.startsWith('company')
          ? 'tickers_json'
          : 'directory_json';
      expect([name, found]).toEqual([name, expected]);
    }
    for (const folder of ['13f', 'form-d', 'form-c', 'n-port', 'ownership', 'schedule-13dg', 'other']) {
      expect(only(`xml/${folder}`)).toEqual(new Set(['xml']));
    }
    expect(kinds('xml/xbrl')['BuckleInc.8-K.html']).toBe('document');
  });
});
