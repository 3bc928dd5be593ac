/** The invisible parts of a document: `<head>`, scripts, the inline-XBRL header, elements with `display: none`. */
import { VOID_ELEMENTS } from './markup.ts';

const NEVER_SHOWN: ReadonlySet<string> = new Set('head title script style ix:header textarea noscript'.split(' '));
/** Start tags that end a paragraph: filers leave paragraphs open, hidden ones too. */
const ENDS_PARAGRAPH: ReadonlySet<string> = new Set(
  'p div table ul ol dl pre hr center blockquote h1 h2 h3 h4 h5 h6 form address'.split(' '),
);
/** Elements whose end also ends all elements within them. */
const CONTAINERS: ReadonlySet<string> = new Set('div table tr td th body'.split(' '));
const DISPLAY_NONE = /display\s*:\s*none/i;

export function hides(name: string, tag: string): boolean {
  if (VOID_ELEMENTS.has(name)) return false;
  return NEVER_SHOWN.has(name) || (tag.length > 12 && DISPLAY_NONE.test(tag));
}

/** Follows tags and says whether text is hidden. An element that is never closed hides nothing outside its container. */
export class Visibility {
  private name: string | null = null;
  private depth = 0;
  /** Containers opened within the hidden element, by name. */
  private readonly within = new Map<string, number>();

  get hidden(): boolean {
    return this.name !== null;
  }

  open(name: string, tag: string, selfClosing: boolean): void {
    if (!this.staysHidden(name, selfClosing)) this.openKnown(name, hides(name, tag), selfClosing);
  }

  /** Follows a start tag within a hidden element. False: nothing is hidden, or that element ends before the tag. */
  staysHidden(name: string, selfClosing: boolean): boolean {
    if (this.name === null) return false;
    if (this.name === 'p' ? ENDS_PARAGRAPH.has(name) : this.name === 'head' && name === 'body') return false;
    if (selfClosing) return true;
    if (name === this.name) this.depth++;
    else if (CONTAINERS.has(name)) this.within.set(name, (this.within.get(name) ?? 0) + 1);
    return true;
  }

  /** Follows any other start tag. @param hidden as `hides` says of it */
  openKnown(name: string, hidden: boolean, selfClosing: boolean): void {
    this.show();
    if (selfClosing || !hidden) return;
    this.name = name;
    this.depth = 1;
  }

  close(name: string): void {
    if (this.name === null) return;
    if (name === this.name) {
      this.depth--;
      if (this.depth <= 0) this.show();
    } else if (CONTAINERS.has(name)) {
      const open = this.within.get(name) ?? 0;
      if (open > 0) this.within.set(name, open - 1);
      else if (!NEVER_SHOWN.has(this.name)) this.show();
    }
  }

  private show(): void {
    this.name = null;
    this.depth = 0;
    this.within.clear();
  }
}
