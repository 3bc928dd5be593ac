/** Which parts of a document nobody sees: `<head>`, scripts, the inline-XBRL header, elements with `display: none`. */
import { VOID_ELEMENTS } from './markup.ts';

const NEVER_SHOWN: ReadonlySet<string> = new Set([
  'head',
  'title',
  'script',
  'style',
  'ix:header',
  'textarea',
  'noscript',
]);
const DISPLAY_NONE = /display\s*:\s*none/i;

/** Follows tags and says whether text is hidden. An element that never ends hides no more than to the end of the enclosing paragraph or cell. */
export class Visibility {
  private name: string | null = null;
  private depth = 0;

  get hidden(): boolean {
    return this.name !== null;
  }

  open(name: string, tag: string, selfClosing: boolean): void {
    if (this.name !== null) {
      if (name === this.name && !selfClosing) this.depth++;
      // A body ends a head that was never closed.
      else if (name === 'body' && this.name === 'head') this.name = null;
      return;
    }
    if (selfClosing || VOID_ELEMENTS.has(name)) return;
    if (NEVER_SHOWN.has(name) || (tag.length > 12 && DISPLAY_NONE.test(tag))) {
      this.name = name;
      this.depth = 1;
    }
  }

  close(name: string): void {
    if (name !== this.name) return;
    this.depth--;
    if (this.depth <= 0) this.name = null;
  }
}
