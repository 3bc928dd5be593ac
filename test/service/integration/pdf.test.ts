import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pdf, pdfSchema } from '../../../src/filings/api/index.ts';
import { PrintingBrowser } from '../../../src/service/pdf/printing-browser.ts';
import { serve } from '../../support/local-server.ts';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL, CURRENT, OWNERSHIP, TYPED } from '../../support/service/small-catalog.ts';

/** Whether this machine has a browser that starts; if not, only pdf-without-browser.test.ts can run. */
const browser = new PrintingBrowser();
const probe = await browser.print('<p>here</p>', 'letter', Date.now() + 25_000).then(
  () => true,
  () => false,
);
await browser.close();

interface ReadPdf {
  pdf: PDFDocumentProxy;
  texts: string[];
}

async function read(bytes: Uint8Array): Promise<ReadPdf> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    texts.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replace(/\s+/g, ' '),
    );
  }
  return { pdf, texts };
}

describe.skipIf(!probe)('a PDF', () => {
  let service: TestService;
  let annual: ReadPdf;
  let answer: Pdf;
  beforeAll(async () => {
    service = await TestService.start({ limits: { pdfLanes: 2 } });
    const { json } = await service.get('pdf', `accession_number=${ANNUAL}`);
    answer = pdfSchema.parse(json);
    annual = await read(Buffer.from(answer.content, 'base64'));
  });
  afterAll(() => service.stop());

  it('comes as the contract has it', () => {
    expect(answer).toMatchObject({
      accession_number: ANNUAL,
      document_id: null,
      filename: `${ANNUAL}.pdf`,
      pages: annual.pdf.numPages,
    });
    expect(Buffer.from(answer.content, 'base64')).toHaveLength(answer.size);
  });

  it('is not printed again for the same content, in either form; another paper is', async () => {
    // The browser writes the second of printing into a file.
    const second = () => Math.floor(Date.now() / 1_000);
    const first = second();
    await expect.poll(second).toBeGreaterThan(first);
    const accept = { headers: { accept: 'application/pdf' } };
    const { bytes } = await service.get('pdf', `accession_number=${ANNUAL}`, accept);
    expect(bytes.equals(Buffer.from(answer.content, 'base64'))).toBe(true);
    const again = await service.get('pdf', `accession_number=${ANNUAL}`);
    expect(again.json).toEqual(answer);
    const a4 = await service.get('pdf', `accession_number=${ANNUAL}&page_size=a4`, accept);
    expect(a4.bytes.equals(bytes)).toBe(false);
  });

  it('is printed once, however many ask for the same content at once, in several lanes', async () => {
    const printed = async () =>
      Number(/^filinglake_pdfs_printed_total (\d+)$/m.exec((await service.ask('/metrics')).bytes.toString())![1]);
    const before = await printed();
    const query = `accession_number=${TYPED}&page_size=a4`;
    const answers = await Promise.all(
      // The same content by other parameters is another job.
      [query, `${query}&exhibits=true`, query, query].map((each) => service.get('pdf', each)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ json }) => (json as Pdf).sha256)).size).toBe(1);
    expect((await printed()) - before).toBe(1);
  });

  it('has a cover, contents, and running lines', () => {
    expect(annual.texts[0]).toMatch(/WIDGET WORKS INC.*Form 10-K.*2024-03-01.*2023-12-31/);
    expect(annual.texts[1]).toMatch(/Contents.*10-K.*ANNUAL REPORT.*Item 1 .*Business.*Item 8.*EX-21.*SUBSIDIARIES/);
    const pages = annual.pdf.numPages;
    for (const [index, text] of annual.texts.entries()) {
      if (index > 0)
        expect(text).toMatch(new RegExp(`WIDGET WORKS INC.*Form 10-K.*${ANNUAL}.*Page ${index + 1} of ${pages}`));
    }
  });

  it('has every section on the page that contents and outline say', async () => {
    const outline = (await annual.pdf.getOutline())!;
    expect(outline.map((node) => node.title)).toEqual(['10-K  ANNUAL REPORT', 'EX-21  SUBSIDIARIES']);
    const sections = outline[0]!.items;
    expect(sections.map((node) => node.title.split('  ')[0])).toEqual([
      'Item 1',
      'Item 1A',
      'Item 2',
      'Item 7',
      'Item 8',
    ]);
    const links = await (await annual.pdf.getPage(2)).getAnnotations();
    expect(links).toHaveLength(7);
    for (const [index, node] of sections.entries()) {
      const destination = node.dest as [{ num: number; gen: number }];
      const pageIndex = await annual.pdf.getPageIndex(destination[0]);
      expect(annual.texts[pageIndex]).toContain(node.title.split('  ')[0]!);
      expect((links[index + 1] as { dest: [{ num: number }] }).dest[0].num).toBe(destination[0].num);
      expect(annual.texts[1]).toMatch(new RegExp(`${node.title.split('  ')[0]} .*${pageIndex + 1}`));
    }
  });

  it("keeps the filing's own links and pictures", async () => {
    const first = await annual.pdf.getPage(3);
    const annotations = await first.getAnnotations();
    expect(annotations.some((annotation) => annotation.subtype === 'Link' && annotation.dest)).toBe(true);
    const { fnArray } = await first.getOperatorList();
    const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    expect(
      fnArray.some((operator) =>
        [
          OPS.paintImageXObject,
          OPS.paintInlineImageXObject,
          OPS.paintImageMaskXObject,
          OPS.paintSolidColorImageMask,
        ].includes(operator),
      ),
    ).toBe(true);
  });

  it('has its own title and subject', async () => {
    const { info } = await annual.pdf.getMetadata();
    expect(info).toMatchObject({
      Title: 'WIDGET WORKS INC: form 10-K, 2024-03-01',
      Author: 'WIDGET WORKS INC',
      Creator: 'filinglake',
    });
    expect(await annual.pdf.getPageMode()).toBe('UseOutlines');
  });

  it('is given as bytes to an Accept that asks for them, under a tag of their own, and 304 after', async () => {
    const bytes = await service.get('pdf', `accession_number=${CURRENT}`, { headers: { accept: 'application/pdf' } });
    expect(bytes.headers['content-type']).toBe('application/pdf');
    expect(bytes.headers['content-disposition']).toBe(`attachment; filename="${CURRENT}.pdf"`);
    expect(bytes.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const tag = String(bytes.headers.etag);
    const again = await service.get('pdf', `accession_number=${CURRENT}`, {
      headers: { accept: 'application/pdf', 'if-none-match': tag },
    });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, tag]);
    const json = await service.get('pdf', `accession_number=${CURRENT}`, { headers: { 'if-none-match': tag } });
    expect([json.status, json.headers.etag === tag]).toEqual([200, false]);
    expect((await read(bytes.bytes)).texts[0]).toMatch(/Item 2\.02.*Results of Operations/);
  });

  it.each<[string, string, RegExp, RegExp]>([
    ['of typewritten pages', `accession_number=${TYPED}`, /ANNUAL REPORT FOR 1996/, /Widgets 1,234 1,100/],
    ['of a form that is XML alone', `accession_number=${OWNERSHIP}&exhibits=false`, /0000100002/, /20/],
    ['of a picture', `document_id=${ANNUAL}-3`, /^ ?WIDGET WORKS INC/, /Page 2 of 2/],
    ['of one document', `document_id=${ANNUAL}-2&page_size=a4`, /None & none/, /Page 2 of 2/],
  ])('%s', async (_name, query, first, last) => {
    const { bytes } = await service.get('pdf', query, { headers: { accept: 'application/pdf' } });
    const { texts } = await read(bytes);
    // No contents: all stands on two pages.
    expect(texts[1]).toMatch(first);
    expect(texts.at(-1)).toMatch(last);
    expect(texts.join(' ')).not.toContain('<S>');
  });

  it('without exhibits has the main document alone, on paper of the requested size', async () => {
    const { bytes } = await service.get('pdf', `accession_number=${ANNUAL}&exhibits=false&page_size=a4`, {
      headers: { accept: 'application/pdf' },
    });
    const { pdf, texts } = await read(bytes);
    expect(texts[1]).not.toContain('EX-21');
    const widths = new Set<number>();
    for (let number = 1; number <= pdf.numPages; number++)
      widths.add((await pdf.getPage(number)).getViewport({ scale: 1 }).width);
    expect(widths.size).toBe(1);
    expect(Math.abs([...widths][0]! - 595.28)).toBeLessThan(1);
  });
});

