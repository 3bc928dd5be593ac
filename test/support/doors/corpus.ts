/** Made-up filings that together have rows for every group of tables, and what is sent of them: the inputs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { type MadeUpDocument, type MadeUpSubmission, ncOf, txtOf } from '../catalog/synthetic-filings.ts';
import { zipOf } from '../edgar/zip.ts';
import { ownershipReport } from '../pipeline/stored-lake.ts';
import { inlineReport } from '../statements.ts';
import { MADE_FORMS } from './made-forms.ts';

const CIK = '42';
const PARTY = { cik: CIK, name: 'ACME MATRIX INC', sic: '3571', state: 'DE', fiscalYearEnd: '1231', city: 'TOWN' };
const number = (n: number, year = 24) => `0000000042-${String(year).padStart(2, '0')}-${String(n).padStart(6, '0')}`;

function sentences(year: number, of: string, count = 30): string {
  return Array.from(
    { length: count },
    (_, i) => `<p>In ${year} matter ${i} of ${of} may change what we earn.</p>`,
  ).join('\n');
}

const part = (item: string, title: string, body: string) => `<p><b>Item ${item}. ${title}</b></p>\n${body}\n`;

/** Sections of an annual report; `reported` stands in Item 8. */
function items(year: number, reported: string): string {
  const factors = ['Competition', 'Suppliers', 'Rates'].map(
    (one) => `<p><b><i>${one} of ${year} may harm us.</i></b></p>\n${sentences(year, one, 8)}`,
  );
  return [
    part('1', 'Business', sentences(year, 'business')),
    part('1A', 'Risk Factors', factors.join('\n')),
    part('2', 'Properties', '<p>We lease an office in Town, and own no land.</p>'),
    part('3', 'Legal Proceedings', '<p>None.</p>'),
    part('7', "Management's Discussion and Analysis of Financial Condition", sentences(year, 'results')),
    part('8', 'Financial Statements and Supplementary Data', reported),
    part('9A', 'Controls and Procedures', sentences(year, 'controls', 5)),
  ].join('\n');
}

/** @param sales in millions, of the year and the one before */
function annualReport(year: number, sales: readonly [string, string]): string {
  const page = inlineReport({
    end: `${year}-12-31`,
    year,
    period: 'FY',
    days: [`${year}-12-31`, `${year - 1}-12-31`],
    durations: [year, year - 1].map((of) => `${of}-01-01/${of}-12-31`),
    income: [
      ['Net sales', 'Revenues', ...sales],
      ['Net income', 'NetIncomeLoss', '12', '-7'],
      ['Diluted', 'EarningsPerShareDiluted', '1.20', '-0.70'],
    ],
    balance: [
      ['Total assets', 'Assets', '5000', '4000'],
      ['Total liabilities', 'Liabilities', '2000', '1500'],
      ["Total stockholders' equity", 'StockholdersEquity', '3000', '2500'],
      ['Total', 'LiabilitiesAndStockholdersEquity', '5000', '4000'],
    ],
    cashFlow: [['Net cash from operations', 'NetCashProvidedByUsedInOperatingActivities', '40', '30']],
    notes: [[['Europe', 'Revenues[srt:StatementGeographicalAxis=x:EuropeMember]', '3', '2']]],
    outstanding: '=1000000',
  });
  const [head, body] = page.split('</ix:header></div>') as [string, string];
  return `${head}</ix:header></div>${items(year, body.replace('</body></html>', ''))}</body></html>`;
}

const XSD = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xbrli="http://www.xbrl.org/2003/instance" targetNamespace="http://acme.example/2024">
<xs:annotation><xs:appinfo><link:roleType roleURI="http://acme.example/role/Income" id="Income"><link:definition>1001 - Statement - STATEMENTS OF OPERATIONS</link:definition><link:usedOn>link:presentationLink</link:usedOn></link:roleType></xs:appinfo></xs:annotation>
<xs:element name="Own" id="x_Own" type="xbrli:monetaryItemType" substitutionGroup="xbrli:item" xbrli:periodType="duration" xbrli:balance="credit"/></xs:schema>`;
const HREF = 'http://xbrl.fasb.org/us-gaap/2024/elts/us-gaap-2024.xsd#us-gaap_';
const loc = (name: string) => `<link:loc xlink:type="locator" xlink:href="${HREF}${name}" xlink:label="${name}"/>`;
const linkbase = (link: string) =>
  `<?xml version="1.0"?>\n<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">${link}</link:linkbase>`;
