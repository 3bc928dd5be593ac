/** Documents without their submission, in the folders that downloaders make: what becomes of them, and what is said of the others. */
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { describe, expect, it } from 'vitest';
import type { FilingInfo } from '../../../../src/filings/api/index.ts';
import { Catalog, checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder, txtOf } from '../../../support/catalog/synthetic-filings.ts';
import { commandLine } from '../../../support/command-line.ts';
import { realFile, realSubmission } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const number = (n: number) => `0000000007-24-${String(n).padStart(6, '0')}`;
const plain = (n: number) => number(n).replaceAll('-', '');
const PAGE = '<html><body><p>Item 2.02 Results of Operations and Financial Condition</p><p>Well.</p></body></html>\n';
const PICTURE = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(300)]);
const secJson = (forms: Record<number, [form: string, main: string]>, columns = {}) => {
  const all = Object.entries(forms);
  const recent = {
    accessionNumber: all.map(([n]) => number(Number(n))),
    form: all.map(([, [form]]) => form),
    primaryDocument: all.map(([, [, main]]) => main),
    filingDate: all.map(() => '2024-05-06'),
    reportDate: all.map(() => '2024-05-03'),
    items: all.map(() => '2.02,9.01'),
    size: all.map(() => 123_456),
    ...columns,
  };
  return JSON.stringify({ cik: '7', name: 'SEVEN <SEAS> INC', entityType: 'operating', filings: { recent } });
};
const METADATA = {
  'accession-number': number(3),
  type: '10-K',
  'filing-date': '20240506',
  period: '20231231',
  'acceptance-datetime': '20240506161718',
  filer: [
    {
      'company-data': { 'conformed-name': 'Seven Seas Inc', cik: '0000000007', 'assigned-sic': '4400' },
      'filing-values': { 'form-type': '10-K', 'file-number': '001-00007' },
    },
  ],
  documents: [
    { type: '10-K', sequence: '1', filename: 'k.htm', description: 'ANNUAL REPORT' },
    { type: 'GRAPHIC', sequence: '4', filename: 'g.png' },
  ],
};

