/** Reads the tree of a header into the facts of the submission. */
import { parseAccessionNumber } from '../../api/index.ts';
import { SERIES_GROUP } from './header-names.ts';
import { headerDate, headerDatetime } from './header-text.ts';
import type { HeaderNode } from './header-tree.ts';
import { isParty, readParty } from './parties.ts';
import { readSeries } from './series.ts';
import type { HeaderField, Submission, Warning } from './submission.ts';
import { SubmissionError } from './submission-error.ts';

type Header = Omit<Submission, 'dialect' | 'size' | 'documents' | 'warnings'>;

/** Keys that become members, in both dialects. */
const KEYS = {
  accessionNumber: ['ACCESSION-NUMBER'],
  formType: ['CONFORMED-SUBMISSION-TYPE', 'TYPE'],
  filingDate: ['FILED-AS-OF-DATE', 'FILING-DATE'],
  acceptanceDatetime: ['ACCEPTANCE-DATETIME'],
  reportDate: ['CONFORMED-PERIOD-OF-REPORT', 'PERIOD'],
  publicDocumentCount: ['PUBLIC-DOCUMENT-COUNT'],
  items: ['ITEM-INFORMATION', 'ITEMS'],
} as const;

/** @param offset byte offset of the header, for what is missing in it */
export function readHeader(tree: HeaderNode[], offset: number, warnings: Warning[]): Header {
  const own = new OwnFields(tree, offset, warnings);
  const parties: Header['parties'] = [];
  const otherFields: HeaderField[] = [];
  const series: Header['series'] = [];
  for (const node of tree) {
    if (isParty(node)) parties.push(readParty(node, parties.length, otherFields, warnings));
    else if (node.key === SERIES_GROUP && node.children) series.push(...readSeries(node, warnings));
    else keepFields(node, own.taken, otherFields);
  }
  const flag = (name: string) => tree.some((node) => node.key === name);
  return {
    dissemination: flag('DELETION') ? 'deletion' : flag('CORRECTION') ? 'correction' : 'filing',
    paper: flag('PAPER'),
    accessionNumber: own.required('accessionNumber', 'an accession number', parseAccessionNumber),
    formType: own.required('formType', 'a form type', (value) => value || null),
    filingDate: own.required('filingDate', 'a filing date', headerDate),
    acceptanceDatetime: own.optional('acceptanceDatetime', 'a time of acceptance', headerDatetime),
    reportDate: own.optional('reportDate', 'a period of report', headerDate),
    publicDocumentCount: own.optional('publicDocumentCount', 'a count of documents', wholeNumber),
    items: own.all('items').map((field) => field.value),
    parties,
    series,
    otherFields,
  };
}

function wholeNumber(value: string): number | null {
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}

function keepFields(node: HeaderNode, taken: ReadonlySet<HeaderNode>, otherFields: HeaderField[]): void {
  if (node.children === null) {
    if (!taken.has(node)) otherFields.push({ name: node.name, value: node.value, party: null });
  } else for (const child of node.children) keepFields(child, taken, otherFields);
}

/** The submission's own fields. It remembers which ones became members. */
class OwnFields {
  readonly taken = new Set<HeaderNode>();
  readonly #fields = new Map<string, HeaderNode[]>();
  readonly #offset: number;
  readonly #warnings: Warning[];

  constructor(tree: HeaderNode[], offset: number, warnings: Warning[]) {
    this.#offset = offset;
    this.#warnings = warnings;
    for (const node of tree) {
      if (node.children !== null) continue;
      const same = this.#fields.get(node.key);
      if (same) same.push(node);
      else this.#fields.set(node.key, [node]);
    }
    for (const member of Object.keys(KEYS) as (keyof typeof KEYS)[]) {
      for (const field of member === 'items' ? this.all(member) : this.all(member).slice(0, 1)) this.taken.add(field);
    }
  }

  all(member: keyof typeof KEYS): HeaderNode[] {
    return KEYS[member].flatMap((key) => this.#fields.get(key) ?? []);
  }

  optional<T>(member: keyof typeof KEYS, what: string, read: (value: string) => T | null): T | null {
    const field = this.all(member)[0];
    if (!field || field.value === '') return null;
    const value = read(field.value);
    if (value === null) this.#warnings.push({ message: `'${field.value}' is not ${what}`, offset: field.offset });
    return value;
  }

  required<T>(member: keyof typeof KEYS, what: string, read: (value: string) => T | null): T {
    const field = this.all(member)[0];
    if (!field || field.value === '') {
      throw new SubmissionError('submission-broken', `the header has not ${what}`, field?.offset ?? this.#offset);
    }
    const value = read(field.value);
    if (value !== null) return value;
    throw new SubmissionError('submission-broken', `the header's '${field.value}' is not ${what}`, field.offset);
  }
}
