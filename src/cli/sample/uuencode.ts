const BYTES_A_LINE = 45;

/** uuencode as nearly all of EDGAR's files have it: a blank for zero, trailing blanks lost. */
export function uuencode(bytes: Buffer, name: string): Buffer {
  const code = (six: number) => String.fromCharCode(six + 32);
  const lines = [`begin 644 ${name}`];
  for (let start = 0; start < bytes.length; start += BYTES_A_LINE) {
    const part = bytes.subarray(start, start + BYTES_A_LINE);
    let line = code(part.length);
    for (let i = 0; i < part.length; i += 3) {
      const [a = 0, b = 0, c = 0] = part.subarray(i, i + 3);
      line += code(a >> 2) + code(((a & 3) << 4) | (b >> 4)) + code(((b & 15) << 2) | (c >> 6)) + code(c & 63);
    }
    lines.push(line.trimEnd());
  }
  return Buffer.from(`${lines.join('\n')}\n\nend\n`, 'latin1');
}
