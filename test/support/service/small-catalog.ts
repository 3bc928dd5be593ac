/** A catalog of a few made-up filings, one of each kind that the service treats differently. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingest } from '../../../src/service/catalog/index.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';

export const ANNUAL = '0000100001-24-000001';
export const QUARTERLY = '0000100001-24-000002';
export const CURRENT = '0000100002-24-000003';
export const OWNERSHIP = '0000100002-24-000004';
export const TYPED = '0000100003-97-000005';
/** Form D without a document that can be shown */
export const PICTURES_ONLY = '0000100004-24-000006';

export interface SmallCatalog {
  folder: string;
}

interface MadeDocument {
  type: string;
  filename: string;
  description?: string;
  body: string;
}

export interface MadeFiling {
  accession: string;
  form: string;
  filed: string;
  period?: string;
  cik: string;
  name: string;
  sic?: string;
  /** Default: FILER */
  role?: string;
  /** Further parties: role, CIK, name */
  others?: readonly (readonly [role: string, cik: string, name: string])[];
  /** A name that it had, until the given day */
  formerName?: readonly [name: string, until: string];
  items?: string[];
  documents: MadeDocument[];
}

/** Bytes as uuencode writes them, in EDGAR's manner. */
export function uuencoded(name: string, bytes: Buffer): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 45) {
    const chunk = bytes.subarray(at, at + 45);
    const padded = Buffer.concat([chunk, Buffer.alloc((3 - (chunk.length % 3)) % 3)]);
    let line = String.fromCharCode(32 + chunk.length);
    for (let i = 0; i < padded.length; i += 3) {
      const bits = (padded[i]! << 16) | (padded[i + 1]! << 8) | padded[i + 2]!;
      for (const shift of [18, 12, 6, 0])
        line += String.fromCharCode(((bits >> shift) & 63) === 0 ? 96 : 32 + ((bits >> shift) & 63));
    }
    lines.push(line);
  }
  return `begin 644 ${name}\n${lines.join('\n')}\n\`\nend`;
}

/** One red pixel. */
export const PICTURE = Buffer.from('R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=', 'base64');

const PARAGRAPH = 'The company makes widgets of every size and sells them through distributors in many places. ';

function annualReport(): string {
  const items: [string, string][] = [
    ['Item 1.', 'Business'],
    ['Item 1A.', 'Risk Factors'],
    ['Item 2.', 'Properties'],
    ['Item 7.', "Management's Discussion and Analysis of Financial Condition and Results of Operations"],
    ['Item 8.', 'Financial Statements and Supplementary Data'],
  ];
  const sections = items.map(
    ([item, title]) => `<p><b>${item} ${title}</b></p>\n${`<p>${PARAGRAPH.repeat(6)}</p>\n`.repeat(4)}`,
  );
  return `<html><head><title>x</title><script>document.title = 'no'</script><meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/"></head>
<body bgcolor="#ffffff"><p>Annual report of the widget company caf\u00e9</p><p><a href="#end">to the end</a></p>
<img src="logo.gif" width="40"><img src="http://127.0.0.1:9/spy.gif">
${sections.join('')}<a name="end"></a><p>SIGNATURES</p></body></html>`;
}

const OWNERSHIP_XML = `<?xml version="1.0"?>
<ownershipDocument>
    <schemaVersion>X0306</schemaVersion>
    <issuer><issuerCik>0000100002</issuerCik></issuer>
    <transaction code="P"><shares>10</shares></transaction>
    <transaction code="S"><shares>20</shares></transaction>
</ownershipDocument>`;

const TYPED_TEXT = `                 FORM 10-K
        ANNUAL REPORT FOR 1996
ITEM 1.  BUSINESS
${PARAGRAPH.replaceAll('. ', '.\n').repeat(20)}
<PAGE>
ITEM 2.  PROPERTIES
${PARAGRAPH.replaceAll('. ', '.\n').repeat(10)}
<TABLE>
<CAPTION>
                      1996     1995
<S>                   <C>      <C>
Widgets               1,234    1,100
</TABLE>
ITEM 3.  LEGAL PROCEEDINGS
None worth telling of.
`;

