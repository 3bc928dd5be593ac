/** A few filings of different forms, services that state more or less of them in lookups, and random definitions that want parts of them. */

import type { FilingClient } from '../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import type { Filing } from '../../../src/filings/api/index.ts';
import { accessionNumber, filingOfLookup, infoOf, listedSection, partyOf } from './activity-harness.ts';

/** What the records of a lookup name. */
export const DIALECTS = {
  everything: { documents: true, form: true },
  'no documents': { documents: false, form: true },
  'no form': { documents: true, form: false },
  'neither documents nor form': { documents: false, form: false },
} as const;
export type Dialect = keyof typeof DIALECTS;

const FORM4 = `<?xml version="1.0"?><ownershipDocument><documentType>4</documentType><issuer><issuerCik>0000000007</issuerCik></issuer>
  <nonDerivativeTable><nonDerivativeTransaction><transactionAmounts><transactionShares><value>5</value></transactionShares></transactionAmounts>
  </nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>`;
const PAGE = '<html><body><p>Some <b>words</b>.</p></body></html>';
const PROSE = 'Net sales grew by four percent over the year, since prices rose. '.repeat(40);
const REPORT = `<html><body><p><b>Management's Discussion and Analysis</b></p><p>${PROSE}</p></body></html>`;

/** By form: name, type and content of each document. */
const FILED: [form: string, documents: [name: string, type: string, content: string][]][] = [
  [
    '10-K',
    [
      ['k.htm', '10-K', PAGE],
      ['ex13.htm', 'EX-13', REPORT],
      ['ex99.xml', 'EX-99.1', '<a>1</a>'],
      ['logo.jpg', 'GRAPHIC', 'picture'],
      ['data.xml', 'EX-101.INS', '<b>2</b>'],
    ],
  ],
  [
    '4',
    [
      ['form4.xml', '4', FORM4],
      ['poa.txt', 'EX-24', 'I appoint'],
    ],
  ],
  [
    '8-K',
    [
      ['cover.htm', 'COVER', PAGE],
      ['k8.htm', '8-K', PAGE],
      ['release.htm', 'EX-99.1', PAGE],
    ],
  ],
  ['10-Q', [['q.htm', '10-Q', PAGE]]],
  ['40-F', [['scan.jpg', 'GRAPHIC', 'picture']]],
];
const CODES: Record<string, string[]> = { '10-K': ['1A', '7'], '10-Q': ['I-2', 'II-1A'] };

const TRUTH: readonly Filing[] = FILED.map(([form_type, documents], i) => {
  const accession_number = accessionNumber(i + 1);
  return filingOfLookup(i + 1, {
    form_type,
    documents: documents.map(([filename, type], at) => ({
      document_id: `${accession_number}-${at + 1}`,
      sequence: at + 1,
      description: null,
      filename,
      type,
    })),
  });
});

/** The records of a lookup. */
export function recordsIn(dialect: Dialect): Filing[] {
  const { documents, form } = DIALECTS[dialect];
  return TRUTH.map((filing) => ({
    ...filing,
    ...(documents ? {} : { documents: [] }),
    ...(form ? {} : { form_type: null }),
  }));
}

/** Knows the filings; remembers each request. */
export class OptionsService {
  readonly asked: string[] = [];
  /** Requests that it refuses: `info N`, `sections N` or a document's id. */
  readonly refused = new Set<string>();
  readonly #refuse: (what: string) => void;

  /** @param refuse throws the service's refusal */
  constructor(refuse: (what: string) => void = () => {}) {
    this.#refuse = refuse;
  }

  readonly client = {
    filingLookup: async () => ({}),
    filingInfo: async (number: string) => {
      this.#ask(`info ${number}`);
      const filing = TRUTH.find(({ accession_number }) => accession_number === number)!;
      const codes = CODES[filing.form_type!] ?? [];
      const sections = codes.map((code) => listedSection(code));
      const items_8k = filing.form_type === '8-K' ? [{ item: '2.02', description: null, exhibits: [] }] : null;
      return { value: { ...infoOf(filing), parties: [partyOf('1', 'A')], sections, items_8k } };
    },
    filingSections: async ({ accession_number, form_type }: { accession_number: string; form_type: string }) => {
      this.#ask(`sections ${accession_number}`);
      const sections = CODES[form_type]!.map((section) => ({
        section,
        title: null,
        heading: null,
        html: `<h2>${section}</h2><p>A <b>word</b></p>`,
      }));
      return { value: { accession_number, form_type, sections } };
    },
    document: async ({ document_id, output_format }: { document_id: string; output_format: 'json' | 'raw' }) => {
      this.#ask(document_id);
      const [, documents] = FILED[Number(document_id.slice(14, 20)) - 1]!;
      const [filename, type, content] = documents[Number(document_id.slice(21)) - 1]!;
      const content_type = filename.endsWith('.xml')
        ? 'text/xml'
        : filename.endsWith('.htm')
          ? 'text/html'
          : 'text/plain';
      const as = output_format === 'json' ? { encoding: 'json', content: '{"a":1}' } : { encoding: 'utf-8', content };
      const of = { document_id, accession_number: document_id.slice(0, 20), content_type, filename, type };
      return { value: { ...of, ...as, size: content.length, sha256: 'x' } };
    },
  } as unknown as FilingClient;

