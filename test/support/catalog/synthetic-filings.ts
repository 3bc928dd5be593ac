/** Submissions of our own making, and the logical content of a catalog: what tests compare, free of row ids and pack offsets. */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { PackReader } from '../../../src/service/catalog/packs/packs.ts';
import { readInfo } from '../../../src/service/catalog/packs/stored-info.ts';

export { temporaryFolder } from '../lake/temporary-folder.ts';

export interface MadeUpParty {
  cik: string;
  name: string;
  role?: 'FILER' | 'SUBJECT COMPANY' | 'FILED BY' | 'ISSUER' | 'REPORTING-OWNER';
  sic?: string;
  state?: string;
  fiscalYearEnd?: string;
  city?: string;
}

export interface MadeUpDocument {
  type?: string;
  sequence?: number;
  filename?: string;
  description?: string;
  content: string;
}

export interface MadeUpSubmission {
  accession: string;
  form: string;
  /** YYYY-MM-DD */
  date: string;
  /** YYYY-MM-DDThh:mm:ss */
  acceptance?: string | null;
  period?: string;
  items?: string[];
  parties: MadeUpParty[];
  /** More lines at the end of the header */
  header?: readonly string[];
  documents: MadeUpDocument[];
}

const digits = (text: string) => text.replace(/\D/g, '');

/** The complete submission text file. */
export function txtOf(s: MadeUpSubmission): Buffer {
  const lines = [
    `<SEC-DOCUMENT>${s.accession}.txt : ${digits(s.date)}`,
    `<SEC-HEADER>${s.accession}.hdr.sgml : ${digits(s.date)}`,
  ];
  if (s.acceptance) lines.push(`<ACCEPTANCE-DATETIME>${digits(s.acceptance)}`);
  lines.push(`ACCESSION NUMBER:\t\t${s.accession}`, `CONFORMED SUBMISSION TYPE:\t${s.form}`);
  lines.push(`PUBLIC DOCUMENT COUNT:\t\t${s.documents.length}`);
  if (s.period) lines.push(`CONFORMED PERIOD OF REPORT:\t${digits(s.period)}`);
  for (const item of s.items ?? []) lines.push(`ITEM INFORMATION:\t\t${item}`);
  lines.push(`FILED AS OF DATE:\t\t${digits(s.date)}`, `DATE AS OF CHANGE:\t\t${digits(s.date)}`, '');
  for (const party of s.parties) {
    lines.push(`${party.role ?? 'FILER'}:`, '', '\tCOMPANY DATA:\t', `\t\tCOMPANY CONFORMED NAME:\t\t\t${party.name}`);
    lines.push(`\t\tCENTRAL INDEX KEY:\t\t\t${party.cik.padStart(10, '0')}`);
    if (party.sic) lines.push(`\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\tMADE-UP INDUSTRY ${party.sic} [${party.sic}]`);
    if (party.state) lines.push(`\t\tSTATE OF INCORPORATION:\t\t\t${party.state}`);
    if (party.fiscalYearEnd) lines.push(`\t\tFISCAL YEAR END:\t\t\t${party.fiscalYearEnd}`);
    lines.push('', '\tFILING VALUES:', `\t\tFORM TYPE:\t\t${s.form}`, '');
    if (party.city)
      lines.push('\tBUSINESS ADDRESS:\t', '\t\tSTREET 1:\t\tONE ROAD', `\t\tCITY:\t\t\t${party.city}`, '');
  }
  lines.push(...(s.header ?? []), '</SEC-HEADER>', ...documentLines(s), '</SEC-DOCUMENT>', '');
  return Buffer.from(lines.join('\n'));
}

/** The daily feed's file of the same submission. */
export function ncOf(s: MadeUpSubmission, flag?: 'CORRECTION' | 'DELETION'): Buffer {
  const lines = ['<SUBMISSION>'];
  if (flag) lines.push(`<${flag}>`);
  lines.push(`<ACCESSION-NUMBER>${s.accession}`, `<TYPE>${s.form}`, `<PUBLIC-DOCUMENT-COUNT>${s.documents.length}`);
  lines.push(`<FILING-DATE>${digits(s.date)}`);
  for (const party of s.parties) {
    lines.push('<FILER>', '<COMPANY-DATA>', `<CONFORMED-NAME>${party.name}`, `<CIK>${party.cik.padStart(10, '0')}`);
    if (party.sic) lines.push(`<ASSIGNED-SIC>${party.sic}`);
    lines.push('</COMPANY-DATA>', '<FILING-VALUES>', `<FORM-TYPE>${s.form}`, '</FILING-VALUES>', '</FILER>');
  }
  lines.push(...(s.header ?? []), ...documentLines(s), '</SUBMISSION>', '');
  return Buffer.from(lines.join('\n'));
}

