/** Parses JSON, with or without a byte order mark: some services write one, and RFC 8259 allows ignoring it. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, MARK.length).equals(MARK) ? body.subarray(MARK.length) : body;
}

/** @throws SyntaxError */
export function parsedJson(body: Buffer): unknown {
  return JSON.parse(withoutMark(body).toString('utf8')) as unknown;
}
