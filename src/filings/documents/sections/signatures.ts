/** Finds the start of a report's signatures. */
import type { Line } from '../lines/lines.ts';
import { squeeze } from './item-titles.ts';

/**
 * The line of the SIGNATURES heading from `from` to before `to`; `to` without one.
 * @param last whether no item follows: then a heading without the words of the form, or these words without a heading, count
 */
export function signatureLine(lines: readonly Line[], from: number, to = lines.length, last = true): number {
  let alone = -1;
  for (let i = from; i < to; i++) {
    const line = lines[i]!;
    if (line.letters < 9 || line.letters > 400) continue;
    if (line.letters <= 14) {
      const code = line.text.charCodeAt(0) | 0x20;
      if ((code === 0x73 || code < 0x60) && /^signatures?(?:page)?$/.test(squeeze(line.text))) {
        if (lines.slice(i + 1, i + 9).some(({ text }) => SIGNATURE_TEXT.test(text))) return i;
        if (alone < 0 && last) alone = i;
      }
    } else if (last && line.letters > 40 && SIGNATURE_TEXT.test(line.text))
      return alone >= 0 && i - alone < 40 ? alone : i;
  }
  return alone >= 0 ? alone : to;
}

const SIGNATURE_TEXT =
  /^[^a-z]{0,6}(?:pursuant to the requirements? of\s+(?:the\s+)?(?:section|sections|securities|exchange)|in accordance with\s+(?:the requirements of\s+)?section\s+1[235]|.{0,160}has duly caused th)/i;
