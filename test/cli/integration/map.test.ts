import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { MappedRow } from '../../../src/filings/forms/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { report as annualReport, inlineReport, type StatementLine } from '../../support/statements.ts';

const folder = temporaryFolder();

async function map(args: string[], input = '') {
  const done = await commandLine(['map', ...args], { cwd: folder, input });
  const lines = done.stdout.split('\n').filter((line) => line !== '');
  return { status: done.status, lines, error: done.stderr };
}

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const form4 = `<?xml version="1.0"?>
<ownershipDocument><documentType>4</documentType><issuer><issuerCik>0000000007</issuerCik></issuer>
<reportingOwner><reportingOwnerId><rptOwnerCik>0000000008</rptOwnerCik></reportingOwnerId></reportingOwner></ownershipDocument>`;
const table = `<informationTable><infoTable><nameOfIssuer>A</nameOfIssuer><value>12</value></infoTable></informationTable>`;
const report = `<edgarSubmission><headerData><submissionType>13F-HR</submissionType></headerData></edgarSubmission>`;

const submission = `<SEC-DOCUMENT>0000000000-24-000001.txt : 20240501
<SEC-HEADER>0000000000-24-000001.hdr.sgml : 20240501
ACCESSION NUMBER:		0000000000-24-000001
CONFORMED SUBMISSION TYPE:	4
PUBLIC DOCUMENT COUNT:		1
FILED AS OF DATE:		20240501
</SEC-HEADER>
<DOCUMENT>
<TYPE>4
<SEQUENCE>1
<FILENAME>doc4.xml
<TEXT>
<XML>
${form4}
</XML>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;

describe('filinglake map', () => {
  it('prints one JSON line a row, with file, table and row', async () => {
    const { status, lines } = await map([write('a.txt', submission), write('b.xml.gz', gzipSync(form4)), '--json']);
    expect(status).toBe(0);
    const rows = lines.map((line) => JSON.parse(line) as { file: string; table: string; row: Record<string, unknown> });
    expect(rows.map((row) => Object.keys(row))).toEqual(rows.map(() => ['file', 'table', 'row']));
    expect(rows.map(({ file, table: name, row }) => [file, name, row.accession_number])).toEqual([
      ['a.txt', 'ownership_reports', '0000000000-24-000001'],
      ['a.txt', 'ownership_owners', '0000000000-24-000001'],
      ['b.xml.gz', 'ownership_reports', null],
      ['b.xml.gz', 'ownership_owners', null],
    ]);
    expect(rows[1]!.row).toMatchObject({ owner: 0, owner_cik: '8', owner_name: null });
  });

  it('maps the requested tables and groups', async () => {
    const file = write('a.txt', submission);
    expect((await map([file, '--json', '--tables', 'ownership_owners'])).lines).toHaveLength(1);
    expect((await map([file, '--json', '--tables', 'ownership, f13'])).lines).toHaveLength(2);
    expect((await map([file, '--json', '--tables', 'f13'])).lines).toHaveLength(0);
  });

  it('refuses an unknown table, and neither or both inputs, with exit 2', async () => {
    const unknown = await map([write('a.txt', submission), '--tables', 'ownership_owner']);
    expect([unknown.status, unknown.error]).toEqual([2, expect.stringContaining("did you mean 'ownership_owners'?")]);
    expect((await map([])).status).toBe(2);
    expect((await map(['a.txt', '--stdin'], '')).status).toBe(2);
  });

  it('prints counts for people', async () => {
    const { lines } = await map([write('a.txt', submission)]);
    expect(lines[0]).toMatch(/^file\s+table\s+rows$/);
    expect(lines[1]).toMatch(/^a\.txt\s+ownership_reports\s+1$/);
  });

  it('names a damaged document, gives the rows of the others, and ends with 3', async () => {
    const { status, lines, error } = await map([write('c.xml', form4.slice(0, -9)), write('b.xml', form4), '--json']);
    expect(status).toBe(3);
    expect(error).toMatch(/c\.xml.*malformed/);
    const rows = lines.map((line) => JSON.parse(line) as { file: string; table: string; row: Record<string, unknown> });
    expect(rows.filter(({ file }) => file === 'c.xml')).toEqual([
      {
        file: 'c.xml',
        table: 'form_problems',
        row: expect.objectContaining({ reason: 'malformed', document: 'c.xml' }),
      },
    ]);
    expect(rows.filter(({ file }) => file === 'b.xml')).toHaveLength(2);
  });

  it('uses --form if the document does not name its form', async () => {
    const nameless = write('d.xml', '<edgarSubmission><primaryIssuer><cik>9</cik></primaryIssuer></edgarSubmission>');
    expect((await map([nameless, '--json', '--tables', 'formd'])).status).toBe(3);
    const { status, lines } = await map([nameless, '--json', '--form', 'D']);
    expect(status).toBe(0);
    expect(lines.join()).toContain('"formd_issuers"');
  });

  it('gives no row for text, and no error', async () => {
    expect(await map([write('e.txt', 'FORM 4\nnothing in XML'), '--json'])).toEqual({
      status: 0,
      lines: [],
      error: '',
    });
  });

  it('reads documents from standard input, consecutive ones of an accession number as one filing', async () => {
    const filing = { accession_number: '0000000000-24-000002', filing_date: '2022-05-01T00:00:00Z' };
    const input = [
      { ...filing, name: 'primary_doc.xml', content: report },
      { ...filing, name: 'table.xml', content: table },
      { file: 'loose', content: form4 },
    ];
    const { status, lines } = await map(
      ['--stdin', '--json'],
      input.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    expect(status).toBe(0);
    const rows = lines.map((line) => JSON.parse(line) as { file: string; table: string; row: Record<string, unknown> });
    expect(rows.map(({ file, table: name }) => `${file} ${name}`)).toEqual([
      '0000000000-24-000002 f13_reports',
      '0000000000-24-000002 f13_holdings',
      'loose ownership_reports',
      'loose ownership_owners',
    ]);
    expect(rows[0]!.row).toMatchObject({ holdings: 1, value_sum: '12', value_unit: 'thousands' });
    expect(rows[1]!.row).toMatchObject({ value: '12', value_usd: '12000', value_unit_evidence: 'date' });
  });

  it('maps sections and readable text if they are named, alone or beside forms', async () => {
    const body = (item: string, words: string) => `<p><b>Item ${item}</b></p><p>${words.repeat(40)}</p>`;
    const content = `<html><body><p>FORM 10-K</p>${body('1. Business', 'We sell things. ')}${body('1A. Risk Factors', 'Sales may fall. ')}${body('7. Management’s Discussion and Analysis of Financial Condition and Results of Operations', 'Sales rose. ')}</body></html>`;
    const filing = { accession_number: '0000000000-24-000003', form_type: '10-K', filing_date: '2024-03-01' };
    const input = [
      { ...filing, name: 'ex.htm', type: 'EX-99', content: '<p>An exhibit</p>' },
      { ...filing, name: 'a.htm', type: '10-K', content },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    const tables = async (list: string) => {
      const { status, lines } = await map(['--stdin', '--json', '--tables', list], input);
      expect(status).toBe(0);
      return lines.map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });
    };
    const sections = await tables('sections,section_contents');
    expect(sections.map(({ table: name, row }) => `${name} ${row.section}`)).toEqual([
      'sections 1',
      'sections 1A',
      'sections 7',
      'section_contents 1',
      'section_contents 1A',
      'section_contents 7',
    ]);
    const { start_index, end_index } = sections[1]!.row as { start_index: number; end_index: number };
    expect(content.slice(start_index, end_index)).toContain('Sales may fall.');
    expect(sections[4]!.row).toMatchObject({ title: 'Risk Factors', text: expect.stringContaining('Sales may fall.') });
    const texts = await tables('document_texts,ownership');
    expect(texts.map(({ table: name, row }) => `${name} ${row.document}`)).toEqual([
      'document_texts ex.htm',
      'document_texts a.htm',
    ]);
    expect(texts[0]!.row.text).toBe('An exhibit');
  });

  it('takes linkbases to the instance that names their schema, and says which have none', async () => {
    const instance = (schema: string) =>
      `<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:us-gaap="http://fasb.org/us-gaap/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"><link:schemaRef xlink:type="simple" xlink:href="${schema}.xsd"/><context id="d"><entity><identifier scheme="http://www.sec.gov/CIK">0000000042</identifier></entity><period><instant>2024-12-31</instant></period></context><unit id="u"><measure>iso4217:USD</measure></unit><dei:DocumentType contextRef="d">10-K</dei:DocumentType><dei:DocumentPeriodEndDate contextRef="d">2024-12-31</dei:DocumentPeriodEndDate>${LINES.map((name) => `<us-gaap:${name} contextRef="d" unitRef="u" decimals="0">7</us-gaap:${name}>`).join('')}</xbrl>`;
    const LINES = ['Assets', 'Liabilities', 'LiabilitiesAndStockholdersEquity'];
    const presentation = `<linkbase xmlns="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"><presentationLink xlink:type="extended" xlink:role="http://acme.example/role/Sheet">${['Root', ...LINES].map((name) => `<loc xlink:type="locator" xlink:label="${name}" xlink:href="x.xsd#us-gaap_${name}"/>`).join('')}${LINES.map((name) => `<presentationArc xlink:type="arc" xlink:arcrole="http://www.xbrl.org/2003/arcrole/parent-child" xlink:from="Root" xlink:to="${name}" order="1"/>`).join('')}</presentationLink></linkbase>`;
    const files = [
      write('one.xml', instance('acme-20241231')),
      write('two.xml', instance('other-20241231')),
      write('acme-20241231_pre.xml', presentation),
      write('stray-20241231_pre.xml', presentation),
    ];
    const { lines, error } = await map([...files, '--tables', 'fundamentals', '--json']);
    const assets = lines.map((line) => JSON.parse(line)).filter(({ row }) => row.item === 'total_assets');
    expect(assets.map(({ file, row }) => [file, row.value])).toEqual([
      ['one.xml', '7'],
      ['two.xml', null],
    ]);
    expect(error).toContain('stray-20241231_pre.xml is mapped alone');
  });

  it('names the line of standard input that is not a document', async () => {
    const filing = `${JSON.stringify({ content: form4 })}\n`;
    const { status, error, lines } = await map(['--stdin', '--json'], `${filing}${filing}{"name": "x"}\n`);
    expect([status, error]).toEqual([2, expect.stringContaining('line 3 of standard input has no "content"')]);
    // The filing before may not be whole; the one before it is.
    expect(lines).toHaveLength(2);
  });

  it('prints the statements of companies that file with the filer if it is asked, and says so else', async () => {
    const revenue: StatementLine = ['Revenues', 'Revenues', '100'];
    const income: StatementLine[] = [
      revenue,
      ['Income taxes', 'IncomeTaxExpenseBenefit', '8'],
      ['Net income', 'NetIncomeLoss', '32'],
    ];
    const of = income.map(
      ([label, concept, value]): StatementLine => [label, `${concept}[dei:LegalEntityAxis=x:OhioMember]`, value!],
    );
    const page = write(
      'b.htm',
      inlineReport(annualReport({ income, registrants: { 'x:OhioMember': '77' }, notes: [of] })),
    );
    const asked = await map([page, '--tables', 'fundamentals', '--json', '--co-registrants']);
    const ciks = ({ lines }: typeof asked) => new Set(lines.map((line) => (JSON.parse(line) as MappedRow).row.cik));
    expect([ciks(asked), asked.error]).toEqual([new Set(['42', '77']), '']);
    const own = await map([page, '--tables', 'fundamentals', '--json']);
    expect([ciks(own), own.error]).toEqual([
      new Set(['42']),
      'note: --co-registrants prints the statements of x:OhioMember\n',
    ]);
  });
});
