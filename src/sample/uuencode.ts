/** uuencode as EDGAR's files have it. */

export interface UuencodeOptions {
  /** the character for zero: a blank in most files, a backtick in some */
  zero: ' ' | '`';
  /** trailing blanks are lost, as in nearly all files of EDGAR */
  stripped: boolean;
  /** the characters for the bytes that fill up the last group: blanks, or `!` as in many files */
  filler: 'zero' | '!';
  /** double the dot of a last line that starts with one, as mail does */
  dotStuffed: boolean;
  /** leave `end` out */
  unended?: boolean;
}

const BYTES_A_LINE = 45;

/** @returns `begin 644 NAME` to `end`, with a line end after each line */
export function uuencode(bytes: Buffer, name: string, options: UuencodeOptions): Buffer {
  const zero = options.zero.charCodeAt(0);
  const lines = Math.ceil(bytes.length / BYTES_A_LINE);
  const out = Buffer.alloc(lines * 63 + name.length + 24);
  let at = out.write(`begin 644 ${name}\n`, 'latin1');
  const code = (six: number) => (six === 0 ? zero : six + 32);
  for (let start = 0; start < bytes.length; start += BYTES_A_LINE) {
    const length = Math.min(BYTES_A_LINE, bytes.length - start);
    const lineStart = at;
    out[at++] = code(length);
    for (let i = 0; i < length; i += 3) {
      const a = bytes[start + i]!;
      const b = i + 1 < length ? bytes[start + i + 1]! : 0;
      const c = i + 2 < length ? bytes[start + i + 2]! : 0;
      out[at++] = code(a >> 2);
      out[at++] = code(((a & 3) << 4) | (b >> 4));
      out[at++] = code(((b & 15) << 2) | (c >> 6));
      out[at++] = code(c & 63);
    }
    if (options.filler === '!') for (let i = 0; i < (3 - (length % 3)) % 3; i++) out[at - 1 - i] = 0x21;
    if (options.stripped) while (at > lineStart + 1 && out[at - 1] === 0x20) at--;
    // Only a whole line of 22 characters can be distinguished from one that starts with two dots of its own.
    if (options.dotStuffed && out[lineStart] === 0x2e && at - lineStart === 21) {
      out.copyWithin(lineStart + 1, lineStart, at);
      at++;
    }
    out[at++] = 0x0a;
  }
  at += out.write(options.zero === '`' ? '`\n' : options.stripped ? '\n' : ' \n', at, 'latin1');
  if (!options.unended) at += out.write('end\n', at, 'latin1');
  return out.subarray(0, at);
}
