/** A long text in pieces, for a reader that holds only the part that it needs. */

/** Most tags are shorter (UTF-16 units). A longer one is read again when more of the text is there. */
const USUAL_TAG = 8_192;
const CARRIAGE_RETURN = 0x0d;

export class TextPieces {
  readonly #pieces: Iterator<string>;
  /** The last character of a piece, if it may belong to the first of the next: a carriage return, half a character. */
  #held = '';
  /** Text to have in memory behind the start of a tag, in UTF-16 units. */
  readonly ahead: number;

  constructor(pieces: Iterable<string>, ahead = USUAL_TAG) {
    this.#pieces = pieces[Symbol.iterator]();
    this.ahead = ahead;
  }

  /** The next piece with line ends as LF, never empty; null at the end. */
  next(): string | null {
    for (;;) {
      const { value, done } = this.#pieces.next();
      if (done === true) {
        const rest = this.#held;
        this.#held = '';
        return rest === '' ? null : unixLines(rest);
      }
      const text = this.#held + value;
      const last = text.charCodeAt(text.length - 1);
      const whole = last === CARRIAGE_RETURN || (last & 0xfc00) === 0xd800 ? text.slice(0, -1) : text;
      this.#held = text.slice(whole.length);
      if (whole !== '') return unixLines(whole);
    }
  }
}

/** Line ends as XML has them. */
export function unixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
