/**
 * What a run's proxy puts into the service's answers: one document of some 200 MB, and odd values in the answers about a few
 * filings. They are the same at each request, so that a run meets them again after each strike.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Random } from '../../../src/cli/sample/companies/random.ts';
import { oddHeader, oddMemberOf, writtenOddly } from '../odd-values.ts';

type Row = Readonly<Record<string, unknown>>;
/** Rows of the undisturbed lake, by table. */
export type Contents = Readonly<Record<string, readonly unknown[]>>;

const OPERATIONS = ['filing_lookup', 'entity_lookup', 'filing_info', 'filing_sections', 'document'] as const;
type Operation = (typeof OPERATIONS)[number];
/** Headers of an answer that say how many requests are left, or how long the answer is: a run may rightly wait for these. */
const NOT_ODD = ['RateLimit', 'RateLimit-Policy', 'Content-Length', 'Retry-After'];

export interface LargeDocument {
  document_id: string;
  bytes: number;
  /** Of its text, in hexadecimal. */
  sha256: string;
}

interface Oddity {
  operation: Operation;
  /** An accession number, a CIK or a document id. */
  subject: string;
  seed: number;
  header: readonly [string, string] | null;
}

export interface ChangedAnswer {
  body: Buffer;
  header: readonly [string, string] | null;
}

export class AnswersChanged {
  readonly large: LargeDocument | null;
  readonly oddities: readonly Oddity[];
  readonly #largeText: Buffer | null;
  readonly #oddFilings: ReadonlySet<string>;
  readonly #oddCiks: ReadonlySet<string>;
  readonly #filings: ReadonlySet<string>;
  readonly #ciks: ReadonlySet<string>;

  /**
   * @param undisturbed the filings to choose from
   * @param megabytes of the large document; null: none
   * @param odd how many filings have odd values
   */
  constructor(undisturbed: Contents, random: Random, { megabytes, odd }: { megabytes: number | null; odd: number }) {
    const filings = rowsOf(undisturbed, 'filings');
    this.#filings = new Set(filings.map((row) => String(row.accession_number)));
    this.#ciks = new Set(rowsOf(undisturbed, 'entities').map((row) => String(row.cik)));
    const texts = rowsOf(undisturbed, 'document_contents').filter(({ encoding }) => encoding === 'utf-8');
    if (megabytes === null) {
      this.#largeText = null;
      this.large = null;
    } else {
      this.#largeText = largeText(megabytes, random.bits());
      const document_id = String(random.pick(texts).document_id);
      const sha256 = createHash('sha256').update(this.#largeText).digest('hex');
      this.large = { document_id, bytes: this.#largeText.length, sha256 };
    }
    const withSections = [...new Set(rowsOf(undisturbed, 'section_contents').map((row) => row.accession_number))];
    const others = random.shuffle(
      filings.filter((row) => row.accession_number !== this.large?.document_id.slice(0, 20)),
    );
    this.oddities = others.slice(0, odd).map((filing): Oddity => {
      const operation = random.pick(OPERATIONS);
      const number = String(filing.accession_number);
      const documents = texts.filter((row) => row.accession_number === number);
      const seed = random.int(0, 2 ** 31 - 1);
      const header = random.chance(0.2)
        ? fc.sample(
            oddHeader.filter(([name]) => !NOT_ODD.includes(name)),
            { seed, numRuns: 1 },
          )[0]!
        : null;
      if (operation === 'entity_lookup') return { operation, subject: String(filing.cik), seed, header: null };
      if (operation === 'filing_lookup') return { operation, subject: number, seed, header: null };
      if (operation === 'filing_sections' && withSections.length > 0)
        return { operation, subject: String(random.pick(withSections)), seed, header };
      if (operation === 'document' && documents.length > 0)
        return { operation, subject: String(random.pick(documents).document_id), seed, header };
      return { operation: 'filing_info', subject: number, seed, header };
    });
    const numbers = this.oddities.filter(({ operation }) => operation !== 'entity_lookup');
    this.#oddFilings = new Set(numbers.map(({ subject }) => subject.slice(0, 20)));
    // For a filing with an odd listing, another entity may be requested, or none.
    const unlisted = new Set(this.#subjects('filing_lookup'));
    this.#oddCiks = new Set([
      ...this.#subjects('entity_lookup'),
      ...filings.filter((row) => unlisted.has(String(row.accession_number))).map((row) => String(row.cik)),
    ]);
  }

  #subjects(operation: Operation): string[] {
    return this.oddities.filter((odd) => odd.operation === operation).map(({ subject }) => subject);
  }