const ROLE = 'xlink:type="extended" xlink:role="http://acme.example/role/Income"';
const arcs = (kind: string, arcrole: string, from: string, names: readonly string[], more = '') =>
  `<link:${kind}Link ${ROLE}>${[from, ...names].map(loc).join('')}${names
    .map(
      (name, i) =>
        `<link:${kind}Arc xlink:type="arc" xlink:arcrole="http://www.xbrl.org/2003/arcrole/${arcrole}" xlink:from="${from}" xlink:to="${name}" order="${i + 1}"${more}/>`,
    )
    .join('')}</link:${kind}Link>`;
const LINES = ['Revenues', 'NetIncomeLoss', 'EarningsPerShareDiluted'];
const LABELS = `<link:labelLink xlink:type="extended" xlink:role="http://www.xbrl.org/2003/role/link">${LINES.map(
  (name) =>
    `${loc(name)}<link:label xlink:type="resource" xlink:label="lab_${name}" xlink:role="http://www.xbrl.org/2003/role/label" xml:lang="en-US">Label of ${name}</link:label><link:labelArc xlink:type="arc" xlink:arcrole="http://www.xbrl.org/2003/arcrole/concept-label" xlink:from="${name}" xlink:to="lab_${name}"/>`,
).join('')}</link:labelLink>`;

const attachment = (type: string, filename: string, content: string): MadeUpDocument => ({
  type,
  filename,
  content: `<XBRL>\n${content}\n</XBRL>`,
});
const SCHEMA = attachment('EX-101.SCH', 'acme-2024.xsd', XSD);
const LINKBASES = [
  attachment(
    'EX-101.PRE',
    'acme-2024_pre.xml',
    linkbase(arcs('presentation', 'parent-child', 'IncomeStatementAbstract', LINES)),
  ),
  attachment(
    'EX-101.CAL',
    'acme-2024_cal.xml',
    linkbase(
      arcs(
        'calculation',
        'summation-item',
        'LiabilitiesAndStockholdersEquity',
        ['Liabilities', 'StockholdersEquity'],
        ' weight="1.0"',
      ),
    ),
  ),
  attachment('EX-101.LAB', 'acme-2024_lab.xml', linkbase(LABELS)),
];

const INSTANCE = `<?xml version="1.0"?>
<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:us-gaap="http://fasb.org/us-gaap/2012-01-31" xmlns:dei="http://xbrl.sec.gov/dei/2012-01-31" xmlns:iso4217="http://www.xbrl.org/2003/iso4217" xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">
<link:schemaRef xlink:type="simple" xlink:href="acme-2024.xsd"/>
<context id="y"><entity><identifier scheme="http://www.sec.gov/CIK">00000000${CIK}</identifier></entity><period><startDate>2012-01-01</startDate><endDate>2012-12-31</endDate></period></context>
<unit id="usd"><measure>iso4217:USD</measure></unit>
<dei:DocumentType contextRef="y">10-K</dei:DocumentType><dei:DocumentPeriodEndDate contextRef="y">2012-12-31</dei:DocumentPeriodEndDate>
<dei:DocumentFiscalYearFocus contextRef="y">2012</dei:DocumentFiscalYearFocus><dei:DocumentFiscalPeriodFocus contextRef="y">FY</dei:DocumentFiscalPeriodFocus>
<us-gaap:Revenues contextRef="y" unitRef="usd" decimals="-6">77000000</us-gaap:Revenues><us-gaap:NetIncomeLoss contextRef="y" unitRef="usd" decimals="-6">5000000</us-gaap:NetIncomeLoss></xbrl>`;

const report = (n: number, year: number, sales: readonly [string, string]): MadeUpSubmission => ({
  accession: number(n, year - 1999),
  form: '10-K',
  date: `${year + 1}-02-20`,
  acceptance: `${year + 1}-02-20T16:05:10`,
  period: `${year}-12-31`,
  parties: [PARTY],
  documents: [{ filename: `acme-${year}1231.htm`, content: annualReport(year, sales) }, SCHEMA, ...LINKBASES],
});

