/** PDFs of forms in XML, of documents that are PDFs themselves, and of tables wider than a page. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalog, ingest } from '../../../src/service/catalog/index.ts';
import { assemblePdf } from '../../../src/service/pdf/assemble.ts';
import { bodyPage } from '../../../src/service/pdf/body-page.ts';
import { planPdf, readPdfSource } from '../../../src/service/pdf/pdf-source.ts';
import { PrintingBrowser } from '../../../src/service/pdf/printing-browser.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { type MadeFiling, submission, uuencoded } from '../../support/service/small-catalog.ts';
import { coverXml, holding, tableXml } from '../../support/service/structured-forms.ts';

const browser = new PrintingBrowser();
const probe = await browser.print('<p>here</p>', 'letter', Date.now() + 25_000).then(
  () => true,
  () => false,
);

async function letter(pages: readonly string[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (const words of pages) pdf.addPage([612, 792]).drawText(words, { x: 72, y: 600, size: 12 });
  return Buffer.from(await pdf.save());
}

const pdfBody = (name: string, bytes: Buffer) => `<PDF>\n${uuencoded(name, bytes)}\n</PDF>`;
const made = (accession: string, form: string, documents: MadeFiling['documents']): MadeFiling => ({
  accession,
  form,
  filed: '20240503',
  cik: '0000100002',
  name: 'GADGET GROUP CORP',
  documents,
});
const xml = (body: string) => `<XML>\n<?xml version="1.0"?>\n${body}\n</XML>`;
const wide = `<table><tr>${Array.from({ length: 24 }, (_all, k) => `<td nowrap>column number ${k}</td>`).join('')}</tr></table>
<table><tr>${Array.from({ length: 24 }, (_all, k) => `<td>unbreakable${k}</td>`).join('')}</tr></table>`;

describe.skipIf(!probe)('a PDF of a filing', () => {
  const root = temporaryFolder();
  let store: Catalog;
  beforeAll(async () => {
    const files = join(root, 'files');
    mkdirSync(files);
    const filings = [
      made('0000000000-24-000001', 'UPLOAD', [
        {
          type: 'LETTER',
          filename: 'filename1.pdf',
          body: pdfBody('filename1.pdf', await letter(['first leaf', 'second leaf'])),
        },
      ]),
      made('0000000000-24-000002', '40-F', [
        { type: '40-F', filename: 'a.htm', body: '<html><body><p>The cover of the report</p></body></html>' },
        { type: 'EX-99.1', filename: 'b.pdf', body: pdfBody('b.pdf', await letter(['the annual report'])) },
        { type: 'EX-99.2', filename: 'c.htm', body: '<html><body><p>The last words</p></body></html>' },
        { type: 'EX-99.2', filename: 'c.pdf', body: pdfBody('c.pdf', await letter(['a copy'])) },
      ]),
      made('0000000000-24-000003', '13F-HR', [
        {
          type: '13F-HR',
          filename: 'primary_doc.xml',
          body: xml(coverXml('03-31-2024')),
        },
        {
          type: 'INFORMATION TABLE',
          filename: 'table.xml',
          body: xml(
            tableXml([holding('WIDGET WORKS', '111111111', 70), holding('GADGET GROUP', '222222222', 1_234_567)]),
          ),
        },
      ]),
      made('0000000000-24-000004', 'UPLOAD', [
        {
          type: 'LETTER',
          filename: 'filename1.pdf',
          body: pdfBody('filename1.pdf', Buffer.from('%PDF-1.7 and nothing more')),
        },
      ]),
      made('0000000000-24-000005', '10-K', [
        { type: '10-K', filename: 'w.htm', body: `<html><body>${wide}</body></html>` },
      ]),
      made('0000000000-24-000006', '13F-HR', [
        { type: '13F-HR', filename: 'primary_doc.xml', body: xml(coverXml('03-31-2024')) },
        {
          type: 'INFORMATION TABLE',
          filename: 'table.xml',
          body: xml(tableXml(Array.from({ length: 5_001 }, (_, k) => holding(`CO ${k}`, '111111111', k + 1)))),
        },
      ]),
    ];
    for (const filing of filings) writeFileSync(join(files, `${filing.accession}.txt`), submission(filing));
    await ingest([files], join(root, 'catalog'), { threads: 0 });
    store = Catalog.open(join(root, 'catalog'));
  });
  afterAll(async () => {
    store?.close();
    await browser.close();
  });

  const sourceOf = (accession_number: string) =>
    readPdfSource(planPdf(store, { accession_number } as Parameters<typeof planPdf>[1]));

  async function pagesOf(accession_number: string) {
    const source = sourceOf(accession_number);
    const { html, entries } = bodyPage(source);
    const body = await browser.print(html, 'letter', Date.now() + 60_000);
    const { bytes, pages } = await assemblePdf(body, entries, source);
    const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
    const texts: string[] = [];
    const rights: number[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      texts.push(
        items
          .map((item) => ('str' in item ? item.str : ''))
          .join(' ')
          .replace(/\s+/g, ' '),
      );
      for (const item of items) if ('str' in item && item.str.trim()) rights.push(item.transform[4] + item.width);
    }
    expect(texts).toHaveLength(pages);
    return { texts, outline: await pdf.getOutline(), rights, pdf };
  }

  it('has the pages of a letter that is a PDF, behind its cover', async () => {
    const { texts, outline, pdf } = await pagesOf('0000000000-24-000001');
    expect(texts.slice(1)).toEqual(['first leaf', 'second leaf']);
    expect(await pdf.getPageIndex((outline![0]!.dest as [{ num: number; gen: number }])[0])).toBe(1);
  });

  it('has PDF exhibits in their place, without courtesy copies', async () => {
    const { texts, outline, pdf } = await pagesOf('0000000000-24-000002');
    expect(texts).toHaveLength(5);
    expect(texts[2]).toContain('The cover of the report');
    expect(texts[3]).toBe('the annual report');
    expect(texts[4]).toContain('The last words');
    const indexes = outline!.map(({ dest }) => pdf.getPageIndex((dest as [{ num: number; gen: number }])[0]));
    expect(await Promise.all(indexes)).toEqual([2, 3, 4]);
    expect(texts[1]).toMatch(/3 40-F.* 4 EX-99\.1.* 5 EX-99\.2/);
  });

  it('has the cover and the information table of a 13F as one form, behind no list of one line', async () => {
    const { texts } = await pagesOf('0000000000-24-000003');
    expect(texts).toHaveLength(2);
    expect(texts[1]).toMatch(/Form 13F-HR Report.*Report type 13F HOLDINGS REPORT.*Holdings Issuer Class CUSIP/);
    expect(texts[1]).toMatch(
      /WIDGET WORKS COM 111111111 700 70 Shares.*GADGET GROUP COM 222222222 12,345,670 1,234,567/,
    );
  });

  it('has 5,000 rows of a table, the largest, and says so', () => {
    const { html } = bodyPage(sourceOf('0000000000-24-000006'));
    expect(html).toContain('5,001 rows, the largest 5,000 of them here. ');
    expect(html).toContain('All rows: an export with the table f13_holdings.');
    expect(html).toContain('<td>CO 1</td>');
    expect(html).not.toContain('<td>CO 0</td>');
  });

  it('is refused if the only document is a damaged PDF', async () => {
    await expect(pagesOf('0000000000-24-000004')).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('damaged'),
    });
  });

  it('keeps a table wider than the page on the page', async () => {
    const { texts, rights } = await pagesOf('0000000000-24-000005');
    for (let k = 0; k < 24; k++)
      expect(texts.join(' ').replace(/\s+/g, ' ')).toMatch(new RegExp(`number ${k}\\b.*unbreakable${k}\\b`));
    expect(Math.max(...rights)).toBeLessThan(612);
  });
});
