/** The characters of a text as bytes, for the loops that read every one. */

/** Bytes of most documents. New ones for each document would cost a tenth of its reading. */
let spare: Buffer | null = Buffer.allocUnsafeSlow(1 << 23);

/** Reads a text with a byte for each of its UTF-16 units, for fast loops. Above U+00FF blanks are a no-break space, all others a letter. */
export function withUnits<T>(source: string, read: (units: Uint8Array) => T): T {
  const own = spare;
  // A reader within this one has its own.
  spare = null;
  const bytes = own !== null && own.length >= source.length ? own : Buffer.allocUnsafe(source.length);
  const result = read(unitsOf(source, bytes.subarray(0, source.length)));
  spare = own;
  return result;
}

function unitsOf(source: string, bytes: Buffer): Uint8Array {
  if (!BEYOND_LATIN_1.test(source)) {
    bytes.write(source, 'latin1');
    return bytes;
  }
  for (let i = 0; i < bytes.length; i++) {
    const code = source.charCodeAt(i);
    bytes[i] = code < 0x100 ? code : isBlank(code) ? 0xa0 : 0xff;
  }
  return bytes;
}

const BEYOND_LATIN_1 = /[^\0-\u00ff]/;

/** White space that a reader doesn't see as a character: blanks, no-break and zero-width spaces, soft hyphen. */
export function isBlank(code: number): boolean {
  return (
    code <= 0x20 ||
    code === 0xa0 ||
    code === 0xad ||
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x2060 ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** Of ASCII */
export function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

let squeezed = Buffer.allocUnsafe(1024);

/** Letters and digits, lower case. @param most how many of them */
export function squeeze(text: string, most = text.length): string {
  if (squeezed.length < text.length) squeezed = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let i = 0; i < text.length && length < most; i++) {
    const code = text.charCodeAt(i);
    if (isLetter(code) || (code >= 0x30 && code <= 0x39)) squeezed[length++] = code | 0x20;
  }
  return squeezed.toString('latin1', 0, length);
}
