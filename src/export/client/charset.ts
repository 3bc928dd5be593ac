/** The encoding of an answer's text: as its marks and its Content-Type state, where the bytes agree. */
import { isUtf8 } from 'node:buffer';
import { type Headers, headerText } from './quota.ts';

/** A text in which no encoding fits all bytes. */
export class MixedEncodings extends SyntaxError {}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? body.subarray(UTF8_MARK.length) : body;
}

/**
 * The text, if its encoding is neither UTF-8 nor windows-1252; null: it is one of these, or both. Valid UTF-8 counts for more than a
 * stated charset: many servers state one by default, usually ISO-8859-1, which means windows-1252.
 * @throws MixedEncodings if it is not in the encoding that it states
 */
export function textAsStated(body: Buffer, headers: Headers): string | null {
  const wide = wideEncodingOf(body);
  if (wide !== null) return decoded(body, wide);
  if (isUtf8(body)) return null;
  const stated = /charset\s*=\s*["']?([^\s"';,]+)/i.exec(headerText(headers, 'content-type') ?? '')?.[1];
  const charset = stated === undefined ? null : knownEncoding(stated);
  return charset === null || /^(utf-8|utf-16..|windows-1252)$/.test(charset) ? null : decoded(body, charset);
}

/** UTF-16 by its mark, or by the zero bytes of its first character, which is never zero in a text. */
function wideEncodingOf([first, second]: Buffer): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? 'utf-16be' : null;
}

/** As TextDecoder names it; null if it knows no such encoding. */
function knownEncoding(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function decoded(body: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch {
    throw new MixedEncodings(`the answer is not in ${encoding}, as it states`);
  }
}

const QUOTE = 0x22;

/**
 * JSON as UTF-8, without a mark: the same bytes if they are. Without another charset, a string that is not UTF-8 is windows-1252, and
 * the other strings are UTF-8.
 * @throws MixedEncodings if both are in one string: its characters can't be known
 */
export function jsonInUtf8(body: Buffer, headers: Headers): Buffer {
  const text = textAsStated(body, headers);
  if (text !== null) return Buffer.from(text, 'utf8');
  const bytes = withoutMark(body);
  if (isUtf8(bytes)) return bytes;
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const quote = bytes.indexOf(QUOTE, at);
    const end = quote === -1 ? bytes.length : quote + 1;
    const part = bytes.subarray(at, end);
    parts.push(isUtf8(part) ? part : Buffer.from(legacyText(part), 'utf8'));
    at = end;
  }
  return Buffer.concat(parts);
}

function legacyText(part: Buffer): string {
  // Characters beyond ASCII that are UTF-8, beside bytes that are not.
  if (/[^\0-\x7f\ufffd]/.test(part.toString('utf8')))
    throw new MixedEncodings('a text in it is partly UTF-8 and partly not');
  return new TextDecoder('windows-1252').decode(part);
}
