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
import { ContractViolationError, ServiceFailedError } from './errors.ts';
import type { Headers } from './quota.ts';

/** Known facts of a document before its request. Null or absent: unknown. */
export interface KnownOfDocument {
  document_id?: string | undefined;
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
  /** By kind of file: whether the sizes of filing_info or the lookup are those of the texts. */
  readonly #ofKind = new Map<string, KindOfSizes>();

  sizesOf(filename: string | null | undefined): KindOfSizes {
    const kind = /\.([a-z0-9]+)$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
    const sizes = this.#ofKind.get(kind) ?? { agreed: false, shorter: [] };
    this.#ofKind.set(kind, sizes);
    return sizes;
  }
}

interface KindOfSizes {
  /** A text had the stated size. */
  agreed: boolean;
  /** Lengths of texts that were shorter, each in two answers, and unlike the others. */
  readonly shorter: number[];
}

/**
 * So many texts that are all shorter, none of the stated size, show that a service counts something else: wrappers, or the whole
 * submission. Until then a shorter text is taken for a cut one.
 */
const OTHER_MEASURE_MIN = 3;
/** Lengths that differ by less are alike: a limit of characters, or of whole words, cuts texts to about as many bytes. */
const ALIKE_PART = 0.05;
/** Bytes of a line end. */
const LINE_END = 2;

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
    const { size } = this.#known;
    if (isText && body.length === size) habits.sizesOf(this.#known.filename).agreed = true;
    if (body.length !== size) {
      const isRepeated = this.#cameBefore(body);
      if (body.length === 0) {
        if (isRepeated && size) throw this.#cut(0, size);
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
    const { agreed } = this.#habits.sizesOf(this.#known.filename);
    if (!agrees && body.length < size && isRepeated && agreed) throw this.#cut(body.length, size);
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

  /** A text sent in JSON. @throws ServiceFailedError: not of its `size` and `sha256`, which the service does measure */
  ofText(body: Buffer, text: string, size: number | null, sha256: string | null): void {
    this.#habits.givesJson = true;
    if (this.#ofOwnMeasures(body, text, size, sha256)) {
      if (size === this.#known.size) this.#habits.sizesOf(this.#known.filename).agreed = true;
      return;
    }
    const isOfSize = text === '' ? false : agreesWith(text, this.#known.size ?? null, null);
    if (isOfSize === null) return;
    const { agreed } = this.#habits.sizesOf(this.#known.filename);
    const longest = () => Math.max(...lengthsOf(text));
    const length = Buffer.byteLength(text);
    // Some line ends of a text may have been shortened. That is not likely if others of the service have their stated size.
    if (isOfSize) this.#ofKnownSize(body, null);
    else if (text === '' || agreed || longest() + LINE_END < (this.#known.size ?? 0)) this.#ofKnownSize(body, length);
  }

  /**
   * Content that is shorter than the size that another answer states.
   * @param length null: it is of that size
   * @throws ServiceFailedError at first; ContractViolationError if the service repeats it, and its sizes are not of something else
   */
  #ofKnownSize(body: Buffer, length: number | null): void {
    const { size, filename } = this.#known;
    if (!size) return;
    const sizes = this.#habits.sizesOf(filename);
    if (length === null || length === size) sizes.agreed = true;
    // Longer content is not cut: the service counts characters, or something else. The last line end may have been left out.
    if (length === null || (length > 0 && length + LINE_END >= size)) return;
    const isOther = () => length > 0 && !sizes.agreed && sizes.shorter.length >= OTHER_MEASURE_MIN;
    if (isOther()) return;
    if (!this.#cameBefore(body)) throw noDocument('content that may be cut: it is shorter than the stated size');
    if (sizes.shorter.every((one) => Math.abs(one - length) > ALIKE_PART * Math.max(one, length)))
      sizes.shorter.push(length);
    if (!isOther()) throw this.#cut(length, size);
  }

  #cut(length: number, size: number): ContractViolationError {
    const { document_id = null } = this.#known;
    const violation = { path: 'content', value: `${length} bytes`, subject: document_id };
    return new ContractViolationError('document', violation, `the size of the document is ${size} bytes`);
  }

  /** @returns whether the text is of the size and digest beside it */
  #ofOwnMeasures(body: Buffer, text: string, size: number | null, sha256: string | null): boolean {
    const habits = this.#habits;
    if (habits.measuresOther) return false;
    const agrees = agreesWith(text, size, sha256);
    if (agrees === null) return false;
    if (agrees) habits.measuresContent = true;
    else if (habits.measuresContent) throw noDocument("content that does not match the answer's size and sha256");
    else if (this.#cameBefore(body)) habits.measuresOther = true;
    else throw noDocument("content that may not match the answer's size and sha256");
    return agrees;
  }

  /**
   * Bytes sent in JSON, as base64. @param length null: as the answer states it
   * @throws ServiceFailedError if they don't match their `sha256`, and came only once; as a text that is cut
   */
  ofBase64(body: Buffer, length: number | null, digest: string, stated: string | null): void {
    if (length !== null) this.#ofKnownSize(body, length);
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

/** Whether size and digest (of both, only the digest) fit the text, in one of the ways to make bytes. Null: unknown. */
function agreesWith(text: string, size: number | null, sha256: string | null): boolean | null {
  const isDigest = sha256 !== null && /^[0-9a-f]{64}$/i.test(sha256);
  if ((size === null && !isDigest) || text.includes('\ufffd')) return null;
  return isDigest ? hasDigest(text, sha256.toLowerCase()) : lengthsOf(text).includes(size!);
}

/** Ends of lines that may have been shortened. */
const lineEndsOf = (text: string): readonly string[] => (text.includes('\r') ? ['\n'] : ['\n', '\r\n']);

/** Bytes of a text as UTF-8, with its byte order mark, as windows-1252; each with the possible line ends. A long text is not copied for it. */
function lengthsOf(text: string): number[] {
  const utf8 = Buffer.byteLength(text);
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lineEndsOf(text).flatMap((end) =>
    [utf8, utf8 + BYTE_ORDER_MARK.length, text.length].map((length) => length + (end.length - 1) * lines),
  );
}

/** Whether it is the digest of a text in one of these ways. */
function hasDigest(text: string, sha256: string): boolean {
  const hash = () => createHash('sha256');
  const inWindows1252 = (one: string) => one.replace(BEYOND_LATIN1, (found) => WINDOWS_1252.get(found) ?? found);
  return lineEndsOf(text).some((end) => {
    const one = end === '\n' ? text : text.replaceAll('\n', end);
    const ways = [
      () => hash().update(one, 'utf8'),
      () => hash().update(BYTE_ORDER_MARK).update(one, 'utf8'),
      () => hash().update(inWindows1252(one), 'latin1'),
    ];
    return ways.some((way) => way().digest('hex') === sha256);
  });
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const BEYOND_LATIN1 = /[^\0-\xff]/g;
const HIGH = Array.from({ length: 32 }, (_, i) => 0x80 + i);
/** Characters of windows-1252 at 0x80 to 0x9F. */
const WINDOWS_1252 = new Map(
  HIGH.map((byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), String.fromCharCode(byte)]),
);
