/**
 * The page of a report. A report adds headings, paragraphs and tables. The page formats them in the style of their time, and
 * records the position of each item.
 */

/** A section with its true position in the document's text. */
export interface TrueSection {
  /** section codes; several if one heading is for several items */
  sections: string[];
  heading: string;
  /** UTF-16 position of the first character of the heading */
  start: number;
  /** UTF-16 position of what comes next: an item's heading, a PART heading, SIGNATURES */
  end: number;
}

export interface TableRow {
  label: string;
  /** one a column; null leaves it empty */
  values: readonly (string | null)[];
  kind?: 'line' | 'total' | 'head';
  /** us-gaap concept, for inline XBRL */
  concept?: string;
}

export interface TableOptions {
  /** dollars: `$` before first and total lines */
  money?: boolean;
  caption?: string;
}

export interface ContentsEntry {
  label: string;
  title: string;
  /** null for a PART line */
  anchor: string | null;
}

export interface Written {
  text: string;
  sections: TrueSection[];
  pages: number;
}

export abstract class Page {
  protected readonly out: string[] = [];
  protected length = 0;
  protected pages = 1;
  #sections: TrueSection[] = [];
  #open: TrueSection | null = null;
  #pageStart = 0;
  /** characters of output to a page */
  protected abstract readonly pageLength: number;

  protected put(text: string): void {
    this.out.push(text);
    this.length += text.length;
  }

  /** Ends the open section here, at `at` (the start of the next block is not part of it if the heading is inside the block). */
  protected closeSection(at = this.length): void {
    if (this.#open) {
      this.#open.end = at;
      this.#sections.push(this.#open);
      this.#open = null;
    }
  }

  /** Opens a section whose heading's first character will be put next. */
  protected openSection(sections: string[], heading: string): void {
    this.closeSection();
    this.#open = { sections, heading, start: this.length, end: this.length };
  }

  /** An item's heading: `Item 1A.` and `Risk Factors`. */
  abstract item(sections: string[], label: string, title: string, anchor: string): void;
  abstract part(heading: string): void;
  /** SIGNATURES and other headings that end the last item. */
  abstract closing(heading: string): void;
  abstract centered(text: string, emphasis?: 'bold' | 'large'): void;
  abstract subheading(text: string): void;
  abstract paragraph(text: string): void;
  abstract bullets(texts: readonly string[]): void;
  abstract table(rows: readonly TableRow[], options?: TableOptions): void;
  abstract contents(entries: readonly ContentsEntry[]): void;
  abstract image(file: string, alternative: string): void;
  abstract pageBreak(): void;
  protected abstract ending(): void;

  /** A page break at the end of a full page. */
  protected breakIfFull(): void {
    if (this.length - this.#pageStart < this.pageLength) return;
    this.pageBreak();
    this.#pageStart = this.length;
  }

  finish(): Written {
    this.closeSection();
    this.ending();
    return { text: this.out.join(''), sections: this.#sections, pages: this.pages };
  }
}
