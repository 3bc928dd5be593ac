/** A section of a document as self-contained HTML: elements open at its start are opened again, elements open at its end are closed. */
import { type MarkupSink, scanMarkup, VOID_ELEMENTS } from '../lines/markup.ts';
import { looksLikeHtml } from '../lines/media-type.ts';
import { depthAt } from '../lines/open-elements.ts';

/** A stretch of a document's text. */
interface Span {
  start_index: number;
  end_index: number;
}

interface OpenElement {
  name: string;
  /** The start tag as written. */
  tag: string;
}

/** End tags don't reach out of these. */
const CELLS: ReadonlySet<string> = new Set(['table', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'caption']);
const NOT_REOPENED: ReadonlySet<string> = new Set(
  'html body head document type text sequence filename description'.split(' '),
);
const MAX_DEPTH = 512;

/** Elements that are open, as in a browser. Beyond a depth of 512 they are only counted. */
class OpenElements {
  readonly stack: OpenElement[] = [];
  private deeper = 0;
  /** Whether the last opened element is kept. */
  kept = true;

  /** Elements that this start tag ends, innermost first; the element itself is pushed. */
  open(name: string, tag: string): OpenElement[] {
    const ended = this.endedBy(name);
    this.kept = this.stack.length < MAX_DEPTH;
    if (this.kept) this.stack.push({ name, tag });
    else this.deeper++;
    return ended;
  }

  copy(): OpenElements {
    const copy = new OpenElements();
    copy.stack.push(...this.stack);
    copy.deeper = this.deeper;
    return copy;
  }

  endedBy(name: string): OpenElement[] {
    return this.stack.splice(depthAt(name, this.stack)).reverse();
  }

  /** Elements that this end tag ends, innermost first, itself included; empty if no element of that name is open. */
  close(name: string): OpenElement[] {
    if (this.deeper > 0) {
      this.deeper--;
      return [];
    }
    return this.popTo(name, CELLS.has(name) ? (name === 'table' ? new Set() : TABLE) : CELLS);
  }

  private popTo(name: string, scope: ReadonlySet<string>): OpenElement[] {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const open = this.stack[i]!.name;
      if (open === name) return this.stack.splice(i).reverse();
      if (scope.has(open)) return [];
    }
    return [];
  }
}
const TABLE: ReadonlySet<string> = new Set(['table']);

/**
 * Sections as HTML, in the given order: each starts at its `start_index`, is balanced, and is self-contained. One of plain text is a `<pre>`.
 * @param text the whole document, so that elements opened before the sections are known
 */
export function sectionsHtml(text: string, sections: readonly Span[]): string[] {
  if (!looksLikeHtml(text)) {
    return sections.map((section) => `<pre>${escapePlain(text.slice(section.start_index, section.end_index))}</pre>`);
  }
  const open = new OpenElements();
  const sink: MarkupSink = {
    text() {},
    open(name, from, to, selfClosing) {
      if (!selfClosing && !VOID_ELEMENTS.has(name)) open.open(name, text.slice(from, to));
      else open.endedBy(name);
    },
    close(name) {
      open.close(name);
    },
  };
  const out = new Array<string>(sections.length);
  let at = 0;
  for (const [k, section] of [...sections.entries()].sort((a, b) => a[1].start_index - b[1].start_index)) {
    scanMarkup(text, at, section.start_index, false, sink);
    at = section.start_index;
    out[k] = balanced(text, section.start_index, section.end_index, open.copy());
  }
  return out;
}

function balanced(text: string, start: number, end: number, open: OpenElements): string {
  const out: string[] = [];
  const kept = open.stack.filter((element) => !NOT_REOPENED.has(element.name));
  open.stack.length = 0;
  for (const element of kept) {
    open.stack.push(element);
    out.push(element.tag);
  }
  const closeAll = (ended: readonly OpenElement[]) => {
    for (const element of ended) out.push(`</${element.name}>`);
  };
  scanMarkup(text, start, end, false, {
    text(from, to) {
      out.push(text.slice(from, to));
    },
    open(name, from, to, selfClosing) {
      if (NOT_REOPENED.has(name)) return;
      if (VOID_ELEMENTS.has(name)) {
        closeAll(open.endedBy(name));
        out.push(text.slice(from, to));
      } else if (selfClosing) {
        closeAll(open.endedBy(name));
        // HTML ignores the slash: `<ix:footnote/>` would stay open.
        out.push(`${text.slice(from, to).replace(/\s*\/>$/, '')}></${name}>`);
      } else {
        closeAll(open.open(name, ''));
        if (open.kept) out.push(text.slice(from, to));
      }
    },
    close(name) {
      if (!VOID_ELEMENTS.has(name) && !NOT_REOPENED.has(name)) closeAll(open.close(name));
    },
  });
  closeAll(open.stack.reverse());
  return out.join('');
}

/** EDGAR's typewritten texts have character references already (`&amp;`). Angle brackets that aren't SGML tags would be read as tags. */
function escapePlain(text: string): string {
  const out: string[] = [];
  scanMarkup(text, 0, text.length, true, {
    text(from, to) {
      out.push(text.slice(from, to).replace(/</g, '&lt;').replace(/>/g, '&gt;'));
    },
    open(name) {
      // A page ends: EDGAR's own tag is none of HTML.
      if (name === 'page') out.push('<hr>');
    },
    close() {},
  });
  return out.join('');
}
