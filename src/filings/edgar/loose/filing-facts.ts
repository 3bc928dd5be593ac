/** Facts about a filing from files next to its documents, of downloaders and of SEC. They know less than a header. */
import { csvRecords } from '../../../core/index.ts';
import { type AccessionNumber, isCalendarDate, parseAccessionNumber, parseCik } from '../../api/index.ts';
import type { FilingIndexEntry } from '../indexes/filing-index.ts';
import { EdgarFileError } from '../reading/edgar-file-error.ts';
import type { RecordKind } from '../reading/file-kind.ts';
import type { SubmissionsJson } from '../submissions-json/submissions-json.ts';

/** What a file says of one document of a filing. */
export interface DocumentFacts {
  type: string | null;
  sequence: number | null;
  description: string | null;
}

export interface FilingFacts {
  accessionNumber: AccessionNumber;
  formType: string;
  /** The lines of the header, as in a file of the daily feed */
  header: string[];
  /** Name of the main document, if known */
  mainDocument: string | null;
  /** Bytes of the complete submission, if known */
  size: number | null;
  /** All documents of the filing by name; null: not known */
  documents: Map<string, DocumentFacts> | null;
}

/** Forms whose parties have other roles than that of a filer: owners, subjects, opponents. Only a header has these. */
const SEVERAL_ROLES =
  /^(([345]|144|425|(DFA|DEF|DFR|PRE|PRR)N14A|PX14A6[GN])(\/A)?$|SC 1[34]|SC TO|SCHEDULE 13|13D|13G)/i;

interface ListedFiling {
  accessionNumber: AccessionNumber;
  formType: string;
  filingDate: string;
  reportDate: string | null;
  items: readonly string[];
  cik: string;
  name: string;
  mainDocument: string | null;
  size: number | null;
}

/** null: a list can't say who the parties are. */
function listedFacts(filing: ListedFiling): FilingFacts | null {
  const { accessionNumber, formType, mainDocument, size } = filing;
  if (SEVERAL_ROLES.test(formType)) return null;
  const header = [
    `<ACCESSION-NUMBER>${accessionNumber}`,
    `<TYPE>${formType}`,
    ...(filing.reportDate === null ? [] : [`<PERIOD>${filing.reportDate.replaceAll('-', '')}`]),
    ...(/^8-K/i.test(formType) ? filing.items.map((item) => `<ITEMS>${item}`) : []),
    `<FILING-DATE>${filing.filingDate.replaceAll('-', '')}`,
    '<FILER>',
    '<COMPANY-DATA>',
    `<CONFORMED-NAME>${oneLine(filing.name)}`,
    `<CIK>${filing.cik.padStart(10, '0')}`,
    '</COMPANY-DATA>',
    '</FILER>',
  ];
  return { accessionNumber, formType, header, mainDocument, size, documents: null };
}

function oneLine(text: string): string {
  return text.replace(/[\r\n<>]+/g, ' ').trim();
}

/** Of SEC's submissions JSON. @param company an older page does not name it */
export function factsOfJson(
  { filings }: Pick<SubmissionsJson, 'filings'>,
  company: { cik: string; name: string | null },
): FilingFacts[] {
  return filings.flatMap(({ primaryDocument, ...filing }) => {
    const mainDocument = primaryDocument?.split('/').at(-1) ?? null;
    const facts = listedFacts({ ...filing, cik: company.cik, name: company.name ?? '', mainDocument });
    return facts === null ? [] : [facts];
  });
}

/** Of a line of EDGAR's index. */
export function factsOfIndexEntry(entry: FilingIndexEntry): FilingFacts | null {
  const { accessionNumber, formType, filingDate, cik, entityName } = entry;
  if (accessionNumber === null) return null;
  const unknown = { reportDate: null, items: [], mainDocument: null, size: null };
  return listedFacts({ accessionNumber, formType, filingDate, cik, name: entityName, ...unknown });
}

/** The header that EDGAR's page `…-index-headers.html` has in a comment. */
export const headersPageKind: RecordKind<'headers_page', FilingFacts[]> = {
  name: 'headers_page',
  recognise: (head) =>
    /^<HTML>\s*<HEAD>\s*<TITLE>SEC EDGAR Submission/i.test(head.text) && /<SEC-HEADER>/.test(head.text),
  read(bytes) {
    const header = /<SEC-HEADER>[^\n]*\n([\s\S]*?)(?:<\/SEC-HEADER>|-->)/.exec(bytes.toString('latin1'));
    if (header === null) throw new EdgarFileError('headers page', 'its header has no end');
    const lines = header[1]!
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    return [headerFacts(lines, 'headers page', null)];
  },
};