const FILINGS: readonly MadeFiling[] = [
  {
    accession: ANNUAL,
    form: '10-K',
    filed: '20240301',
    period: '20231231',
    cik: '0000100001',
    name: 'WIDGET WORKS INC',
    sic: 'SERVICES-WIDGETS [7372]',
    documents: [
      { type: '10-K', filename: 'annual.htm', description: 'ANNUAL REPORT', body: annualReport() },
      {
        type: 'EX-21',
        filename: 'ex21.htm',
        description: 'SUBSIDIARIES',
        body: '<html><body><p>None &amp; none</p></body></html>',
      },
      { type: 'GRAPHIC', filename: 'logo.gif', body: uuencoded('logo.gif', PICTURE) },
    ],
  },
  {
    accession: QUARTERLY,
    form: '10-Q',
    filed: '20240501',
    period: '20240331',
    cik: '0000100001',
    name: 'WIDGET WORKS INC',
    sic: 'SERVICES-WIDGETS [7372]',
    documents: [
      {
        type: '10-Q',
        filename: 'quarter.htm',
        body: `<html><body><p>PART I. FINANCIAL INFORMATION</p><p>Item 1. Financial Statements</p><p>${PARAGRAPH.repeat(12)}</p>
<p>PART II. OTHER INFORMATION</p><p>Item 1. Legal Proceedings</p><p>${PARAGRAPH.repeat(12)}</p></body></html>`,
      },
    ],
  },
  {
    accession: CURRENT,
    form: '8-K',
    filed: '20240502',
    period: '20240430',
    cik: '0000100002',
    name: 'GADGET GROUP CORP',
    items: ['Results of Operations and Financial Condition', 'Financial Statements and Exhibits'],
    documents: [
      {
        type: '8-K',
        filename: 'current.htm',
        body: '<html><body><p>Item 2.02 Results of Operations and Financial Condition</p><p>Gadgets sold well.</p><p>Item 9.01 Financial Statements and Exhibits</p><p>99.1 Press release</p></body></html>',
      },
      {
        type: 'EX-99.1',
        filename: 'press.htm',
        description: 'PRESS RELEASE',
        body: '<html><body><p>Gadget group announces gadgets.</p></body></html>',
      },
    ],
  },
  {
    accession: OWNERSHIP,
    form: '4',
    filed: '20240503',
    period: '20240501',
    cik: '0000100002',
    name: 'GADGET GROUP CORP',
    documents: [
      { type: '4', filename: 'own.xml', body: `<XML>\n${OWNERSHIP_XML}\n</XML>` },
      { type: 'EX-99', filename: 'broken.xml', body: '<XML>\n<?xml version="1.0"?>\n<open><closed></open>\n</XML>' },
    ],
  },
  {
    accession: TYPED,
    form: '10-K',
    filed: '19970328',
    period: '19961231',
    cik: '0000100003',
    name: 'OLD MILLS CO',
    documents: [{ type: '10-K', filename: 'typed.txt', body: TYPED_TEXT }],
  },
  {
    accession: PICTURES_ONLY,
    form: 'D',
    filed: '20240504',
    cik: '0000100004',
    name: 'PICTURE FUND LP',
    documents: [
      { type: 'D', filename: 'data.zip', body: uuencoded('data.zip', Buffer.from('PK\x03\x04and so on', 'latin1')) },
    ],
  },
];

/** A full submission as EDGAR publishes it. */
export function submission(filing: MadeFiling): string {
  const { accession, form, filed, period, cik, name, sic, items = [], documents } = filing;
  const { role = 'FILER', others = [], formerName } = filing;
  const lines = [
    `<SEC-DOCUMENT>${accession}.txt : ${filed}`,
    `<SEC-HEADER>${accession}.hdr.sgml : ${filed}`,
    `<ACCEPTANCE-DATETIME>${filed}163000`,
    `ACCESSION NUMBER:\t\t${accession}`,
    `CONFORMED SUBMISSION TYPE:\t${form}`,
    `PUBLIC DOCUMENT COUNT:\t\t${documents.length}`,
    ...(period ? [`CONFORMED PERIOD OF REPORT:\t${period}`] : []),
    ...items.map((item) => `ITEM INFORMATION:\t\t${item}`),
    `FILED AS OF DATE:\t\t${filed}`,
    '',
    `${role}:`,
    '',
    '\tCOMPANY DATA:\t',
    `\t\tCOMPANY CONFORMED NAME:\t\t\t${name}`,
    `\t\tCENTRAL INDEX KEY:\t\t\t${cik}`,
    ...(sic ? [`\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\t${sic}`] : []),
    '\t\tSTATE OF INCORPORATION:\t\t\tDE',
    '\t\tFISCAL YEAR END:\t\t\t1231',
    '',
    '\tFILING VALUES:',
    `\t\tFORM TYPE:\t\t${form}`,
    '\t\tSEC ACT:\t\t1934 Act',
    '\t\tSEC FILE NUMBER:\t001-00001',
    '\t\tFILM NUMBER:\t\t24000001',
    ...(formerName
      ? [
          '',
          '\tFORMER COMPANY:',
          `\t\tFORMER CONFORMED NAME:\t${formerName[0]}`,
          `\t\tDATE OF NAME CHANGE:\t${formerName[1]}`,
        ]
      : []),
    ...others.flatMap(([of, number, called]) => [
      '',
      `${of}:`,
      '',
      '\tOWNER DATA:\t',
      `\t\tCOMPANY CONFORMED NAME:\t\t\t${called}`,
      `\t\tCENTRAL INDEX KEY:\t\t\t${number}`,
    ]),
    '</SEC-HEADER>',
  ];
  const blocks = documents.map(({ type, filename, description, body }, index) =>
    [
      '<DOCUMENT>',
      `<TYPE>${type}`,
      `<SEQUENCE>${index + 1}`,
      `<FILENAME>${filename}`,
      ...(description ? [`<DESCRIPTION>${description}`] : []),
      '<TEXT>',
      body,
      '</TEXT>',
      '</DOCUMENT>',
    ].join('\n'),
  );
  return `${lines.join('\n')}\n${blocks.join('\n')}\n</SEC-DOCUMENT>\n`;
}

/** Writes the filings, ingests them. @param more further made filings, all alike, so that lists have a length */
export async function makeSmallCatalog(more = 0, others: readonly MadeFiling[] = []): Promise<SmallCatalog> {
  const root = temporaryFolder();
  const files = join(root, 'files');
  const folder = join(root, 'catalog');
  mkdirSync(files);
  for (const filing of [...FILINGS, ...others])
    writeFileSync(join(files, `${filing.accession}.txt`), submission(filing));
  for (let index = 0; index < more; index++) {
    const accession = `0000100009-20-${String(index + 1).padStart(6, '0')}`;
    const documents = [{ type: '8-K', filename: 'more.htm', body: `<html><body><p>Note ${index}</p></body></html>` }];
    const filing = { accession, form: '8-K', filed: '20200115', cik: '0000100009', name: 'MANY NOTES INC', documents };
    writeFileSync(join(files, `${accession}.txt`), submission(filing));
  }
  const summary = await ingest([files], folder, { threads: 0 });
  if (summary.failures.length > 0) throw new Error(JSON.stringify(summary.failures));
  return { folder };
}
