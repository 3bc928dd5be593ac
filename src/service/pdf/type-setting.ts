/** Sets lines of text in the fonts that every PDF reader has. These have only the characters of windows-1252. */
import { type PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';

export interface Fonts {
  regular: PDFFont;
  bold: PDFFont;
}

export const INK = rgb(0.1, 0.12, 0.16);
export const MUTED = rgb(0.42, 0.45, 0.5);
export const RULE = rgb(0.78, 0.8, 0.83);
export const ACCENT = rgb(0.09, 0.29, 0.5);

export async function embedFonts(pdf: PDFDocument): Promise<Fonts> {
  return {
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
}

const charactersOf = new WeakMap<PDFFont, ReadonlySet<number>>();

/** Replaces characters that the font lacks: letters by their base letter, the rest by `?`. */
export function settable(font: PDFFont, text: string): string {
  let known = charactersOf.get(font);
  if (!known) {
    known = new Set(font.getCharacterSet());
    charactersOf.set(font, known);
  }
  let out = '';
  for (const character of text.replace(/\s+/g, ' ').trim().normalize('NFC')) {
    if (known.has(character.codePointAt(0)!)) out += character;
    else out += [...character.normalize('NFKD')].filter((part) => known.has(part.codePointAt(0)!)).join('') || '?';
  }
  return out;
}

/** Lines no wider than `width` points; a word that is wider alone is cut. */
export function wrapped(font: PDFFont, text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of settable(font, text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (font.widthOfTextAtSize(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = shortened(font, word, size, width);
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** The text, cut with an ellipsis if it is wider than `width` points. */
export function shortened(font: PDFFont, text: string, size: number, width: number): string {
  const whole = settable(font, text);
  if (font.widthOfTextAtSize(whole, size) <= width) return whole;
  let low = 0;
  let high = whole.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (font.widthOfTextAtSize(`${whole.slice(0, middle).trimEnd()}…`, size) <= width) low = middle;
    else high = middle - 1;
  }
  return `${whole.slice(0, low).trimEnd()}…`;
}

/** Draws text that ends at `right`. */
export function drawRight(
  page: PDFPage,
  text: string,
  at: { right: number; y: number; size: number; font: PDFFont; color: ReturnType<typeof rgb> },
): void {
  const x = at.right - at.font.widthOfTextAtSize(text, at.size);
  page.drawText(text, { x, y: at.y, size: at.size, font: at.font, color: at.color });
}
