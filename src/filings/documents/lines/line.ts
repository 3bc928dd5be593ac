/** One line of a document as a reader sees it. */

export interface Line {
  /** Position of the first visible character in the source. */
  start: number;
  /** Position after the last visible character. */
  end: number;
  /** The visible text with white space collapsed, up to the word that has its character 320. */
  text: string;
  /** The same, all of it */
  whole: string;
  /** Letters in the whole line. */
  letters: number;
  /** Digits in the whole line. */
  digits: number;
  /** Number of its table row (0: none), unique in the document. */
  row: number;
  /** Cell within the row. */
  cell: number;
  /** Number of the table, and the column at which the cell starts, spanned columns counted. */
  table: number;
  column: number;
  /** Mark of the list item that it begins: `\u2022`, `1.`; else empty. */
  marker: string;
  /** A paragraph, a list or a table begins or ends before it, not just a line. */
  apart: boolean;
  /** A line break alone stands before it: it may continue the line above. */
  broken: boolean;
  /** The typography of the whole line. */
  format: number;
  /** The typography of its first character. */
  firstFormat: number;
  /** In typewritten text: whether the line before it was not blank, so that a sentence may run on into this one. */
  follows: boolean;
  /** In typewritten text: blanks before the first character. */
  indent: number;
  /** Typewritten text: white space counts. */
  typed: boolean;
  /** For a document that is not HTML. */
  plain: boolean;
  /** A page ends just before this line. */
  pageBreak: boolean;
}

/** The kind of a document: markup with paragraphs and tables, typewritten pages, or XML in which every element is separate. */
export type Markup = 'html' | 'typed' | 'xml';
