/** Detects a document's type by its first bytes, then by name and EDGAR's type: PNG data is called .jpg. */

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['txt', 'text/plain'],
  ['xml', 'application/xml'],
  ['xsd', 'application/xml'],
  ['xsl', 'application/xml'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['png', 'image/png'],
  ['bmp', 'image/bmp'],
  ['svg', 'image/svg+xml'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
  ['gz', 'application/gzip'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['doc', 'application/msword'],
  ['json', 'application/json'],
  ['js', 'text/javascript'],
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['paper', 'text/plain'],
]);

const HEAD_BYTES = 4096;
const HTML_HEAD = /<(?:html|!doctype\s+html|head|body)[\s>]/i;
const HTML_TAG = /<(?:div|p|br|font|center|span|td|tr|h[1-6]|b|a|hr|pre)(?:\s[^<>]*)?\/?>/i;

const HTML_HERE = new RegExp(`${HTML_HEAD.source}|${HTML_TAG.source}`, 'iy');

/**
 * The media type of a document, without parameters: `text/html`, `text/plain`, `application/xml`, `image/jpeg`, `application/pdf` …
 * @param bytes the document's bytes; the first 4,096 are looked at
 */
export function mediaType(document: { filename: string | null; type: string | null }, bytes: Buffer): string {
  const binary = magicType(bytes);
  const extension = /\.([a-z0-9]{1,5})$/i.exec(document.filename ?? '')?.[1]?.toLowerCase();
  const named = extension === undefined ? undefined : BY_EXTENSION.get(extension);
  if (binary) {
    // Today's spreadsheets and word files are ZIP archives: the name says more than the bytes.
    return binary === 'application/zip' && named?.includes('officedocument') ? named : binary;
  }
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head.includes(0)) return named && !isTextual(named) ? named : 'application/octet-stream';
  if (named && named !== 'text/plain' && named !== 'application/xml' && named !== 'text/html') return named;
  return textType(head.toString('latin1'), named);
}

function textType(head: string, named: string | undefined): string {
  const start = head.replace(/^(?:\u00ef\u00bb\u00bf)?\s+/, '');
  if (/^<\?xml/i.test(start)) {
    // Inline XBRL is XHTML: for readers it is HTML.
    return HTML_HEAD.test(head) || named === 'text/html' ? 'text/html' : 'application/xml';
  }
  if (HTML_HEAD.test(head)) return 'text/html';
  if (named) return named;
  return HTML_TAG.test(head) ? 'text/html' : 'text/plain';
}

function magicType(bytes: Buffer): string | null {
  const ascii = bytes.toString('latin1', 0, 12);
  if (ascii.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (ascii.startsWith('GIF8')) return 'image/gif';
  if (ascii.startsWith('\x89PNG')) return 'image/png';
  if (ascii.startsWith('%PDF-')) return 'application/pdf';
  if (ascii.startsWith('PK\x03\x04')) return 'application/zip';
  if (ascii.startsWith('\x1f\x8b')) return 'application/gzip';
  if (ascii.startsWith('\xd0\xcf\x11\xe0')) return 'application/vnd.ms-excel';
  if (ascii.startsWith('BM') && bytes.length > 14 && bytes.readUInt32LE(6) === 0) return 'image/bmp';
  if (/^(?:II\*\0|MM\0\*)/.test(ascii)) return 'image/tiff';
  return null;
}

/** Whether a document of this type is text, so that `document` returns it as a string. */
export function isTextual(type: string): boolean {
  return /^(?:text\/.*|application\/(?:xml|json|xhtml\+xml)|image\/svg\+xml)$/.test(type);
}

/** Whether a text holds HTML markup rather than the typewritten pages of the 1990s (whose SGML tags are not HTML). Looks at the first 64 Ki characters. */
export function looksLikeHtml(text: string): boolean {
  return markupIn(text) === 'html';
}

/** Whether a text is typewritten pages although a converter put the tags of an HTML page around them. */
export function isWrapped(text: string): boolean {
  return markupIn(text) === 'wrapped';
}

/** Tags that say nothing of lines, and those of typewritten tables and pages. */
const AROUND = /^<(?:html|!doctype|head|body|div)[\s>]/i;
const OF_TYPEWRITER = /<(?:caption|s|c|page)>/i;

function markupIn(text: string): 'html' | 'wrapped' | null {
  const head = text.length > 65_536 ? text.slice(0, 65_536) : text;
  let isAround = false;
  // Typewritten pages have few tags: a search for `<` is faster than the expressions.
  for (let at = head.indexOf('<'); at >= 0; at = head.indexOf('<', at + 1)) {
    HTML_HERE.lastIndex = at;
    if (!HTML_HERE.test(head)) continue;
    if (!AROUND.test(head.slice(at, at + 12))) return 'html';
    isAround = true;
  }
  return !isAround ? null : OF_TYPEWRITER.test(head) ? 'wrapped' : 'html';
}
