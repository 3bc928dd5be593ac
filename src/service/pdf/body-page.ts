/** The one HTML page that the browser prints: every document after the other, anchors where contents will point. */
import { randomBytes } from 'node:crypto';
import { sectionFamily } from '../../contract/index.ts';
import { cleanHtml } from './clean-html.ts';
import { BODY_HEIGHT_POINTS, bodyWidthPoints, type PageSize } from './page-geometry.ts';
import type { PdfSource, ShownDocument } from './pdf-source.ts';
import { plainPages } from './plain-pages.ts';

/** A line of the contents, and of the PDF's outline. */
export interface ContentsEntry {
  /** Name of the destination in the printed body */
  anchor: string;
  level: 0 | 1;
  label: string;
  title: string;
}

export interface BodyPage {
  html: string;
  entries: ContentsEntry[];
}

/** Widths and line heights of a fixed pitch font, in em. */
const CHARACTER_WIDTH_EM = 0.6;
const LINE_HEIGHT_EM = 1.14;
const LARGEST_TYPE_POINTS = 9.5;
const SMALLEST_TYPE_POINTS = 5.5;

export function bodyPage(source: PdfSource): BodyPage {
  // Not to be guessed by a filer's own markup: an anchor with this name is ours.
  const anchorKey = `${randomBytes(12).toString('hex')}-`;
  const entries: ContentsEntry[] = [];
  const parts: string[] = [];
  const sheets: string[] = [];
  for (const [index, document] of source.documents.entries()) {
    const id = `doc-${index}`;
    entries.push({ anchor: id, level: 0, ...documentTitle(document) });
    entries.push(...sectionEntries(source, document, index));
    const { html, css } = documentHtml(source, document, index, anchorKey);
    if (css.trim() !== '') sheets.push(`@scope (#box-${index}) {\n${css.replaceAll('</', '<\\/')}\n}`);
    parts.push(
      `<section class="fl-document"><a id="${id}"></a><div class="fl-box" id="box-${index}">${html}</div></section>`,
    );
  }
  // Chromium writes a destination only for an id that some link names.
  const links = entries.map(({ anchor }) => `<a href="#${anchor}">.</a>`).join('');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title></title><style>${STYLE}</style>
${sheets.map((sheet) => `<style>${sheet}</style>`).join('\n')}</head><body>${parts.join('\n')}<div class="fl-links">${links}</div></body></html>`;
  return { html, entries };
}

const STYLE = `
html { -webkit-print-color-adjust: exact; }
body { margin: 0; background: #fff; color: #000; font: 10pt/1.2 "Liberation Serif", "Times New Roman", Times, serif; }
section.fl-document { break-before: page; }
section.fl-document:first-child { break-before: auto; }
.fl-box { position: relative; overflow-wrap: break-word; }
.fl-box [style*="fixed"] { position: static !important; }
.fl-box img { max-width: 100%; }
.fl-box img:not([src]) { display: none; }
.fl-box table { max-width: 100%; }
.fl-box tr, .fl-box img { break-inside: avoid; }
.fl-box hr[style*="page-break"], .fl-box hr[style*="break-after"], .fl-box hr[style*="break-before"] { visibility: hidden; height: 0; margin: 0; }
pre.fl-page { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; line-height: ${LINE_HEIGHT_EM}; font-family: "Liberation Mono", "Courier New", monospace; }
pre.fl-page + pre.fl-page { break-before: page; }
.fl-picture { text-align: center; }
.fl-picture img { max-height: 9in; }
.fl-links { position: absolute; left: 0; top: 0; width: 1px; height: 1px; overflow: hidden; font-size: 1px; line-height: 1px; color: #fff; opacity: 0.01; }
`;

function documentTitle({ stored }: ShownDocument): { label: string; title: string } {
  const label = stored.type ?? `Document ${stored.sequence}`;
  const described = stored.description?.trim();
  const title = described && described.toUpperCase() !== label.toUpperCase() ? described : (stored.filename ?? '');
  return { label, title };
}

function sectionEntries(source: PdfSource, { stored, sections }: ShownDocument, index: number): ContentsEntry[] {
  const quarterly = sectionFamily(source.filing.form_type ?? stored.type ?? '') === '10-Q';
  return sections.map((section, position) => ({
    anchor: `doc-${index}-s${position}`,
    level: 1,
    label: quarterly ? section.section.replace(/^(I+)-(.*)$/, 'Part $1, Item $2') : `Item ${section.section}`,
    title: section.title || section.heading || '',
  }));
}

function documentHtml(
  source: PdfSource,
  document: ShownDocument,
  index: number,
  anchorKey: string,
): { html: string; css: string } {
  if (document.kind === 'picture') {
    return { html: `<div class="fl-picture"><img src="${document.dataUri}" alt=""></div>`, css: '' };
  }
  const starts = document.sections.map((section) => section.start_index ?? 0);
  if (document.kind === 'html') {
    const anchored = withMarks(
      document.text,
      starts,
      (position) => `<a name="${anchorKey}doc-${index}-s${position}"></a>`,
    );
    return cleanHtml(anchored, { idPrefix: `d${index}-`, anchorKey, pictures: source.pictures });
  }
  return { html: plainHtml(document.text, starts, index, source.pageSize), css: '' };
}

/** In plain text a mark is one character of the private use area, which no filing has: it takes a column only until it is an anchor. */
const MARK = '\uE0F1';

function plainHtml(text: string, starts: readonly number[], index: number, pageSize: PageSize): string {
  const { pages, columns, lines } = plainPages(withMarks(text.replaceAll(MARK, ' '), starts, () => MARK));
  const byWidth = bodyWidthPoints(pageSize) / (CHARACTER_WIDTH_EM * Math.max(columns, 1));
  const byHeight = BODY_HEIGHT_POINTS[pageSize] / (LINE_HEIGHT_EM * Math.max(lines, 1));
  // A page is kept on a page where type stays legible; texts without page marks are one long page, and flow.
  const fitting = pages.length > 1 && byHeight >= 7.5 ? Math.min(byWidth, byHeight) : byWidth;
  const points = Math.max(SMALLEST_TYPE_POINTS, Math.min(LARGEST_TYPE_POINTS, fitting * 0.995));
  const order = byPosition(starts);
  let met = 0;
  return pages
    .map((page) => {
      const html = escapeHtml(page).replaceAll(MARK, () => `<a id="doc-${index}-s${order[met++]?.index}"></a>`);
      return `<pre class="fl-page" style="font-size:${points.toFixed(2)}pt">${html}</pre>`;
    })
    .join('\n');
}

/** Sections of filers with a cross-reference index need not stand in the order of their codes. */
function byPosition(positions: readonly number[]): { position: number; index: number }[] {
  return positions.map((position, index) => ({ position, index })).sort((a, b) => a.position - b.position);
}

/** The text with a mark in front of each position. */
function withMarks(text: string, positions: readonly number[], mark: (index: number) => string): string {
  let from = 0;
  let marked = '';
  for (const { position, index } of byPosition(positions)) {
    marked += text.slice(from, position) + mark(index);
    from = Math.max(from, position);
  }
  return marked + text.slice(from);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
