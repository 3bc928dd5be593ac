/** Tells what a file is by its first bytes; its name counts only where they leave it open. */

export type FileKind =
  | 'submission'
  | 'submissions_json'
  | 'tickers_json'
  | 'filing_index'
  | 'directory_json'
  | 'atom'
  | 'document'
  | 'page'
  | 'xml'
  | 'unknown';

/** As many bytes as are looked at; more than this needn't be given. */
export const HEAD_BYTES = 4096;

/**
 * @param name the file's name, without `.gz`
 * @param head its first bytes, decompressed, HEAD_BYTES where it has as many
 */
export function recogniseFile(name: string, head: Buffer): FileKind {
  const text = head
    .toString('latin1', 0, HEAD_BYTES)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^-----BEGIN PRIVACY-ENHANCED MESSAGE-----/.test(text)) return 'submission';
  if (/^<(SEC-DOCUMENT|IMS-DOCUMENT|SUBMISSION)>/.test(text)) return 'submission';
  if (/^<DOCUMENT>\s*<TYPE>/.test(text)) return 'document';
  if (text.startsWith('{')) return jsonKind(name, text);
  if (isFilingIndex(text)) return 'filing_index';
  if (text.startsWith('<')) return markupKind(name, text);
  return 'unknown';
}

function jsonKind(name: string, text: string): FileKind {
  const has = (key: string) => text.includes(`"${key}"`);
  if (/^\{\s*"directory"/.test(text)) return 'directory_json';
  if (has('cik_str') && has('ticker')) return 'tickers_json';
  if (/^\{\s*"fields"/.test(text) && has('cik') && has('ticker')) return 'tickers_json';
  // SEC's company facts are called CIK##########.json too.
  if (has('facts') && has('entityName')) return 'unknown';
  if (has('accessionNumber') || (has('cik') && (has('filings') || has('entityType')))) return 'submissions_json';
  return /^CIK\d{10}(-submissions-\d{3})?\.json$/.test(name) ? 'submissions_json' : 'unknown';
}

function isFilingIndex(text: string): boolean {
  return (
    /^Description:\s+(Master|Daily|Quarterly) Index of EDGAR/.test(text) ||
    /^(CIK\|Company Name\|Form Type|Form Type\s+Company Name|Company Name\s+Form Type)/.test(text)
  );
}

/** Titles of EDGAR's own pages, and of the errors that it, and servers and proxies before it, send in place of a file. */
const PAGE_TITLE =
  /^(SEC\.gov \||EDGAR Filing Documents for|SEC EDGAR Submission|EDGAR Search Results|EDGAR \||\d{3}\b.*(error|forbidden|not found|unavailable|gateway|timeout|too many)|error\b|access denied|forbidden|not found|bad gateway|service unavailable)/i;

function markupKind(name: string, text: string): FileKind {
  const root = rootElement(text);
  if (root === 'feed') return 'atom';
  // What EDGAR's storage says of a file that isn't there, or that it doesn't give.
  if (root === 'error' && /<Code>/.test(text)) return 'page';
  if (root === 'html' || /^<!DOCTYPE\s+html/i.test(text)) {
    const title = /<title>\s*([^<]*)/i.exec(text)?.[1] ?? '';
    return PAGE_TITLE.test(title) ? 'page' : 'document';
  }
  if (/\.html?$/i.test(name)) return 'document';
  return text.startsWith('<?xml') || /\.(xml|xsd)$/i.test(name) ? 'xml' : 'unknown';
}

/** The first element's name in small letters, behind declarations, comments and doctype; null where the head doesn't reach to it. */
function rootElement(text: string): string | null {
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++;
    const end = text.startsWith('<?', at)
      ? '?>'
      : text.startsWith('<!--', at)
        ? '-->'
        : text.startsWith('<!', at)
          ? '>'
          : null;
    if (end === null) return /^<([\w.:-]+)/.exec(text.slice(at))?.[1]?.toLowerCase() ?? null;
    const found = text.indexOf(end, at);
    if (found < 0) return null;
    at = found + end.length;
  }
}
