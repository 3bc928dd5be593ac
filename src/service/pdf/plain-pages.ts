/** Typewritten pages of the 1990s: EDGAR's `<PAGE>` marks pages, and a few SGML tags mark tables that were set in columns of characters. */

const PAGE_MARK = /^[ \t]*<PAGE>.*$/gim;
/** Alone on a line they fill the line; elsewhere they are as wide as the cells in the columns below. */
const TABLE_TAGS = /<\/?(?:TABLE|CAPTION|S|C|FN|F\d+|TEXT|PAGE|MULTIPLIER|LEGEND|ARTICLE)>/gi;

/** The pages of a text with page marks, without empty ones. A text without marks is one page. */
export function plainPages(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\f', '\n<PAGE>\n')
    .split(PAGE_MARK)
    .map(readablePage)
    .filter((page) => page.trim() !== '');
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
