/** JSON as it comes: with a byte order mark before it from services that write files first, which RFC 8259 lets a reader pass over. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, MARK.length).equals(MARK) ? body.subarray(MARK.length) : body;
}

/** @throws SyntaxError */
export function parsedJson(body: Buffer): unknown {
  return JSON.parse(withoutMark(body).toString('utf8')) as unknown;
}