  get isEmpty(): boolean {
    return this.large === null && this.oddities.length === 0;
  }

  /** Whether the answer to a request may be changed. */
  mayChange(url: URL): boolean {
    if (this.isEmpty) return false;
    const operation = operationOf(url);
    if (operation === 'document' && subjectOf(url) === this.large?.document_id) return true;
    if (operation === 'filing_lookup' || operation === 'entity_lookup') return this.#subjects(operation).length > 0;
    return this.#oddityOf(operation, subjectOf(url)) !== undefined;
  }

  /** @param body of an answer with status 200; @returns null: unchanged */
  change(url: URL, body: Buffer): ChangedAnswer | null {
    const operation = operationOf(url);
    const subject = subjectOf(url);
    if (operation === 'document' && subject === this.large?.document_id)
      return { body: this.#enlarged(body), header: null };
    if (operation === 'filing_lookup' || operation === 'entity_lookup')
      return { body: this.#oddPage(operation, body), header: null };
    const odd = this.#oddityOf(operation, subject);
    if (odd === undefined) return null;
    if (odd.header !== null) return { body, header: odd.header };
    return { body: Buffer.from(written(JSON.parse(body.toString()), odd)), header: null };
  }

  #oddityOf(operation: string, subject: string): Oddity | undefined {
    return this.oddities.find((odd) => odd.operation === operation && odd.subject === subject);
  }

  #oddPage(operation: 'filing_lookup' | 'entity_lookup', body: Buffer): Buffer {
    const list = operation === 'filing_lookup' ? 'filings' : 'entities';
    const { [list]: records, ...rest } = JSON.parse(body.toString()) as Record<string, Row[]>;
    const texts = records!.map((record) => {
      const odd = this.#oddityOf(operation, String(list === 'filings' ? record.accession_number : record.cik));
      return odd === undefined ? JSON.stringify(record) : written(record, odd);
    });
    return Buffer.from(`{"${list}":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`);
  }

  #enlarged(body: Buffer): Buffer {
    const { bytes, sha256 } = this.large!;
    const record = JSON.parse(body.toString()) as Row;
    const text = JSON.stringify({ ...record, encoding: 'utf-8', size: bytes, sha256, content: '' });
    const at = text.lastIndexOf('"content":""') + '"content":"'.length;
    return Buffer.concat([Buffer.from(text.slice(0, at)), this.#largeText!, Buffer.from(text.slice(at))]);
  }

  /** Whether a row may differ from the undisturbed lake's: it is about the large document, or about a filing or entity with odd values. */
  mayDiffer(table: string, row: unknown): boolean {
    const { accession_number: number, document_id: id, cik, step, subject } = row as Record<string, unknown>;
    const isOfFiling = typeof number === 'string';
    if (this.large !== null) {
      const { document_id } = this.large;
      if (id === document_id && (table === 'document_contents' || table === 'export_failures')) return true;
      if (table === 'coverage' && step === `document:${document_id}`) return true;
    }
    if (this.oddities.length === 0) return false;
    if (isOfFiling) return this.#oddFilings.has(number) || !this.#filings.has(number);
    if (table === 'export_failures' && typeof subject === 'string')
      return !this.#filings.has(subject) && (!this.#ciks.has(subject) || this.#oddCiks.has(subject));
    return typeof cik === 'string' && (this.#oddCiks.has(cik) || !this.#ciks.has(cik));
  }
}

function written(record: unknown, { seed }: Oddity): string {
  return writtenOddly(record, fc.sample(oddMemberOf(record), { seed, numRuns: 1 })[0]!);
}

function operationOf(url: URL): string {
  return url.pathname.replace('/v2/', '');
}

function subjectOf(url: URL): string {
  return url.searchParams.get('document_id') ?? url.searchParams.get('accession_number') ?? '';
}

function rowsOf(contents: Contents, table: string): Row[] {
  return (contents[table] ?? []) as Row[];
}

/** Text that JSON needs no escapes for: a megabyte of hexadecimal digits, and its number, again and again. */
function largeText(megabytes: number, seed: number): Buffer {
  const block = createHash('shake256', { outputLength: 2 ** 19 })
    .update(String(seed))
    .digest('hex');
  const blocks = Array.from({ length: megabytes }, (_, i) =>
    `${i} ${block.slice(0, 2 ** 20 - 16)}`.padEnd(2 ** 20, '.'),
  );
  return Buffer.from(blocks.join(''));
}