function headerFacts(header: string[], file: string, documents: FilingFacts['documents']): FilingFacts {
  const value = (name: string) => header.find((line) => line.startsWith(`<${name}>`))?.slice(name.length + 2) ?? '';
  const accessionNumber = parseAccessionNumber(value('ACCESSION-NUMBER'));
  const formType = value('TYPE');
  if (accessionNumber === null || formType === '') throw new EdgarFileError(file, 'it names no filing and form');
  const main = [...(documents ?? [])].find(([, { sequence }]) => sequence === 1);
  return { accessionNumber, formType, header, mainDocument: main?.[0] ?? null, size: null, documents };
}

type Json = string | number | null | Json[] | { [key: string]: Json };

/** `metadata.json` beside the documents of a filing: the header as a tree, in the words of the daily feed. datamule writes it. */
export const submissionMetadataKind: RecordKind<'submission_metadata', FilingFacts[]> = {
  name: 'submission_metadata',
  recognise: (head) => head.isJson() && head.hasJsonKey('accession-number') && /(^|\/)metadata\.json$/.test(head.name),
  read(bytes) {
    const file = 'metadata.json';
    let tree: Json;
    try {
      tree = JSON.parse(bytes.toString('utf8')) as Json;
    } catch (cause) {
      throw new EdgarFileError(file, 'its JSON is damaged', { cause });
    }
    const { documents, ...header } = tree as { [key: string]: Json };
    const listed = new Map<string, DocumentFacts>();
    for (const one of Array.isArray(documents) ? documents : []) {
      const { filename, type, sequence, description } = one as { [key: string]: Json };
      if (typeof filename !== 'string') throw new EdgarFileError(file, 'a document has no filename');
      const number = Number(sequence);
      const known = { sequence: Number.isInteger(number) && number > 0 ? number : null };
      listed.set(filename, { ...known, type: textOf(type), description: textOf(description) });
    }
    return [headerFacts(linesOfTree(header), file, listed)];
  },
};

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? oneLine(value) : null;
}

/** `{"filer": {"company-data": {"cik": "…"}}}` as `<FILER>`, `<COMPANY-DATA>`, `<CIK>…`. */
function linesOfTree(tree: { [key: string]: Json }): string[] {
  return Object.entries(tree).flatMap(([key, value]): string[] => {
    const name = key.toUpperCase();
    if (!/^[A-Z][A-Z0-9-]*$/.test(name) || /^SEC-(DOCUMENT|HEADER)$/.test(name)) return [];
    return (Array.isArray(value) ? value : [value]).flatMap((one): string[] => {
      if (one === null) return [`<${name}>`];
      if (typeof one !== 'object') return [`<${name}>${oneLine(String(one))}`];
      return [`<${name}>`, ...linesOfTree(one as { [key: string]: Json }), `</${name}>`];
    });
  });
}

/** A table of filings as edgar-crawler writes it (`FILINGS_METADATA.csv`): a row for each, with the name of its file. */
export const filingsCsvKind: RecordKind<'filings_csv', FilingFacts[]> = {
  name: 'filings_csv',
  recognise: ({ text }) =>
    /^[^\n]*\bCIK\b[^\n]*,filename\b/.test(text) && /^[^\n]*\bcomplete_text_file_link\b/.test(text),
  read(bytes) {
    const [head, ...rows] = csvRecords(bytes.toString('utf8').replace(/^\ufeff/, ''));
    const place = new Map(head?.cells.map((name, i) => [name.trim(), i]));
    return rows.flatMap(({ cells, line }) => {
      const value = (name: string) => cells[place.get(name) ?? -1]?.trim() ?? '';
      const number = /\d{10}-\d{2}-\d{6}/.exec(value('complete_text_file_link') || value('filename'));
      const accessionNumber = number && parseAccessionNumber(number[0]);
      const [cik, filingDate] = [parseCik(value('CIK')), value('Date')];
      if (!accessionNumber || cik === null || !isCalendarDate(filingDate) || value('Type') === '')
        throw new EdgarFileError('table of filings', `line ${line} lacks an accession number, CIK, Type or Date`);
      const period = value('Period of Report');
      const facts = listedFacts({
        accessionNumber,
        cik,
        filingDate,
        formType: value('Type'),
        name: value('Company'),
        items: [],
        size: null,
        reportDate: isCalendarDate(period) ? period : null,
        mainDocument: value('htm_file_link').split('/').at(-1) || null,
      });
      return facts === null ? [] : [facts];
    });
  },
};