export const PAGE = report(1, 2024, ['100', '91']);
const BEFORE = report(1, 2023, ['90', '80']);
export const WITH_INSTANCE: MadeUpSubmission = {
  accession: number(1, 13),
  form: '10-K',
  date: '2013-02-20',
  acceptance: '2013-02-20T16:05:10',
  period: '2012-12-31',
  parties: [PARTY],
  documents: [
    { filename: 'acme10k.htm', content: `<html><body>${items(2012, '<p>Sales were 77.</p>')}</body></html>` },
    attachment('EX-101.INS', 'acme-2024.xml', INSTANCE),
    SCHEMA,
    ...LINKBASES,
  ],
};
const EVENT: MadeUpSubmission = {
  accession: number(2),
  form: '8-K',
  date: '2024-05-06',
  acceptance: '2024-05-06T16:30:00',
  period: '2024-05-03',
  items: ['Results of Operations and Financial Condition', 'Financial Statements and Exhibits'],
  parties: [PARTY],
  documents: [
    {
      filename: 'event.htm',
      content:
        '<html><body><p>Item 2.02 Results of Operations and Financial Condition</p><p>On May 3 we announced results.</p><p>Item 9.01 Financial Statements and Exhibits</p><p>(d) Exhibits</p><p>99.1 Press release</p></body></html>',
    },
    {
      type: 'EX-99.1',
      filename: 'release.htm',
      content: '<html><body><h1>Results</h1><table><tr><td>Net sales</td><td>100</td></tr></table></body></html>',
    },
  ],
};
const lines = (rows: readonly (readonly [string, string, string])[]) =>
  `<table>${rows.map(([words, ...cells]) => `<tr><td>${words}</td>${cells.map((cell) => `<td align="right">${cell}</td>`).join('')}</tr>`).join('')}</table>`;
/** As printed: no tags. */
const STATEMENTS_OF_2002 = `<p><b>CONSOLIDATED STATEMENTS OF INCOME</b></p><p>(in thousands, except per share data)</p><p>Years ended December 31</p>${lines(
  [
    ['', '2002', '2001'],
    ['Net sales', '$9,000', '$8,000'],
    ['Cost of sales', '5,000', '4,500'],
    ['Gross profit', '4,000', '3,500'],
    ['Income before income taxes', '1,500', '1,200'],
    ['Income taxes', '500', '400'],
    ['Net income', '$1,000', '$800'],
  ],
)}<p><b>CONSOLIDATED BALANCE SHEETS</b></p><p>(in thousands)</p><p>December 31</p>${lines([
  ['', '2002', '2001'],
  ['Cash and cash equivalents', '$700', '$600'],
  ['Total current assets', '3,000', '2,500'],
  ['Total assets', '$6,000', '$5,500'],
  ['Total current liabilities', '2,000', '1,900'],
  ["Total stockholders' equity", '4,000', '3,600'],
  ["Total liabilities and stockholders' equity", '$6,000', '$5,500'],
])}`;
/** An annual report that points into its Exhibit 13. */
const POINTING: MadeUpSubmission = {
  accession: number(1, 3),
  form: '10-K',
  date: '2003-03-20',
  acceptance: '2003-03-20T10:00:00',
  period: '2002-12-31',
  parties: [PARTY],
  documents: [
    {
      filename: 'k.htm',
      content: `<html><body>${part('1', 'Business', sentences(2002, 'business'))}${part('7', "Management's Discussion and Analysis", '<p>Incorporated by reference to "Management\'s Discussion and Analysis" in the Annual Report, Exhibit 13.</p>')}</body></html>`,
    },
    {
      type: 'EX-13',
      filename: 'ex13.htm',
      content: `<html><body><p><b>Management's Discussion and Analysis</b></p>${sentences(2002, 'results')}<p><b>Report of Independent Auditors</b></p><p>We have audited.</p>${STATEMENTS_OF_2002}</body></html>`,
    },
    {
      type: 'EX-21',
      filename: 'ex21.htm',
      content:
        '<html><body><p>Subsidiaries</p><table><tr><td>Acme Matrix Sales LLC (d/b/a Acme)</td><td>Delaware</td><td>100%</td></tr><tr><td>&nbsp;&nbsp;&nbsp;Acme Matrix Oy</td><td>Finland</td><td>51%</td></tr></table></body></html>',
    },
  ],
};
const SERIES = `<SERIES-AND-CLASSES-CONTRACTS-DATA>
<EXISTING-SERIES-AND-CLASSES-CONTRACTS>
<SERIES>
<OWNER-CIK>00000000${CIK}
<SERIES-ID>S000000001
<SERIES-NAME>Acme Fund
<CLASS-CONTRACT>
<CLASS-CONTRACT-ID>C000000001
<CLASS-CONTRACT-NAME>Class A
<CLASS-CONTRACT-TICKER-SYMBOL>ACMAX
</CLASS-CONTRACT>
</SERIES>
</EXISTING-SERIES-AND-CLASSES-CONTRACTS>
</SERIES-AND-CLASSES-CONTRACTS-DATA>`;
const FORMS: readonly MadeUpSubmission[] = MADE_FORMS.map(({ type, documents }, i) => ({
  accession: number(50 + i),
  form: type,
  date: '2024-05-07',
  acceptance: '2024-05-07T12:00:00',
  parties: [PARTY],
  ...(type.startsWith('NPORT') && { header: [SERIES] }),
  documents: documents.map(({ name, type, content }) => ({
    type,
    filename: name,
    content: `<XML>\n${content}\n</XML>`,
  })),
}));

