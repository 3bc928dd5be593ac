/**
 * Makes a filer's HTML safe, and able to share a page with other documents. Scripts, frames, refresh (which would navigate even
 * with scripts and network off) and external content are removed. Its pictures are inlined. Its ids, and the links to them, are
 * made unique.
 */
import sanitizeHtml, { type Attributes, type IOptions, type Tag } from 'sanitize-html';

/** The library's own list, and what filings have besides: pictures, and markup of the 1990s. */
const TAGS = [
  ...sanitizeHtml.defaults.allowedTags,
  ...['acronym', 'big', 'center', 'del', 'dir', 'font', 'img', 'ins', 'strike', 'tt'],
];

const ATTRIBUTES = [
  'align',
  'bgcolor',
  'border',
  'bordercolor',
  'cellpadding',
  'cellspacing',
  'class',
  'clear',
  'color',
  'colspan',
  'dir',
  'face',
  'frame',
  'height',
  'hspace',
  'id',
  'lang',
  'noshade',
  'nowrap',
  'rowspan',
  'rules',
  'size',
  'span',
  'start',
  'style',
  'title',
  'type',
  'valign',
  'value',
  'vspace',
  'width',
];

/** A picture inside the document. */
const OWN_DATA = /^data:image\/(?:png|jpeg|gif);base64,/i;

interface CleaningOptions {
  /** Prefix of the document's ids: `d3-` */
  idPrefix: string;
  /** Anchors whose name begins with this are ours. The rest of the name becomes their id, without prefix */
  anchorKey: string;
  /** File name in lower case → data URI */
  pictures: ReadonlyMap<string, string>;
}

interface CleanedHtml {
  html: string;
  /** The document's own style sheets */
  css: string;
}

/** Cleans 8 to 16 MB/s: a third of a second for a 10-K of 3 MB. So it never runs on the thread that answers requests. */
export function cleanHtml(text: string, options: CleaningOptions): CleanedHtml {
  const settings: IOptions = {
    allowedTags: TAGS,
    allowedAttributes: { '*': ATTRIBUTES, a: ['href', 'name'], img: ['src', 'alt'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    // Dropped with their content; ix:header has the hidden facts of inline XBRL.
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'ix:header', 'iframe', 'object', 'svg'],
    transformTags: {
      body: 'div',
      '*': (tagName, attributes) => transform(tagName, attributes, options),
    },
  };
  return { html: sanitizeHtml(text, settings), css: styleSheetsOf(text) };
}

function transform(tagName: string, attributes: Attributes, options: CleaningOptions): Tag {
  const { idPrefix, anchorKey } = options;
  if (attributes.name?.startsWith(anchorKey)) {
    return { tagName: 'a', attribs: { id: attributes.name.slice(anchorKey.length) } };
  }
  if (attributes.id) attributes.id = `${idPrefix}${attributes.id}`;
  if (tagName === 'a') {
    if (attributes.name && !attributes.id) attributes.id = `${idPrefix}${attributes.name}`;
    delete attributes.name;
    const target = attributes.href?.trim();
    if (target?.startsWith('#')) attributes.href = `#${idPrefix}${target.slice(1)}`;
    // In a PDF a link to another file of the filing would be broken.
    else if (target !== undefined && !/^(https?:\/\/|mailto:)/i.test(target)) delete attributes.href;
  }
  if (tagName === 'img') {
    const picture = options.pictures.get(fileNameOf(attributes.src));
    if (picture !== undefined) attributes.src = picture;
    else if (!OWN_DATA.test(attributes.src ?? '')) delete attributes.src;
  }
  return { tagName, attribs: attributes };
}

function fileNameOf(source: string | undefined): string {
  const path = (source ?? '').split(/[?#]/, 1)[0]!;
  return path
    .slice(path.lastIndexOf('/') + 1)
    .trim()
    .toLowerCase();
}

/** Searches without folding the text: the lower case of some letters (`\u0130`) has another length, which would shift positions. */
function styleSheetsOf(text: string): string {
  const sheets: string[] = [];
  const opening = /<style/gi;
  const closing = /<\/style/gi;
  while (opening.exec(text)) {
    const start = text.indexOf('>', opening.lastIndex) + 1;
    closing.lastIndex = start;
    const end = start > 0 ? closing.exec(text)?.index : undefined;
    if (end === undefined) break;
    sheets.push(text.slice(start, end).replace('<!--', '').replace('-->', ''));
    opening.lastIndex = closing.lastIndex;
  }
  return sheets.join('\n');
}
