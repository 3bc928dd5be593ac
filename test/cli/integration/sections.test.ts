import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const folder = temporaryFolder();

async function run(...args: string[]): Promise<{ status: number; lines: string[]; error: string }> {
  const done = await commandLine(['sections', ...args], { cwd: folder });
  return { status: done.status, lines: done.stdout.split('\n').filter((line) => line !== ''), error: done.stderr };
}

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const annual =
  '<html><body><p>FORM 10-K</p><p>Item 1. Business</p><p>We sell \u201cthings\u201d.</p><p>Item 2. Properties</p><p>None.</p></body></html>';
const current =
  '<html><body><p>FORM 8-K</p><p>Item 8.01 Other Events</p><p>One.</p><p>Item 9.01 Financial Statements and Exhibits</p><p>99.1 Press release</p></body></html>';
const submission = `<SEC-DOCUMENT>0000000000-24-000001.txt : 20240501
<SEC-HEADER>0000000000-24-000001.hdr.sgml : 20240501
ACCESSION NUMBER:		0000000000-24-000001
CONFORMED SUBMISSION TYPE:	8-K
PUBLIC DOCUMENT COUNT:		2
ITEM INFORMATION:		Other Events
FILED AS OF DATE:		20240501
</SEC-HEADER>
<DOCUMENT>
<TYPE>8-K
<SEQUENCE>1
<FILENAME>a.htm
<TEXT>
${current}
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-99.1
<SEQUENCE>2
<FILENAME>b.htm
<TEXT>
<p>News</p>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;

describe('filinglake sections', () => {
  it('prints one JSON line a file, with these members and no others', async () => {
    const plain = write('a.htm', annual);
    const packed = write('b.htm.gz', gzipSync(annual));
    const { status, lines } = await run(plain, packed, '--json');
    expect(status).toBe(0);
    expect(lines).toHaveLength(2);
    for (const [k, line] of lines.entries()) {
      const row = JSON.parse(line) as {
        seconds: number;
        sections: { section: string; start_index: number; end_index: number }[];
      };
      expect(row).toEqual({
        file: [plain, packed][k],
        form_type: '10-K',
        bytes: Buffer.byteLength(annual),
        seconds: expect.any(Number),
        sections: [
          {
            section: '1',
            title: 'Business',
            kind: 'text',
            by_reference: null,
            substance_start: null,
            substance_end: null,
            start_index: expect.any(Number),
            end_index: expect.any(Number),
          },
          {
            section: '2',
            title: 'Properties',
            kind: 'not_applicable',
            by_reference: null,
            substance_start: null,
            substance_end: null,
            start_index: expect.any(Number),
            end_index: expect.any(Number),
          },
        ],
      });
      const [first] = row.sections;
      expect(annual.slice(first!.start_index, first!.end_index)).toContain('We sell');
    }
  });

  it('gives the items of an 8-K, from a document and from a submission', async () => {
    const { lines } = await run(write('c.htm', current), write('d.txt', submission), '--json');
    const [bare, whole] = lines.map(
      (line) =>
        JSON.parse(line) as { form_type: string; items: { item: string; start_index: number; exhibits: unknown[] }[] },
    );
    expect(bare).toMatchObject({ form_type: '8-K' });
    expect(bare!.items.map((item) => item.item)).toEqual(['8.01', '9.01']);
    for (const { item, start_index } of bare!.items) expect(current.slice(start_index)).toMatch(`Item ${item}`);
    const forPeople = (await run(write('c.htm', current))).lines;
    expect(forPeople[1]).toMatch(/^ {2}8\.01 +body +\d+ {2}Other Events$/);
    expect(whole!.items[1]!.exhibits).toEqual([
      { exhibit: '99.1', description: 'Press release', document_id: '0000000000-24-000001-2' },
    ]);
  });

  it('prints one item of an 8-K, and names the items if it is not there', async () => {
    const file = write('item.htm', current);
    const one = await run(file, '--section', '8.01');
    expect(one).toEqual({ status: 0, lines: ['Item 8.01 Other Events', 'One.'], error: '' });
    expect((await run(file, '--section', 'Item 8.01', '--html')).lines.join('')).toMatch(
      /^<p>Item 8\.01 Other Events<\/p>/,
    );
    const missing = await run(file, '--section', '5.02');
    expect(missing.status).toBe(1);
    expect(missing.error).toContain('item.htm has no item 5.02');
    expect(missing.error).toContain('It has 8.01, 9.01.');
    const unplaced = write('unplaced.txt', submission.replace(current, '<p>FORM 8-K</p><p>See the release.</p>'));
    expect((await run(unplaced, '--section', '8.01')).error).toContain(
      'only the header of unplaced.txt names item 8.01',
    );
  });

  it('reads a 20-F by its own items, never as a 10-K', async () => {
    const items = ['3. Key Information', '4. Information on the Company', '16A. Audit Committee Financial Expert'];
    const body = items.map((item) => `<p>Item ${item}</p><p>${'We make widgets in many places. '.repeat(9)}</p>`);
    const file = write('foreign.htm', `<html><body><p>F O R M &nbsp;2 0 - F</p>${body.join('')}</body></html>`);
    const { sections } = JSON.parse((await run(file, '--json')).lines[0]!);
    expect(sections.map((one: { section: string; title: string }) => `${one.section}. ${one.title}`)).toEqual(items);
  });

  it('refuses a document of another form, and one that does not state its form, unless it is named', async () => {
    const cover = (title: string) => annual.replace('<p>FORM 10-K</p>', title);
    for (const [title, form] of [
      ['<p>Form 6-K</p><p>will file annual reports under cover of Form 20-F or Form 40-F</p>', '6-K'],
      ['<p>SCHEDULE 14A</p><p>and our annual report on Form 10-K</p>', 'SCHEDULE 14A'],
      ['<p>Amendment No. 1</p><p>to</p><p>Form S-1</p>', 'S-1'],
      ['<p>Filed Pursuant to Rule 424(b)(5)</p><p>our Annual Report on Form 10-K</p>', '424B5'],
      ['<p>FORM 12b-25</p><p>(Check one): Form 10-K Form 10-Q</p>', '12B-25'],
      ['<p>FORM 10</p><p>GENERAL FORM FOR REGISTRATION OF SECURITIES</p>', '10'],
    ] as const) {
      const { status, error } = await run(write('other.htm', cover(title)), '--json');
      expect([status, error]).toEqual([2, expect.stringContaining(`is of form ${form}, which has neither`)]);
    }
    for (const title of [
      '<p>Middle of a report</p>',
      '<p>as stated in our annual report on Form 10-K</p>',
      '<p>Re: Big Corp. Form 10-K for 2023</p>',
    ]) {
      const file = write('unstated.htm', cover(title));
      const { status, error } = await run(file);
      expect(status).toBe(2);
      expect(error).toContain('unstated.htm does not state its form on its first page');
      expect(error).toContain('--form 10-K');
      expect((await run(file, '--form', '10-K')).lines).toHaveLength(3);
      expect(JSON.parse((await run(file, '--headings', '--json')).lines[0]!)).toMatchObject({ form_type: null });
    }
  });

  it('finds the form on covers that state it in other ways', async () => {
    for (const [title, form] of [
      ['<p>F O R M &nbsp;1 0 - K</p>', '10-K'],
      ['<p>Annual report pursuant to section 13</p><p>2001 annual report on Form 10-K</p>', '10-K'],
      ['<p>Amendment No. 2</p><p>to Form 10-K/A</p>', '10-K/A'],
      ['\n<TYPE>10-K405\n<p>x</p>', '10-K405'],
    ] as const) {
      const { lines } = await run(write('stated.htm', annual.replace('<p>FORM 10-K</p>', title)));
      expect(lines[0]).toBe(`stated.htm  ${form}`);
    }
  });

  it('prints an outline for people, and the reasons with --explain', async () => {
    const { lines } = await run(write('e.htm', annual), '--explain');
    expect(lines[0]).toBe('e.htm  10-K');
    expect(lines[1]).toMatch(/^ {2}1 +Business +\d+ +We sell/);
    expect(lines.find((line) => line.includes('+') && line.includes('stands alone +2'))).toBeDefined();
  });

  it('marks a title that is cut', async () => {
    const risk = 'Quantitative and Qualitative Disclosures About Market Risk';
    const { lines } = await run(write('m.htm', annual.replace('Item 2. Properties', `Item 7A. ${risk}`)));
    const title = lines[2]!.slice(9, 51);
    expect(lines[2]).toMatch(/^ {2}7A /);
    expect(title).toMatch(/^\S.{40}…$/);
  });

  it('prints one section as text or HTML, and what a section refers to', async () => {
    const file = write('h.htm', annual.replace('None.', 'See pages 3-4 of the Annual Report to Shareholders.'));
    expect((await run(file, '--section', '1')).lines).toEqual(['Item 1. Business', 'We sell \u201cthings\u201d.']);
    expect((await run(file, '--section', '1', '--html')).lines.join('')).toMatch(/^<p>Item 1\. Business<\/p>/);
    expect((await run(file)).lines[2]).toContain('[in Exhibit 13, pages 3-4] ');
    const missing = await run(file, '--section', '7');
    expect(missing.status).toBe(1);
    expect(missing.error).toContain('has no section 7');
    expect(missing.error).toContain('It has 1, 2.');
    expect((await run(file, '--text')).status).toBe(2);
  });

  it('prints the substance of an item that points to Exhibit 13 of its submission, and says where it is from', async () => {
    const title = "Management's Discussion and Analysis of Financial Condition and Results of Operations";
    const pointing = `<p>FORM 10-K</p><p>Item 1. Business</p><p>We sell.</p><p>Item 7. ${title}</p><p>Incorporated by reference to the Annual Report to Shareholders.</p>`;
    const exhibit = `<p><b>${title}</b></p><p>${'Sales rose, for prices were higher. '.repeat(80)}</p><p><b>Consolidated Balance Sheets</b></p>`;
    const file = write(
      'pointing.txt',
      submission
        .replace('TYPE:\t8-K', 'TYPE:\t10-K')
        .replace('<TYPE>8-K', '<TYPE>10-K')
        .replace('<TYPE>EX-99.1', '<TYPE>EX-13')
        .replace(current, pointing)
        .replace('<p>News</p>', exhibit),
    );
    const { lines, error } = await run(file, '--section', '7');
    expect(lines.join('\n')).toMatch(/^Management's Discussion[^\n]*\nSales rose/);
    expect(error).toBe(
      'Section 7 points elsewhere. Its text is from the annual report to shareholders (Exhibit 13).\n',
    );
    const alone = await run(write('alone.htm', pointing), '--section', '7');
    expect(alone.lines[1]).toMatch(/^Incorporated by reference/);
    expect(alone.error).toContain('(pointer_exhibit), and its text is not in this file');
  });

  it('reports the fault of a file, and continues with the others', async () => {
    const alone = await run('missing.htm');
    expect(alone.status).toBe(2);
    expect(alone.error).toContain('missing.htm');
    const both = await run('missing.htm', write('f.htm', annual), '--json');
    expect(both.status).toBe(3);
    expect(both.lines).toHaveLength(1);
    expect((await run(write('g.htm', annual), '--form', '4')).status).toBe(2);
  });

  it('prints headings and risks with --headings, placed in the file and in the main document', async () => {
    const words =
      '<p>We make widgets, and our results may suffer if customers or their banks fail to pay us what they owe us in time.</p>';
    const html = `<html><body><p>Item 1. Business</p>${words}<p>Item 1A. Risk Factors</p><p><b>Widgets may break.</b></p>${words}<p>Item 2. Properties</p><p>None.</p></body></html>`;
    const whole = submission.replace(current, html).replaceAll('8-K', '10-K');
    const { lines } = await run(write('d.txt', whole), '--json', '--headings');
    const row = JSON.parse(lines[0]!) as Record<'headings' | 'risk_factors', Record<string, unknown>[]>;
    expect(row.headings.map(({ section, level, parent, heading }) => [section, level, parent, heading])).toEqual([
      ['1', 1, null, 'Item 1. Business'],
      ['1A', 1, null, 'Item 1A. Risk Factors'],
      ['1A', 2, 1, 'Widgets may break.'],
      ['2', 1, null, 'Item 2. Properties'],
    ]);
    const [risk] = row.risk_factors as [Record<'start' | 'end' | 'start_index' | 'end_index', number>];
    expect(Object.keys(risk)).toEqual(['section', 'heading', 'start', 'end', 'start_index', 'end_index']);
    expect(whole.slice(risk.start, risk.end)).toMatch(/^Widgets may break\.[\s\S]*in time\.<\/p><p>$/);
    expect(html.slice(risk.start_index, risk.end_index)).toBe(whole.slice(risk.start, risk.end));
    const { error, status } = await run('d.txt', '--explain', '--headings');
    expect([status, error]).toEqual([2, expect.stringContaining('--explain')]);
  });

  it('prints the headings of documents that have no sections', async () => {
    const words =
      '<p>We make widgets, and our results may suffer if customers or their banks fail to pay us what they owe us in time.</p>';
    const html = `<html><body><h1>Proxy Statement</h1>${words}<h2>Election of Directors</h2>${words}</body></html>`;
    const expected = [
      [null, 1, null, 'Proxy Statement'],
      [null, 2, 0, 'Election of Directors'],
    ];
    const { lines } = await run(write('proxy.htm', html), '--form', 'DEF 14A', '--json', '--headings');
    const rows = (line: string) =>
      (JSON.parse(line) as { headings: Record<string, unknown>[] }).headings.map(
        ({ section, level, parent, heading }) => [section, level, parent, heading],
      );
    expect(rows(lines[0]!)).toEqual(expected);
    const current = submission.replace(/<html>[\s\S]*<\/html>/, html);
    const report = await run(write('current.txt', current), '--json', '--headings');
    expect(rows(report.lines[0]!)).toEqual(expected);
    expect((await run('proxy.htm', '--form', 'DEF 14A')).error).toContain('neither sections nor 8-K items');
  });
});