const TRADE: MadeUpSubmission = {
  accession: number(3),
  form: '4',
  date: '2024-05-08',
  acceptance: '2024-05-08T18:00:00',
  parties: [PARTY],
  documents: [{ filename: 'form4.xml', content: `<XML>\n${ownershipReport(250)}\n</XML>` }],
};

const SCHEDULE: MadeUpSubmission = {
  accession: number(4),
  form: 'SC 13G',
  date: '2024-02-14',
  acceptance: '2024-02-14T12:00:00',
  parties: [PARTY],
  documents: [
    {
      filename: 'schedule.htm',
      content: `<html><body><p>${PARTY.name}</p><p>(Name of Issuer)</p><p>Common Stock</p><p>(Title of Class of Securities)</p><p>037833100</p><p>(CUSIP Number)</p></body></html>`,
    },
  ],
};

export const CORPUS: readonly MadeUpSubmission[] = [
  ...[PAGE, BEFORE, WITH_INSTANCE, EVENT, POINTING, TRADE, SCHEDULE],
  ...FORMS,
];

type Files = Record<string, string | Buffer>;

export interface Input {
  /** Filings that it has something of. */
  readonly filings: readonly MadeUpSubmission[];
  readonly files: () => Promise<Files> | Files;
  /** Tables without rows, or with other rows than those of complete submissions: nothing in the input has them. */
  readonly lacks: RegExp;
  /** Columns that the input can't fill, or fills otherwise. */
  readonly otherwise?: RegExp;
}

const COMPANY = `CIK00000000${CIK}.json`;
/** A file for each filing, and SEC's of the company. */
const named = (ending: string, of: (one: MadeUpSubmission) => Buffer) => ({
  ...Object.fromEntries(CORPUS.map((one) => [`${one.accession}.${ending}`, of(one)])),
  [COMPANY]: Buffer.from(secJson(CORPUS)),
});
const PEM =
  '-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001,MIC-CLEAR\nOriginator-Name: webmaster@www.sec.gov\n\n';

async function tarOf(files: Record<string, Buffer>): Promise<Buffer> {
  const pack = tar.pack();
  for (const [name, bytes] of Object.entries(files)) pack.entry({ name }, bytes);
  pack.finalize();
  return gzipSync(Buffer.concat(await Array.fromAsync(pack as AsyncIterable<Buffer>)));
}

/** SEC's own list of a company's filings, with the main document of each. */
function secJson(filings: readonly MadeUpSubmission[]): string {
  const column = (of: (one: MadeUpSubmission) => unknown) => filings.map(of);
  const recent = {
    accessionNumber: column(({ accession }) => accession),
    form: column(({ form }) => form),
    filingDate: column(({ date }) => date),
    reportDate: column(({ period }) => period ?? ''),
    acceptanceDateTime: column(({ acceptance }) => `${acceptance}.000Z`),
    primaryDocument: column(({ documents }) => documents[0]!.filename),
    size: column(() => 12_345),
    isXBRL: column(() => 1),
    isInlineXBRL: column(() => 1),
  };
  const company = { tickers: ['ACMX'], exchanges: ['NYSE'], sic: '3571', stateOfIncorporation: 'DE', addresses: {} };
  return JSON.stringify({
    cik: CIK,
    name: PARTY.name,
    ...company,
    entityType: 'operating',
    filings: { recent, files: [] },
  });
}

