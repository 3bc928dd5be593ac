/**
 * What passes for a document and is none: a proxy's web page or an empty body where the service gives bytes, a text that was cut on its
 * way. Most documents are web pages themselves, and the interface shows neither how they come nor what `size` and `sha256` are of. So what
 * a service is seen to do with some documents tells what to think of the next one; and before anything was seen, what is doubtful is asked
 * for again, and taken if it comes again byte for byte.
 */
import { createHash } from 'node:crypto';
import { isHtml } from './error-answers.ts';
import { ServiceFailedError } from './errors.ts';
import type { Headers } from './quota.ts';

/** What is known of a document before it is asked for. Null or absent: nothing. */
export interface KnownOfDocument {
  filename?: string | null | undefined;
  /** In bytes */
  size?: number | null | undefined;
}

/** What this process has seen a service do. */
class Habits {
  /** Gives texts in JSON, as texts. */
  givesJson = false;
  /** Gives texts as bytes. */
  givesBytes = false;
  /** `size` and `sha256` were once those of the text beside them; once they were not, and the service stood by it. */
  measuresContent = false;
  measuresOther = false;
}

const HABITS = new Map<string, Habits>();

function habitsOf(baseUrl: string): Habits {
  let habits = HABITS.get(baseUrl);
  if (!habits) {
    habits = new Habits();
    HABITS.set(baseUrl, habits);
  }
  return habits;
}

/** Of one document, over all attempts to get it. */
export class DocumentValidator {
  readonly #habits: Habits;
  readonly #known: KnownOfDocument;
  /** The answer that was doubted last. */
  #doubted: Buffer | null = null;

  constructor(baseUrl: string, known: KnownOfDocument) {
    this.#habits = habitsOf(baseUrl);
    this.#known = known;
  }

  /** @param isText by its media type @throws ServiceFailedError where the bytes are no document, or may be none */
  ofBytes(headers: Headers, body: Buffer, isText: boolean): void {
    const habits = this.#habits;
    if (body.length !== this.#known.size) {
      if (body.length === 0) {
        if (habits.givesJson || !habits.givesBytes || !this.#cameBefore(body)) throw noDocument('an empty body');
        return;
      }
      if (isHtml(headers, body)) this.#ofHtml(body);
      else if (habits.givesJson) return;
    }
    if (isText) habits.givesBytes = true;
  }

  #ofHtml(body: Buffer): void {
    const { givesJson, givesBytes } = this.#habits;
    if (isOfOtherKind(this.#known.filename) && /^\s*<(!doctype html|html)\b/i.test(body.toString('latin1', 0, 200))) {
      throw noDocument('a web page in place of the document');
    }
    if (givesJson && !givesBytes) throw noDocument("a web page, not the service's answer");
    if (givesJson === givesBytes && !this.#cameBefore(body)) throw noDocument('a web page, perhaps not the document');
  }

  /**
   * A text given in JSON, as the document has it.
   * @throws ServiceFailedError where it isn't that of the `size` and `sha256` beside it, of a service that measures the text
   */
  ofText(body: Buffer, text: string, size: number | null, sha256: string | null): void {
    const habits = this.#habits;
    habits.givesJson = true;
    if (habits.measuresOther) return;
    const agrees = agreesWith(text, size, sha256);
    if (agrees === null) return;
    if (agrees) habits.measuresContent = true;
    else if (habits.measuresContent) throw noDocument('a content that is not of the size and sha256 beside it');
    else if (this.#cameBefore(body)) habits.measuresOther = true;
    else throw noDocument('a content that may not be of the size and sha256 beside it');
  }

  #cameBefore(body: Buffer): boolean {
    const before = this.#doubted;
    this.#doubted = body;
    return before?.equals(body) ?? false;
  }
}

function noDocument(what: string): ServiceFailedError {
  return new ServiceFailedError(`document answered 200 with ${what}`, 200);
}

/** Whether a file of this name is no web page. EDGAR names pictures of forms `xslF345X05/form4.xml`: those are. */
function isOfOtherKind(filename: string | null | undefined): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(filename ?? '')?.[1];
  return extension !== undefined && !/^(x?html?|txt)$/i.test(extension) && !/^xsl[^/]*\//i.test(filename ?? '');
}

/**
 * Whether size and digest (that alone where both are given) are those of the bytes that the text was read from, in one of the ways in which
 * bytes become text. Null: can't be told.
 */
function agreesWith(text: string, size: number | null, sha256: string | null): boolean | null {
  const isDigest = sha256 !== null && /^[0-9a-f]{64}$/i.test(sha256);
  if ((size === null && !isDigest) || text.includes('\ufffd')) return null;
  const isSource = isDigest ? digestIs(sha256.toLowerCase()) : (bytes: Buffer) => bytes.length === size;
  return sourcesOf(text).some((source) => isSource(source()));
}

function digestIs(sha256: string): (bytes: Buffer) => boolean {
  return (bytes) => createHash('sha256').update(bytes).digest('hex') === sha256;
}

/** As UTF-8, with its byte order mark, as windows-1252; each with the line ends that may have been made one. */
function sourcesOf(text: string): (() => Buffer)[] {
  const ways = [
    (one: string) => Buffer.from(one, 'utf8'),
    (one: string) => Buffer.from(`\ufeff${one}`, 'utf8'),
    (one: string) =>
      Buffer.from(
        one.replace(BEYOND_LATIN1, (found) => WINDOWS_1252.get(found) ?? found),
        'latin1',
      ),
  ];
  const both = ways.map((way) => () => way(text));
  if (text.includes('\r')) return both;
  return [...both, ...ways.map((way) => () => way(text.replaceAll('\n', '\r\n')))];
}

const BEYOND_LATIN1 = /[^\0-\xff]/g;
const HIGH = Array.from({ length: 32 }, (_, i) => 0x80 + i);
/** What windows-1252 has at 0x80 to 0x9F, as latin-1 has it there. */
const WINDOWS_1252 = new Map(
  HIGH.map((byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), String.fromCharCode(byte)]),
);