function documentLines(s: MadeUpSubmission): string[] {
  return s.documents.flatMap((document, i) => [
    '<DOCUMENT>',
    `<TYPE>${document.type ?? (i === 0 ? s.form : 'EX-99.1')}`,
    `<SEQUENCE>${document.sequence ?? i + 1}`,
    ...(document.filename === undefined
      ? [`<FILENAME>d${i + 1}.txt`]
      : document.filename === ''
        ? []
        : [`<FILENAME>${document.filename}`]),
    ...(document.description === undefined ? [] : [`<DESCRIPTION>${document.description}`]),
    '<TEXT>',
    document.content,
    '</TEXT>',
    '</DOCUMENT>',
  ]);
}

/** The CIK's submissions JSON, as SEC writes it, with one filing. */
export function submissionsJsonOf(entity: {
  cik: string;
  name: string;
  asOf: string;
  tickers?: string[];
  exchanges?: string[];
  entityType?: string;
  category?: string;
  sic?: string;
  state?: string;
}): Buffer {
  const {
    cik,
    asOf,
    tickers = [],
    exchanges = [],
    entityType = 'operating',
    category = '',
    sic = '',
    state = '',
  } = entity;
  return Buffer.from(
    JSON.stringify({
      cik: cik.padStart(10, '0'),
      entityType,
      sic,
      sicDescription: sic && `Industry ${sic}`,
      name: entity.name,
      tickers,
      exchanges,
      category,
      fiscalYearEnd: '0630',
      stateOfIncorporation: state,
      addresses: {},
      formerNames: [],
      filings: {
        recent: { accessionNumber: ['0000000009-20-000001'], filingDate: [asOf], form: ['10-K'] },
        files: [],
      },
    }),
  );
}

export function tickersJsonOf(rows: { cik: number; ticker: string; exchange?: string }[]): Buffer {
  const table = rows.some((row) => row.exchange !== undefined);
  return Buffer.from(
    JSON.stringify(
      table
        ? {
            fields: ['cik', 'name', 'ticker', 'exchange'],
            data: rows.map((r) => [r.cik, `NAME ${r.cik}`, r.ticker, r.exchange ?? null]),
          }
        : Object.fromEntries(
            rows.map((r, i) => [String(i), { cik_str: r.cik, ticker: r.ticker, title: `NAME ${r.cik}` }]),
          ),
    ),
  );
}

/** A folder of its own for the test file, removed when it ends. */
export function writeFiles(folder: string, files: Record<string, Buffer>): void {
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
}

/** Everything that a catalog returns, in a fixed order: equal catalogs give equal contents whatever the order of arrival. */
export function contentOf(folder: string) {
  const db = new DatabaseSync(join(folder, 'catalog.db'), { readOnly: true });
  const packs = new PackReader(folder);
  try {
    const filings = db
      .prepare('SELECT * FROM filings ORDER BY accession')
      .all()
      .map((filing) => {
        const one = (sql: string) => db.prepare(sql).get(filing.id as number)!;
        const all = (sql: string) => db.prepare(sql).all(filing.id as number);
        const documents = all('SELECT * FROM documents WHERE filing = ? ORDER BY sequence').map((row) => {
          const place = { pack: row.pack as number, offset: row.offset as number, length: row.length as number };
          const textPlace = { ...place, offset: row.text_offset as number, length: row.text_length as number };
          return {
            sequence: row.sequence,
            sha256: Buffer.from(row.sha256 as Uint8Array).toString('hex'),
            size: zstdDecompressSync(packs.read(place)).length,
            text: row.searched ? hash('sha256', zstdDecompressSync(packs.read(textPlace))) : null,
            indexed: db.prepare('SELECT count(*) AS n FROM document_texts_docsize WHERE id = ?').get(row.id as number)!
              .n,
          };
        });
        return {
          record: one('SELECT record FROM filing_records WHERE filing = ?').record,
          info: readInfo(one('SELECT info FROM filing_infos WHERE filing = ?').info as Uint8Array).toString(),
          parties: all('SELECT position, role, cik, sic FROM filing_parties WHERE filing = ? ORDER BY position').map(
            (r) => ({ ...r }),
          ),
          items: all('SELECT item FROM filing_items WHERE filing = ? ORDER BY item').map((r) => r.item),
          columns: {
            ...filing,
            id: undefined,
            sha256: Buffer.from(filing.sha256 as Uint8Array).toString('hex'),
          } as Record<string, unknown>,
          documents,
        };
      });
    const plain = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'document_texts', 'row')");
    return {
      filings,
      // Facts are compared as values: their members are in the order of arrival.
      entities: plain('SELECT * FROM entities ORDER BY cik').map(
        (row): Record<string, unknown> => ({ ...row, facts: JSON.parse(row.facts as string) as unknown }),
      ),
      tickers: plain('SELECT * FROM entity_tickers ORDER BY ticker, cik'),
      words: hash('sha256', JSON.stringify(plain('SELECT term, doc, cnt FROM temp.words ORDER BY term'))),
    };
  } finally {
    packs.close();
    db.close();
  }
}

/** Fills tables of a catalog in a tenth of the time. The caller writes what the triggers would have written. */
export function withoutTriggers(db: DatabaseSync, work: () => void): void {
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  work();
  for (const { sql } of triggers) db.exec(String(sql));
}