const INDEX = [
  'Description:           Master Index of EDGAR Dissemination Feed\n',
  'CIK|Company Name|Form Type|Date Filed|File Name',
  '-'.repeat(80),
  `${CIK}|${PARTY.name}|${PAGE.form}|${PAGE.date}|edgar/data/${CIK}/${PAGE.accession}.txt\n`,
].join('\n');

/** As downloaders leave a filing: its documents in a folder by the number. */
const folderOf = ({ accession, documents }: MadeUpSubmission, count = documents.length): Files =>
  Object.fromEntries(
    documents
      .slice(0, count)
      .map(({ filename, content }) => [
        `${CIK}/${accession.replaceAll('-', '')}/${filename}`,
        `${content.replace(/^<XBRL>\n|\n<\/XBRL>$/g, '')}\n`,
      ]),
  );

/** What only a header, the other documents, or the company's own file has. */
const BESIDE_PAGE =
  /^(documents|document_contents|filings|parties|party_.*|filing_headers|entit.*|xbrl_(presentation|labels|calculation|concepts)|fundamental_checks|chunks|document_(headings|tables)|form_.*)$/;

export const INPUTS: Readonly<Record<string, Input>> = {
  'complete submissions': { filings: CORPUS, files: () => named('txt', txtOf), lacks: /^$/ },
  // The made files of this dialect have no acceptance, no period and no items in their headers.
  'files of the daily feed': {
    filings: CORPUS,
    files: () => named('nc', ncOf),
    lacks: /^(part(y|ies).*|filing_headers|entit.*)$/,
    otherwise: /^(acceptance_datetime|report_date|named_in|size|entity_name|revision|fiscal_.*)$/,
  },
  'an archive': {
    filings: CORPUS,
    files: async () => ({ '20240507.tar.gz': await tarOf(named('txt', txtOf)) }),
    lacks: /^$/,
  },
  'a zip': { filings: CORPUS, files: () => ({ 'filings.zip': zipOf(named('txt', txtOf)) }), lacks: /^$/ },
  'privacy envelopes': {
    filings: CORPUS,
    lacks: /^$/,
    files: () => named('txt', (one) => Buffer.from(`${PEM}${txtOf(one)}-----END PRIVACY-ENHANCED MESSAGE-----\n`)),
    otherwise: /^size$/,
  },
  'a bare header': {
    filings: [PAGE],
    files: () => ({
      [`${PAGE.accession}.txt`]: `${txtOf({ ...PAGE, documents: [] })}`.replace(/<\/?SEC-DOCUMENT>.*\n/g, ''),
    }),
    // Only the header has anything to say here.
    lacks: /^(?!parties|party_|entities|entity_addresses|filing_headers)/,
  },
  "an inline page beside SEC's JSON": {
    filings: [PAGE],
    lacks: BESIDE_PAGE,
    files: () => ({ ...folderOf(PAGE, 1), [COMPANY]: secJson([PAGE]) }),
  },
  'an inline page beside an index': {
    filings: [PAGE],
    lacks: BESIDE_PAGE,
    files: () => ({ ...folderOf(PAGE, 1), 'master.idx': INDEX }),
  },
  'an inline page alone in its submission': {
    filings: [PAGE],
    lacks: BESIDE_PAGE,
    files: () => ({ [`${PAGE.accession}.txt`]: txtOf({ ...PAGE, documents: PAGE.documents.slice(0, 1) }) }),
  },
  'a page and its schema': {
    filings: [PAGE],
    lacks: BESIDE_PAGE,
    files: () => ({ ...folderOf(PAGE, 2), [COMPANY]: secJson([PAGE]) }),
  },
  'an instance and its linkbases': {
    filings: [WITH_INSTANCE],
    lacks:
      /^(documents|document_contents|filings|parties|party_.*|filing_headers|entit.*|form_.*|chunks|document_(headings|tables))$/,
    files: () => ({ ...folderOf(WITH_INSTANCE), [COMPANY]: secJson([WITH_INSTANCE]) }),
  },
};

export async function writeInput(folder: string, { files }: Input): Promise<void> {
  for (const [name, content] of Object.entries(await files())) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
