/**
 * The revision of a filing: its form, its acceptance time, its list of documents, and what the service calls its revision. Names,
 * sizes and dates don't count: services spell and count them differently, and no content depends on them.
 * docs/internals/decisions/what-makes-a-revision.md
 */
import type { Filing } from '../../filings/api/index.ts';
import { TextHash } from './hash.ts';

const FIELD = '\u001f';
const RECORD = '\u001e';
const NOTHING = '\u0000';
/** Hexadecimal digits of each hash. */
const DIGITS = 8;
/** The number of forms is limited, so that a service with invented ones doesn't fill the memory. */
const FORMS_MAX = 2_000;

/** One shared hash, fed piece by piece: joining the texts first would cost more than all the rest. */
const hash = new TextHash();
const formHashes = new Map<string, string>();

/**
 * The revision of a record: `form.accepted.documents.stated`, a hash each, empty if the record doesn't state it. Another revision
 * means other content. Without a stated one, the text ends with the documents.
 */
export function revisionOf({ form_type, acceptance_datetime, documents, revision }: Filing): string {
  const stated = revision === null || revision === undefined ? '' : `.${hashOf(revision)}`;
  return `${hashOfForm(form_type)}.${hashOf(acceptance_datetime)}.${hashOfDocuments(documents)}${stated}`;
}

/** The same without documents: filing_info may list others than the lookup. */
export function revisionWithoutDocuments(filing: Filing): string {
  return revisionOf({ ...filing, documents: [] });
}

/** Whether two revisions may be equal: a member that one of them doesn't state is ignored. */
export function isSameContent(one: string, other: string): boolean {
  // Usually it is the same text, and this is called for each step.
  if (one === other) return true;
  const [a, b] = [membersOf(one), membersOf(other)];
  return a.every((member, i) => member === '' || b[i] === '' || member === b[i]);
}

/** A revision, completed with the members of an earlier one. */
export function filledRevision(revision: string, earlier: string): string {
  const [members, before] = [membersOf(revision), membersOf(earlier)];
  const [form, accepted, documents, stated] = members.map((member, i) => (member === '' ? before[i]! : member));
  return `${form}.${accepted}.${documents}${stated === '' ? '' : `.${stated}`}`;
}

/** Revisions in an unknown format state nothing: a lake that has them is accepted. */
function membersOf(revision: string): string[] {
  const members = revision.split('.');
  if (members.length === 3) return [...members, ''];
  return members.length === 4 ? members : ['', '', '', ''];
}

/** A hash of the rest of the lookup record: if it changes, its rows may be written again, which costs no request. */
export function recordHashOf(filing: Filing): string {
  add(filing.cik);
  add(filing.filing_date);
  add(filing.entity_name);
  add(filing.report_date);
  hash.add(filing.size === null ? '' : String(filing.size)).add(RECORD);
  for (const { document_id, filename, description, type } of filing.documents) {
    hash.add(document_id).add(FIELD);
    add(filename);
    add(description);
    add(type);
    hash.add(RECORD);
  }
  return hash.take().slice(0, DIGITS);
}

/**
 * A record completed with the lake's values, in the lake's spelling if only that differs. So a service that states less, or spells
 * differently, changes nothing.
 * @param stored the filing in the lake's rows
 */
export function mergedRecord(filing: Filing, stored: Filing): Filing {
  const before = new Map(stored.documents.map((document) => [document.document_id, document]));
  return {
    accession_number: filing.accession_number,
    cik: filing.cik ?? stored.cik,
    form_type: filing.form_type ?? stored.form_type,
    filing_date: filing.filing_date ?? stored.filing_date,
    acceptance_datetime: filing.acceptance_datetime ?? stored.acceptance_datetime,
    entity_name: mergedName(filing.entity_name, stored.entity_name),
    report_date: filing.report_date ?? stored.report_date,
    size: filing.size ?? stored.size,
    documents:
      filing.documents.length === 0
        ? stored.documents
        : filing.documents.map((document) => {
            const same = before.get(document.document_id);
            if (same === undefined) return document;
            return {
              ...document,
              filename: document.filename ?? same.filename,
              description: mergedName(document.description, same.description),
              type: document.type ?? same.type,
            };
          }),
  };
}

function mergedName(name: string | null, stored: string | null): string | null {
  if (name === null || stored === null) return name ?? stored;
  return isSpelledAlike(name, stored) ? stored : name;
}

/** Whether two names differ in case, spaces and punctuation at most. */
export function isSpelledAlike(name: string, other: string): boolean {
  return name === other || spelledSimply(name) === spelledSimply(other);
}

function spelledSimply(text: string): string {
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function hashOf(value: string | null): string {
  return value === null ? '' : hash.add(value).take().slice(0, DIGITS);
}

function hashOfForm(form: string | null): string {
  if (form === null) return '';
  let known = formHashes.get(form);
  if (known === undefined) {
    known = hashOf(form);
    if (formHashes.size < FORMS_MAX && form.length < 100) formHashes.set(form, known);
  }
  return known;
}

/** By sequence: the order in which a service lists them doesn't count. */
function hashOfDocuments(documents: Filing['documents']): string {
  if (documents.length === 0) return '';
  const isOrdered = documents.every(({ sequence }, i) => i === 0 || documents[i - 1]!.sequence <= sequence);
  const ordered = isOrdered ? documents : [...documents].sort((a, b) => a.sequence - b.sequence);
  for (const { document_id } of ordered) hash.add(document_id).add(FIELD);
  return hash.take().slice(0, DIGITS);
}

/** null and '' differ. */
function add(value: string | null): void {
  hash.add(value ?? NOTHING).add(FIELD);
}
