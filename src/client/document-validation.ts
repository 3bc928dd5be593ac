/**
 * Detects answers that are not a document: a proxy's web page or an empty body from a service that sends bytes, or a truncated text.
 * Most documents are web pages themselves, and the interface shows neither the transport nor the basis of `size` and `sha256`. So
 * the answers seen so far show how a service sends documents. Before that, a doubtful answer is requested again, and accepted if
 * both copies are identical.
 */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { textAsStated } from './charset.ts';
import { isHtml } from './error-answers.ts';
import { ServiceFailedError } from './errors.ts';
import type { Headers } from './quota.ts';

/** Known facts of a document before its request. Null or absent: unknown. */
export interface KnownOfDocument {
  filename?: string | null | undefined;
  /** In bytes */
  size?: number | null | undefined;
}

/** How a service has sent documents until now. */
export class DocumentHabits {
  /** Sends texts in JSON, as texts. */
  givesJson = false;
  /** Sends texts as bytes. */
  givesBytes = false;
  /** `size` and `sha256` once matched their text; or once they didn't, and the service repeated its answer. */
  measuresContent = false;
  measuresOther = false;
  /** Of documents sent as bytes: their size in filing_info or the lookup. Of those sent as base64: the digest beside them. */
  readonly sizes = new Measure();
  readonly digests = new Measure();
}

/** Whether the figures of a service are of its documents. If they once were, or nothing is known, other ones are doubtful. */
class Measure {
  #agreed = false;
  #differed = false;

  /** @param isRepeated the service gave the same answer twice: then it is the document */
  isDoubtful(agrees: boolean, isRepeated: boolean): boolean {
    this.#agreed ||= agrees;
    if (agrees || (this.#differed && !this.#agreed)) return false;
    this.#differed ||= isRepeated;
    return !isRepeated;
  }
}

/** For one document, over all attempts. */
export class DocumentValidator {
  readonly #habits: DocumentHabits;
  readonly #known: KnownOfDocument;
  /** The last doubtful answer. */
  #doubted: Buffer | null = null;

  constructor(habits: DocumentHabits, known: KnownOfDocument) {
    this.#habits = habits;
    this.#known = known;
  }

  /** @param isText by its media type @throws ServiceFailedError if the bytes are not a document, or are doubtful */
  ofBytes(headers: Headers, body: Buffer, isText: boolean): void {
    const habits = this.#habits;
    if (body.length !== this.#known.size) {
      const isRepeated = this.#cameBefore(body);
      if (body.length === 0) {
        if (habits.givesJson || !habits.givesBytes || !isRepeated) throw noDocument('an empty body');
        return;
      }
      if (isHtml(headers, body)) this.#ofHtml(body, isRepeated);
      else if (habits.givesJson) return;
      if (isText) this.#ofSize(body, isRepeated);
    } else habits.sizes.isDoubtful(true, false);
    if (isText) habits.givesBytes = true;
  }

  /** A connection that closes early, without a stated length, looks like the end of the document. */
  #ofSize(body: Buffer, isRepeated: boolean): void {
    const size = this.#known.size ?? 0;
    const agrees = size === 0 || agreesWith(decodedText(body), size, null) !== false;
    if (size > 0 && this.#habits.sizes.isDoubtful(agrees, isRepeated))
      throw noDocument('a body that may not be whole: the service states another size');
  }

  #ofHtml(body: Buffer, isRepeated: boolean): void {
    const { givesJson, givesBytes } = this.#habits;
    if (isOfOtherKind(this.#known.filename) && /^\s*<(!doctype html|html)\b/i.test(body.toString('latin1', 0, 200))) {
      throw noDocument('a web page in place of the document');
    }
    if (givesJson && !givesBytes) throw noDocument("a web page, not the service's answer");
    if (givesJson === givesBytes && !isRepeated) throw noDocument('a web page, perhaps not the document');
  }

  /**
   * A text sent in JSON, for the document.
   * @throws ServiceFailedError if it doesn't match its `size` and `sha256`, and the service measures the text
   */
  ofText(body: Buffer, text: string, size: number | null, sha256: string | null): void {
    const habits = this.#habits;
    habits.givesJson = true;
    if (habits.measuresOther) return;
    const agrees = agreesWith(text, size, sha256);
    if (agrees === null) return;
    if (agrees) habits.measuresContent = true;
    else if (habits.measuresContent) throw noDocument("content that does not match the answer's size and sha256");
    else if (this.#cameBefore(body)) habits.measuresOther = true;
    else throw noDocument("content that may not match the answer's size and sha256");
  }

  /** Bytes sent in JSON, as base64. @throws ServiceFailedError if they don't match their `sha256`, and came only once */
  ofBase64(body: Buffer, digest: string, stated: string | null): void {
    if (stated === null || !/^[0-9a-f]{64}$/i.test(stated)) return;
    const agrees = digest === stated.toLowerCase();
    if (this.#habits.digests.isDoubtful(agrees, !agrees && this.#cameBefore(body)))
      throw noDocument("content that may not match the answer's sha256");
  }

  #cameBefore(body: Buffer): boolean {
    const before = this.#doubted;
    this.#doubted = body;
    return before?.equals(body) ?? false;
  }
}

/** As it states; else UTF-8 if it is entirely valid, else windows-1252, as in the contract. */
export function decodedText(bytes: Buffer, headers: Headers = {}): string {
  const stated = textAsStated(bytes, headers);
  if (stated !== null) return stated;
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

function noDocument(what: string): ServiceFailedError {
  return new ServiceFailedError(`document answered 200 with ${what}`, 200);
}

/** Whether a file of this name can't be a web page. EDGAR names rendered forms `xslF345X05/form4.xml`: those are web pages. */
function isOfOtherKind(filename: string | null | undefined): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(filename ?? '')?.[1];
  return extension !== undefined && !/^(x?html?|txt)$/i.test(extension) && !/^xsl[^/]*\//i.test(filename ?? '');
}

/**
 * Whether size and digest (if both are given, only the digest) match the bytes of a text, in one of the ways to convert bytes to
 * text. Null: unknown.
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

/** As UTF-8, with its byte order mark, as windows-1252; each with the possible line ends. */
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
/** Characters of windows-1252 at 0x80 to 0x9F. */
const WINDOWS_1252 = new Map(
  HIGH.map((byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), String.fromCharCode(byte)]),
);
