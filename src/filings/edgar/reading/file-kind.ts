/** A kind of EDGAR file: how it is recognised and read. Each has a folder here and a line in file-kinds.ts. */

/** Number of bytes that are looked at. */
export const HEAD_BYTES = 4096;

export interface FileKind<Name extends string = string> {
  /** `tickers_json`: in summaries and JSON */
  readonly name: Name;
  /** Recognised by the first bytes. The file's name counts only if they don't decide. */
  recognise(head: FileHead): boolean;
}

/** A kind whose files hold records. */
export interface RecordKind<Name extends string = string, Content = unknown> extends FileKind<Name> {
  /** @throws EdgarFileError or SubmissionError for bytes that are not a whole file of this kind */
  read(bytes: Buffer): Content;
}

export class FileHead {
  /** Without `.gz` */
  readonly name: string;
  /** One character a byte, from the first that isn't white space */
  readonly text: string;
  #root: string | null | undefined;

  constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.text = bytes.toString('latin1', 0, HEAD_BYTES).replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  }

  isJson(): boolean {
    return this.text.startsWith('{');
  }

  hasJsonKey(key: string): boolean {
    return this.text.includes(`"${key}"`);
  }

  isMarkup(): boolean {
    return this.text.startsWith('<');
  }

  /** Name of the first element in small letters; null without one, or if it is after the head. */
  get root(): string | null {
    this.#root ??= rootElement(this.text);
    return this.#root;
  }
}

/** A declaration, a comment, or the doctype. */
const BEFORE_ROOT = /\s*<(?:\?.*?\?|!--.*?--|!(?!--).*?)>/sy;

function rootElement(text: string): string | null {
  let at = 0;
  BEFORE_ROOT.lastIndex = 0;
  while (BEFORE_ROOT.test(text)) at = BEFORE_ROOT.lastIndex;
  return /^\s*<([\w.:-]+)/.exec(text.slice(at))?.[1]?.toLowerCase() ?? null;
}
