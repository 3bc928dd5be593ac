/** The text of a member of a JSON object, as it was sent: a number has all its digits, and members keep their order. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_LIST = 0x5d;

/**
 * @param body valid JSON
 * @returns the text of the value; of a name that occurs twice the last one, as JSON.parse has it; null if the object has no such member
 */
export function memberText(body: Buffer, name: string): string | null {
  let found: string | null = null;
  let at = body.indexOf(OPEN_OBJECT) + 1;
  for (;;) {
    const start = body.indexOf(QUOTE, at);
    if (start === -1) return found;
    const end = afterText(body, start);
    const valueStart = body.indexOf(0x3a, end) + 1;
    at = afterValue(body, valueStart);
    if (JSON.parse(body.toString('utf8', start, end)) === name) found = body.toString('utf8', valueStart, at).trim();
    if (body[at] !== COMMA) return found;
  }
}

/** @param at of its first quote */
function afterText(body: Buffer, at: number): number {
  let i = at + 1;
  while (i < body.length && body[i] !== QUOTE) i += body[i] === BACKSLASH ? 2 : 1;
  return i + 1;
}

/** @returns the position of the comma or the bracket after the value */
function afterValue(body: Buffer, at: number): number {
  let depth = 0;
  for (let i = at; i < body.length; i++) {
    const byte = body[i]!;
    if (byte === QUOTE) i = afterText(body, i) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return i;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
  }
  return body.length;
}
