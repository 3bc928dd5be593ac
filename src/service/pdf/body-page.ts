/** The one HTML page that the browser prints: all documents, with anchors for the contents. */
import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../../core/index.ts';
import { sectionFamily } from '../../filings/api/index.ts';
import { formName } from '../pages/index.ts';
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

interface BodyPage {
  html: string;
  entries: ContentsEntry[];
}

/** Widths and line heights of a fixed pitch font, in em. */
const CHARACTER_WIDTH_EM = 0.6;
const LINE_HEIGHT_EM = 1.14;
/** Type size of typewritten pages: the largest at which the lines fit. If still legible, a page also fits on one of ours. */
const TYPE_POINTS = [9.5, 8.8, 8, 7.2, 6.5, 5.8] as const;
const SMALLEST_TO_FIT_HEIGHT_POINTS = 7.2;
/** Filers design pages for a browser's width and a printer's narrow margins. At this scale, their page fits on one of ours. */
const HTML_SCALE = 0.86;

export function bodyPage(source: PdfSource): BodyPage {
  // A filer's own markup can't guess this name: an anchor with it is ours.
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
      `<section class="fl-document"><a id="${id}"></a><div class="fl-box fl-${document.kind}" id="box-${index}">${html}</div></section>`,
    );
  }
  // Chromium writes a destination only for an id that a link names.
  const links = entries.map(({ anchor }) => `<a href="#${anchor}"></a>`).join('');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title></title><style>${STYLE}</style>
${sheets.map((sheet) => `<style>${sheet}</style>`).join('\n')}</head><body>${parts.join('\n')}<div class="fl-links">${links}</div></body></html>`;
  return { html, entries };
}

/** A form on paper: boxes with their labels, ruled tables. */
const FORM_STYLE = `
.fl-form { font: 8.5pt/1.3 "Liberation Sans", Arial, sans-serif; }
.fl-form h1 { font-size: 15pt; margin: 0 0 6pt; }
.fl-form h2 { font-size: 10pt; margin: 10pt 0 3pt; padding: 1.5pt 4pt; background: #e6eaf0; break-after: avoid; }
.fl-form dl { display: grid; grid-template-columns: repeat(4, 1fr); margin: 0 0 5pt; padding: 0 0.5pt 0.5pt 0; }
.fl-form dl > div { border: 0.5pt solid #444; margin: 0 -0.5pt -0.5pt 0; padding: 1.5pt 4pt 2.5pt; min-width: 0; break-inside: avoid; }
.fl-form dl > .wide { grid-column: 1 / -1; }
.fl-form dt { font-size: 6.5pt; color: #444; }
.fl-form dd { margin: 0; overflow-wrap: anywhere; }
.fl-form table { border-collapse: collapse; width: 100%; margin: 0 0 5pt; }
.fl-form thead { display: table-header-group; }
.fl-form th, .fl-form td { border: 0.5pt solid #444; padding: 1.5pt 3pt; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.fl-form th { font-size: 6.5pt; font-weight: normal; color: #444; overflow-wrap: normal; hyphens: auto; }
.fl-form .number { text-align: right; }
.fl-form td.number { white-space: nowrap; }
.fl-form .word { white-space: nowrap; }
.fl-form .many { font-size: 6.5pt; }
.fl-form p { margin: 2pt 0; }
.fl-form sup { line-height: 0; font-size: 6pt; }
.fl-form .box { white-space: nowrap; margin-right: 6pt; }
`;

const STYLE = `
html { -webkit-print-color-adjust: exact; }
body { margin: 0; background: #fff; color: #000; font: 10pt/1.2 "Liberation Serif", "Times New Roman", Times, serif; }
section.fl-document { break-before: page; }
section.fl-document:first-child { break-before: auto; }
.fl-box { position: relative; overflow-wrap: break-word; }
.fl-html { zoom: ${HTML_SCALE}; }
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
${FORM_STYLE}
.fl-links { position: absolute; left: 0; top: 0; width: 1px; height: 1px; overflow: hidden; line-height: 0; }
.fl-links a { display: inline-block; width: 1px; height: 1px; }
`;

function documentTitle({ stored }: ShownDocument): { label: string; title: string } {
  const label = stored.type ?? `Document ${stored.sequence}`;
  const described = withoutPrefix(stored.description?.trim() ?? '', label);
  return { label, title: described || (stored.filename ?? '') };
}

/** `EX-99.1 EARNINGS RELEASE` beside `EX-99.1` would repeat the type. */
function withoutPrefix(description: string, label: string): string {
  if (!description.toUpperCase().startsWith(label.toUpperCase())) return description;
  return description.slice(label.length).replace(/^[\s:.,-]+/, '');
}

function sectionEntries(source: PdfSource, document: ShownDocument, index: number): ContentsEntry[] {
  const { stored, sections } = document;
  if (document.kind === 'form')
    return document.parts.map(({ title }, k) => ({ anchor: `doc-${index}-s${k}`, level: 1, label: title, title: '' }));
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
  if (document.kind === 'form') {
    const parts = document.parts.map(
      ({ title, html }, k) => `<a id="doc-${index}-s${k}"></a><h2>${escapeHtml(title)}</h2>${html.text}`,
    );
    return { html: `<h1>${escapeHtml(formName(source.filing.form_type ?? ''))}</h1>${parts.join('\n')}`, css: '' };
  }
  // Its own pages take the place of this one, which must not be blank.
  if (document.kind === 'pdf') return { html: '.', css: '' };
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

/** In plain text a mark is one character of the private use area, which filings don't use. It becomes an anchor. */
const MARK = '\uE0F1';

function plainHtml(text: string, starts: readonly number[], index: number, pageSize: PageSize): string {
  const pages = plainPages(withMarks(text.replaceAll(MARK, ' '), starts, () => MARK));
  const order = byPosition(starts);
  let met = 0;
  return pages
    .map((page) => {
      const html = escapeHtml(page).replaceAll(MARK, () => `<a id="doc-${index}-s${order[met++]?.index}"></a>`);
      const points = typeFor(page, pages.length > 1, pageSize);
      return `<pre class="fl-page" style="font-size:${points}pt">${html}</pre>`;
    })
    .join('\n');
}

function typeFor(page: string, paged: boolean, pageSize: PageSize): number {
  const lines = page.split('\n');
  const columns = lines.reduce((widest, line) => Math.max(widest, line.length), 1);
  const byWidth = bodyWidthPoints(pageSize) / (CHARACTER_WIDTH_EM * columns);
  const byHeight = BODY_HEIGHT_POINTS[pageSize] / (LINE_HEIGHT_EM * lines.length);
  const fitting = paged && byHeight >= SMALLEST_TO_FIT_HEIGHT_POINTS ? Math.min(byWidth, byHeight) : byWidth;
  return TYPE_POINTS.find((points) => points <= fitting) ?? TYPE_POINTS.at(-1)!;
}

/** Sections of filers with a cross-reference index may be in another order than their codes. */
function byPosition(positions: readonly number[]): { position: number; index: number }[] {
  return positions.map((position, index) => ({ position, index })).sort((a, b) => a.position - b.position);
}

/** The text with a mark before each position. */
function withMarks(text: string, positions: readonly number[], mark: (index: number) => string): string {
  let from = 0;
  let marked = '';
  for (const { position, index } of byPosition(positions)) {
    marked += text.slice(from, position) + mark(index);
    from = Math.max(from, position);
  }
  return marked + text.slice(from);
}
