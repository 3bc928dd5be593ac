/** The lines that EDGAR puts around some documents inside `<TEXT>`; the published file lacks them. */
import { isLineEnd, isLineStart, skipLineEnd, skipSpaceBack, startsWith } from '../reading/lines.ts';

/** A fixed list: `<HTML>` or `<PAGE>` on the first line belong to the document. */
const NAMES = ['XML', 'XBRL', 'PDF', 'ZIP', 'EXCEL', 'JSON'] as const;

interface Content {
  wrapper: string | null;
  start: number;
  end: number;
}

/** Takes the wrapper off a body that begins and ends with such a pair of lines: the line end before the closing tag stays with the content. */
export function unwrap(bytes: Buffer, start: number, end: number): Content {
  const wrapper = NAMES.find((name) => startsWith(bytes, `<${name}>`, start));
  if (wrapper === undefined) return { wrapper: null, start, end };
  const behindTag = start + wrapper.length + 2;
  const closing = skipSpaceBack(bytes, end, behindTag) - wrapper.length - 3;
  const contentStart = skipLineEnd(bytes, behindTag);
  const isPair =
    isLineEnd(bytes, behindTag) &&
    closing >= contentStart &&
    startsWith(bytes, `</${wrapper}>`, closing) &&
    isLineStart(bytes, closing);
  return isPair ? { wrapper, start: contentStart, end: closing } : { wrapper: null, start, end };
}