function files(given: Record<string, string | Buffer>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(given)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

async function ingested(folder: string, catalogFolder = join(temporaryFolder(), 'catalog')) {
  const summary = await ingest([folder], catalogFolder, { threads: 0 });
  expect(checkCatalog(catalogFolder).problems).toEqual([]);
  const catalog = Catalog.open(catalogFolder);
  try {
    const pieces = Buffer.concat(catalog.filingLookup({ sort_by: 'acceptance_date_time' }).pieces);
    const filings = (JSON.parse(`[${pieces}]`) as { accession_number: string; size: number }[]).map((filing) => ({
      ...(JSON.parse(catalog.filingInfoJson(filing.accession_number as never)!.toString()) as FilingInfo),
      size: filing.size,
    }));
    const contents = filings.flatMap(({ documents }) =>
      documents.map(({ document_id }) => catalog.document(document_id as never)!.read()),
    ) as Buffer[];
    return { summary, catalogFolder, filings, contents };
  } finally {
    catalog.close();
  }
}

describe('single documents become filings', () => {
  it('of one file each, named as edgar-crawler names them, beside its table', async () => {
    const head =
      'CIK,Company,Type,Date,Period of Report,SIC,State of Inc,State location,Fiscal Year End,html_index,htm_file_link,complete_text_file_link,filename';
    const { summary, filings, contents } = await ingested(
      files({
        [`RAW_FILINGS/8-K/7_8K_2024_${number(1)}.htm`]: PAGE,
        'FILINGS_METADATA.csv': `${head}\n7,"Seven Seas, Inc",8-K,2024-05-06,2024-05-03,4400,DE,NY,1231,,https://www.sec.gov/Archives/edgar/data/7/${plain(1)}/main8k.htm,https://www.sec.gov/Archives/edgar/data/7/${number(1)}.txt,7_8K_2024_${number(1)}.htm\n`,
      }),
    );
    expect(summary).toMatchObject({ filings: { new: 1 }, loose: { stored: 1, left: [] }, failures: [] });
    expect(filings).toMatchObject([
      {
        accession_number: number(1),
        cik: '7',
        entity_name: 'Seven Seas, Inc',
        form_type: '8-K',
        filing_date: '2024-05-06',
        report_date: '2024-05-03',
        items_8k: [{ item: '2.02' }],
        documents: [{ sequence: 1, type: '8-K', filename: 'main8k.htm' }],
        not_read: [{ part: 'documents' }],
      },
    ]);
    expect(contents).toEqual([Buffer.from(PAGE)]);
  });

  it('of a folder each, with SEC’s JSON or a line of EDGAR’s index; types that nothing states are unknown', async () => {
    const master = `Description:           Master Index of EDGAR Dissemination Feed\n\nCIK|Company Name|Form Type|Date Filed|File Name\n${'-'.repeat(80)}\n7|SEVEN SEAS INC|10-Q|2024-08-06|edgar/data/7/${number(4)}.txt\n`;
    const { summary, filings, contents } = await ingested(
      files({
        [`7/${plain(2)}/a-exhibit.htm`]: '<html>press release</html>',
        [`7/${plain(2)}/main.htm`]: PAGE,
        [`7/${plain(2)}/R2.htm`]: '<html>made by EDGAR</html>',
        [`7/${plain(2)}/logo.png`]: PICTURE,
        [`${number(4)}/primary-document.html`]: '<html>quarterly report</html>',
        'CIK0000000007.json': secJson({ 2: ['8-K', 'main.htm'] }),
        'master.idx': master,
      }),
    );
    expect(summary).toMatchObject({ filings: { new: 2 }, loose: { stored: 4, facts_of: 1, left: [] } });
    // The index is of use; R2.htm is EDGAR's own.
    expect(summary.skipped).toEqual({ document: 1 });
    const [event, quarter] = [2, 4].map((n) => filings.find((one) => one.accession_number === number(n))!);
    expect(event).toMatchObject({
      entity_name: 'SEVEN  SEAS  INC',
      size: 123_456,
      items_8k: [{ item: '2.02', named_in: 'both' }],
      documents: [
        { sequence: 1, type: '8-K', filename: 'main.htm' },
        { sequence: 2, type: null, filename: 'a-exhibit.htm' },
        { sequence: 3, type: null, filename: 'logo.png', size: PICTURE.length },
      ],
    });
    expect(quarter).toMatchObject({ form_type: '10-Q', filing_date: '2024-08-06', documents: [{ type: '10-Q' }] });
    expect(contents.some((content) => content.equals(PICTURE))).toBe(true);
  });

  it.each([
    [
      'master.idx',
      (n: string) =>
        `CIK|Company Name|Form Type|Date Filed|Filename\n${'-'.repeat(80)}\n7|SEVEN SEAS INC|10-Q|2024-08-06|edgar/data/7/${n}.txt\n`,
    ],
    [
      'form.idx',
      (n: string) =>
        `Form Type   Company Name       CIK         Date Filed  File Name\n${'-'.repeat(80)}\n10-Q        SEVEN SEAS INC     7           2024-08-06  edgar/data/7/${n}.txt\n`,
    ],
    [
      'company.idx',
      (n: string) =>
        `Company Name       Form Type   CIK         Date Filed  File Name\n${'-'.repeat(80)}\nSEVEN SEAS INC     10-Q        7           2024-08-06  edgar/data/7/${n}.txt\n`,
    ],
    [
      'crawler.idx',
      (n: string) =>
        `Company Name       Form Type   CIK         Date Filed  URL\n${'-'.repeat(80)}\nSEVEN SEAS INC     10-Q        7           2024-08-06  https://www.sec.gov/Archives/edgar/data/7/${n}-index.htm\n`,
    ],
  ])(
    'of a folder with one file, which %s does not name, with dashes in the folder or without',
    async (index, lines) => {
      for (const [folder, name] of [
        [number(4), 'a10-q20240630.htm'],
        [plain(4), 'fedex10q.htm.gz'],
        [`sec-edgar-filings/7/10-Q/${number(4)}`, 'report.txt'],
        ['7', `7_10Q_${plain(4)}.htm`],
      ] as const) {
        const page = name.endsWith('.gz') ? gzipSync(PAGE) : PAGE;
        const { summary, filings } = await ingested(files({ [`${folder}/${name}`]: page, [index]: lines(number(4)) }));
        expect(summary.loose.left).toEqual([]);
        expect(filings).toMatchObject([
          {
            accession_number: number(4),
            form_type: '10-Q',
            documents: [{ sequence: 1, type: '10-Q', filename: name.replace('.gz', '') }],
          },
        ]);
      }
      for (const name of ['ex99-1.htm', 'd661830dex991.htm', 'a99_1.htm', 'logo.png']) {
        const { summary, filings } = await ingested(
          files({ [`${plain(4)}/${name}`]: PAGE, [index]: lines(number(4)) }),
        );
        expect([filings, summary.loose.left]).toMatchObject([[], [{ reason: 'no_main_document', files: 1 }]]);
      }
    },
  );

  it('of a folder or an archive with datamule’s metadata.json: the whole header, and whether all documents are there', async () => {
    const folder = files({
      [`${plain(3)}/metadata.json`]: JSON.stringify(METADATA),
      [`${plain(3)}/k.htm`]: '<html><p>Item 1A. Risk Factors</p></html>',
      [`${plain(3)}/g.png`]: PICTURE,
    });
    const { filings } = await ingested(folder);
    expect(filings).toMatchObject([
      {
        accession_number: number(3),
        form_type: '10-K',
        acceptance_datetime: '2024-05-06T16:17:18',
        parties: [{ role: 'filer', cik: '7', name: 'Seven Seas Inc', sic: '4400', file_number: '001-00007' }],
        documents: [
          { sequence: 1, type: '10-K', description: 'ANNUAL REPORT' },
          { sequence: 4, type: 'GRAPHIC' },
        ],
      },
    ]);
    expect(filings[0]).not.toHaveProperty('not_read');

    // An archive for each filing: only metadata.json names it.
    const pack = tar.pack();
    pack.entry({ name: 'metadata.json' }, JSON.stringify(METADATA));
    pack.entry({ name: 'k.htm' }, '<html><p>Item 1A. Risk Factors</p></html>');
    pack.finalize();
    const archives = temporaryFolder();
    await pipeline(pack, createWriteStream(join(archives, 'one.tar')));
    const packed = await ingested(archives);
    expect(packed.filings).toMatchObject([{ accession_number: number(3), not_read: [{ part: 'documents' }] }]);
  });

  it('with the tags that a document was cut out with, and once, however often it is there or ingested', async () => {
    const cut = `<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<FILENAME>f.htm\n<DESCRIPTION>FORM\n<TEXT>\n${PAGE}</TEXT>\n</DOCUMENT>\n`;
    const folder = files({
      [`${number(2)}/x.htm`]: cut,
      [`again/${number(2)}/x.htm`]: cut,
      'CIK0000000007.json': secJson({ 2: ['8-K', 'f.htm'] }),
    });
    const { filings, contents, catalogFolder } = await ingested(folder);
    expect(filings).toMatchObject([{ documents: [{ type: '8-K', filename: 'f.htm', description: 'FORM' }] }]);
    expect(contents).toEqual([Buffer.from(PAGE)]);
    const again = await ingest([folder, join(folder, 'again')], catalogFolder, { threads: 0 });
    expect(again).toMatchObject({ filings: { new: 0, replaced: 0, unchanged: 1 }, failures: [] });
  });

  it.skipIf(sharedFolder === null)(
    'with the header of EDGAR’s page: a real filing as from its submission',
    async () => {
      const name = '0001493152-25-029712';
      const page = realFile(`http-pages/filing-index/${name}-index-headers.html`);
      const submission = realSubmission(name);
      const loose = files({
        [`${name}/${name}-index-headers.html`]: page,
        ...Object.fromEntries(
          submission.documents.map((document, i) => [
            `${name}/${document.filename}`,
            i === 0
              ? Buffer.concat([
                  Buffer.from(
                    `<DOCUMENT>\n<TYPE>${document.type}\n<SEQUENCE>1\n<FILENAME>${document.filename}\n<TEXT>\n`,
                  ),
                  document.read(),
                  Buffer.from('</TEXT>\n</DOCUMENT>\n'),
                ])
              : document.read(),
          ]),
        ),
      });
      const [made] = (await ingested(loose)).filings;
      const whole = files({ [`${name}.txt`]: realFile(`full-submissions/${name}.txt.gz`) });
      const [real] = (await ingested(whole)).filings;
      for (const member of [
        'form_type',
        'filing_date',
        'acceptance_datetime',
        'report_date',
        'entity_name',
        'cik',
      ] as const)
        expect(made![member], member).toEqual(real![member]);
      const told = ({ name, cik, role, file_number }: FilingInfo['parties'][number]) => [name, cik, role, file_number];
      expect(made!.parties.map(told)).toEqual(real!.parties.map(told));
      const sizes = (one: typeof made) => one!.documents.map(({ filename, size }) => [filename, size]).sort();
      expect(sizes(made)).toEqual(sizes(real));
    },
  );

  it('until the submission comes, which replaces them, and stays', async () => {
    const folder = files({
      [`${number(2)}/main.htm`]: PAGE,
      'CIK0000000007.json': secJson({ 2: ['8-K', 'main.htm'] }),
    });
    const { catalogFolder, filings } = await ingested(folder);
    const whole = { accession: number(2), form: '8-K', date: '2024-05-06', parties: [{ cik: '7', name: 'Seven' }] };
    const documents = [
      { type: '8-K', content: PAGE },
      { type: 'EX-99.1', content: 'Release' },
    ];
    writeFileSync(join(folder, number(2), 'full-submission.txt'), txtOf({ ...whole, documents }));
    const after = await ingested(folder, catalogFolder);
    expect(after.summary).toMatchObject({
      filings: { replaced: 1 },
      loose: { stored: 0, facts_of: 0, of_stored_filings: 1, left: [] },
    });
    expect(after.filings[0]!.documents).toHaveLength(2);
    expect(after.filings[0]!.revision).not.toBe(filings[0]!.revision);
    const again = await ingested(folder, catalogFolder);
    expect(again.summary).toMatchObject({ filings: { unchanged: 1, replaced: 0 }, loose: { of_stored_filings: 1 } });
  });
});

describe('documents that become none', () => {
  it('end with exit code 3, and a sentence for each reason', async () => {
    const folder = files({
      'apple-2024-10k.htm': '<html>a report</html>',
      'ford-1993-10k.txt':
        '\n             SECURITIES AND EXCHANGE COMMISSION\n                Washington, D.C.  20549\n\nFORM 10-K\n',
      'readme.txt': 'Reports of two companies.\n',
      [`${number(5)}/main.htm`]: '<html>of whom?</html>',
      [`${number(6)}/form4.xml`]: '<?xml version="1.0"?><ownershipDocument/>',
      [`${number(7)}/ex991.htm`]: '<html>a release</html>',
      [`${number(7)}/ex992.htm`]: '<html>another</html>',
      'CIK0000000007.json': secJson({ 6: ['4', 'form4.xml'], 7: ['8-K', 'main.htm'] }),
    });
    const catalog = join(temporaryFolder(), 'catalog');
    const json = await commandLine(['ingest', folder, '--catalog', catalog, '--json']);
    expect(json.status).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({
      filings: { new: 0 },
      loose: {
        stored: 0,
        left: [
          { reason: 'no_accession_number', files: 2 },
          { reason: 'no_facts', files: 2 },
          { reason: 'no_main_document', files: 2 },
        ],
      },
    });
    const told = await commandLine(['ingest', folder, '--catalog', catalog]);
    expect(told.status).toBe(3);
    expect(told.stderr).toMatch(/not stored: 2 documents such as .*apple-2024-10k\.htm: no path names their filing/);
    expect(told.stderr).toMatch(/not stored: 2 documents such as .*: nothing says who filed them/);
    expect(told.stderr).toMatch(/not stored: 2 documents such as .*ex991\.htm: none of the files is known/);
  });

  it('are not the only files that end with exit code 3: so does an ingest that recognises nothing', async () => {
    const extracted = { [`EXTRACTED_FILINGS/10-K/7_10K_2024_${number(2)}.json`]: '{"cik": "7", "item_1": "…"}' };
    const ingestOf = (given: Record<string, string>) =>
      commandLine(['ingest', files(given), '--catalog', join(temporaryFolder(), 'catalog')]);
    const { status, stderr } = await ingestOf(extracted);
    expect([status, stderr]).toEqual([3, expect.stringMatching(/nothing is stored: .*single-documents/)]);
    expect(await ingestOf({})).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('nothing is stored: there is no file') as string,
    });
    expect(await ingestOf({ ...extracted, 'CIK0000000007.json': secJson({}) })).toMatchObject({ status: 0 });
  });

  it('are a failure if a document is cut short: nothing of its filing is stored', async () => {
    const cut = '<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<TEXT>\n<html>the end is miss';
    const { summary, filings } = await ingested(
      files({ [`${number(2)}/main.htm`]: cut, 'CIK0000000007.json': secJson({ 2: ['8-K', 'main.htm'] }) }),
    );
    expect(filings).toEqual([]);
    expect(summary.failures).toHaveLength(1);
  });
});
