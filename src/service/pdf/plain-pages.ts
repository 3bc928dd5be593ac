/** Typewritten pages of the 1990s: EDGAR's `<PAGE>` marks pages, and a few SGML tags mark tables that were set in columns of characters. */

export interface PlainPages {
  pages: string[];
  /** Characters of the longest line, odd ones out left aside */
  columns: number;
  /** Lines of the longest page, odd ones out left aside */
  lines: number;
}

const PAGE_MARK = /^[ \t]*<PAGE>.*$/im;
/** Alone on a line they are the line; elsewhere they are as wide as what stands in the columns below. */
const TABLE_TAGS = /<\/?(?:TABLE|CAPTION|S|C|FN|F\d+|TEXT|PAGE|MULTIPLIER|LEGEND|ARTICLE)>/gi;

/** @param text as the document has it, positions marked by characters of the private use area left alone */
export function plainPages(text: string): PlainPages {
  const pages = text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\f', '\n<PAGE>\n')
    .split(new RegExp(PAGE_MARK, 'gim'))
    .map(readablePage)
    .filter((page) => page.trim() !== '');
  const lines = pages.map((page) => page.split('\n'));
  const widths = lines.flat().map((line) => line.length);
  return {
    pages,
    columns: quantile(widths, 0.995),
    lines: quantile(
      lines.map((page) => page.length),
      0.9,
    ),
  };
}

function readablePage(page: string): string {
  return page
    .split('\n')
    .flatMap((line) => {
      if (!line.includes('<')) return [line.trimEnd()];
      const bare = line.replace(TABLE_TAGS, (tag) => ' '.repeat(tag.length)).trimEnd();
      return bare === '' ? [] : [bare];
    })
    .join('\n')
    .replace(/\n{4,}/g, '\n\n\n')
    .replace(/^\n+|\n+$/g, '');
}

function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
