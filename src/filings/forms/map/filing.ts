/** A filing, as input of the mapper. */
import { TextPieces } from '../xml/text-pieces.ts';

export interface FilingDocument {
  /** File name; null if EDGAR has none. */
  name: string | null;
  /** Document type, as the submission names it: `INFORMATION TABLE`; null for a loose file. */
  type: string | null;
  /** Decoded, without the wrapper. Called for documents that may be forms only, and again for each reading. */
  text: () => string;
  /** The same text in pieces, if it is long: readers that can then never hold all of it. No piece ends within a character. */
  pieces?: () => Iterable<string>;
}

export interface Filing {
  /** Null for a loose file. */
  accessionNumber: string | null;
  /** YYYY-MM-DD, null for a loose file. */
  filingDate: string | null;
  /** Form type of the submission: used if a document doesn't name its own. */
  formType: string | null;
  documents: readonly FilingDocument[];
}

/** A document of a known form, with its name in problems. */
export interface LabelledDocument {
  label: string;
  document: FilingDocument;
}

/** The text of a document, for each reading: decoded once, or in pieces. */
export function sourceOf({ text, pieces }: FilingDocument): () => string | TextPieces {
  if (pieces !== undefined) return () => new TextPieces(pieces());
  let decoded: string | null = null;
  return () => (decoded ??= text());
}

/** By its name: web pages, pictures and taxonomies are not forms. */
export function mayBeForm(name: string | null): boolean {
  return name === null || /(^[^.]*|\.(xml|txt))$/i.test(name);
}

/** Documents that may be XML or plain text: others need not be decoded. The names of loose files do not show it. */
export function possibleForms(filing: Filing): LabelledDocument[] {
  return filing.documents
    .map((document, k) => ({ label: document.name ?? String(k + 1), document }))
    .filter(({ document: { name } }) => filing.accessionNumber === null || mayBeForm(name));
}

/** An entry of a listing of documents. */
export interface NamedDocument {
  filename: string | null;
  type: string | null;
}