  #ask(what: string): void {
    this.asked.push(what);
    if (this.refused.has(what)) this.#refuse(what);
  }
}

export function definitionOf(
  tables: readonly string[],
  documents = '{}',
  codes: readonly string[] = [],
  isMarkdown = false,
): ExportDefinition {
  const choice = codes.length === 0 ? '' : `\nsections: { codes: [${codes.map((code) => `'${code}'`).join(', ')}] }`;
  const yaml = `name: t\nselect: {}\ntables: [${tables.join(', ')}]\ndocuments: ${documents}${choice}${isMarkdown ? '\ntext_format: markdown' : ''}`;
  return parseExportDefinition(yaml, 't.yaml', {}).definition;
}

const TABLES = [
  'parties',
  'documents',
  'sections',
  'section_contents',
  'items_8k',
  'document_contents',
  'document_contents',
  'ownership_reports',
  'ownership_transactions',
  'chunks',
];
const TYPES = [['primary'], ['all'], ['exhibits'], ['EX-99*'], ['primary', 'EX-13'], ['EX-13*', 'EX-24']];
const CHOICES = [[], [], ['1A'], ['7'], ['1A', 'II-1A'], ['I-2']];

/** @param chance from 0 to below 1 @param xml also: texts are plain */
export function randomDefinition(chance: () => number, xml?: 'json' | 'raw'): ExportDefinition {
  const one = <T>(list: readonly T[]) => list[Math.floor(chance() * list.length)]!;
  const tables = ['filings', ...TABLES.filter(() => chance() < 0.35)];
  const options = [
    `types: [${one(TYPES).join(', ')}]`,
    `xml: ${xml ?? one(['json', 'raw'])}`,
    ...(['text', 'graphics', 'sizes', 'annual_report'] as const)
      .filter(() => chance() < 0.4)
      .map((name) => `${name}: ${chance() < 0.7}`),
  ];
  return definitionOf(
    [...new Set(tables)],
    `{ ${options.join(', ')} }`,
    one(CHOICES),
    xml === undefined && chance() < 0.4,
  );
}

type Rows = Record<string, Record<string, unknown>[]>;
/** Columns in which two runs may differ. */
const OF_RUNS = new Set(['run_id', 'fetched_at']);

/**
 * The rows of `fresh` that a lake lacks or has otherwise, in words. A lake may know more: the text of a document, or its size, that an
 * earlier definition wanted.
 * @param keys of each table
 */
export function lacking(fresh: Rows, lake: Rows, keys: (table: string) => readonly string[]): string[] {
  const differences: string[] = [];
  for (const [table, rows] of Object.entries(fresh)) {
    const keyOf = (row: Record<string, unknown>) =>
      keys(table)
        .map((key) => row[key])
        .join(' ');
    const there = new Map((lake[table] ?? []).map((row) => [keyOf(row), row]));
    if (there.size !== (lake[table] ?? []).length) differences.push(`${table} has rows twice`);
    for (const row of rows) {
      const other = there.get(keyOf(row));
      const isSame = ([name, value]: [string, unknown]) =>
        OF_RUNS.has(name) ||
        JSON.stringify(other?.[name] ?? null) === JSON.stringify(value ?? null) ||
        ((value ?? null) === null && ['text', 'size', 'form_type', 'is_amendment'].includes(name));
      const wrong = Object.entries(row).filter((entry) => !isSame(entry));
      if (other === undefined) differences.push(`${table} lacks ${keyOf(row)}`);
      else if (wrong.length > 0) differences.push(`${table} ${keyOf(row)}: ${wrong.map(([name]) => name).join(', ')}`);
    }
  }
  return differences;
}