describe.skipIf(!probe)('the printing browser', () => {
  it('asks nobody for anything', async () => {
    let asked = 0;
    const server = await serve((_request, response) => {
      asked++;
      response.end();
    });
    const printing = new PrintingBrowser();
    try {
      const { url } = server;
      const html = `<link rel="stylesheet" href="${url}/a.css"><img src="${url}/b.gif"><script src="${url}/c.js"></script>
        <style>@import "${url}/d.css"; p { background: url(${url}/e.png) } @font-face { font-family: f; src: url(${url}/f.woff) }</style>
        <p style="font-family: f">text</p><iframe src="${url}/g"></iframe>`;
      expect((await printing.print(html, 'letter', Date.now() + 25_000)).length).toBeGreaterThan(500);
      expect(asked).toBe(0);
    } finally {
      await printing.close();
      await server.close();
    }
  });

  it('gives up at the deadline, and prints the next page with another browser', async () => {
    const printing = new PrintingBrowser();
    try {
      await printing.print('<p>warm</p>', 'letter', Date.now() + 25_000);
      await expect(printing.print('<p>late</p>', 'letter', Date.now() - 1)).rejects.toMatchObject({ status: 504 });
      expect((await printing.print('<p>again</p>', 'letter', Date.now() + 25_000)).length).toBeGreaterThan(500);
    } finally {
      await printing.close();
    }
  });
});
