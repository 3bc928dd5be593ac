/** Sources of filings and their texts: a lake, or a service. Both answer the same questions, as of any moment. */
import type { Moment } from '../answers/moment.ts';

export interface CompanyQuery {
  readonly cik?: string;
  readonly ticker?: string;
  /** A part of the name, or of a former one; case is ignored. */
  readonly name?: string;
  readonly sic?: string;
  readonly state?: string;
  readonly asOf: Moment | null;
  readonly from: number;
  readonly limit: number;
}

export interface Company {
  readonly cik: string;
  readonly name: string | null;
  readonly tickers?: readonly string[];
  readonly sic: string | null;
  readonly sic_description: string | null;
  readonly state_of_incorporation: string | null;
  readonly fiscal_year_end: string | null;
  /** Other names that its filings bear; absent: not known. */
  readonly other_names?: readonly string[];
  readonly filings: number | null;
  readonly first_filed: string | null;
  readonly last_filed: string | null;
}

export interface FilingQuery {
  /** Of any party. */
  readonly cik?: string | undefined;
  readonly forms?: readonly string[] | undefined;
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
  /** 8-K items, any of them. */
  readonly items?: readonly string[] | undefined;
  readonly numbers?: readonly string[] | undefined;
  /** Words and phrases that all occur in the texts of a filing. */
  readonly terms?: readonly (readonly string[])[] | undefined;
  readonly amendments?: 'with' | 'without' | 'only' | undefined;
  readonly oldestFirst?: boolean;
  readonly asOf: Moment | null;
  readonly from: number;
  readonly limit: number;
}

export interface FilingRow {
  readonly accession_number: string;
  readonly cik: string | null;
  readonly entity_name: string | null;
  readonly form_type: string | null;
  readonly filing_date: string | null;
  readonly acceptance_datetime: string | null;
  readonly report_date: string | null;
  /** Null: none, or not known. */
  readonly items_8k: readonly string[] | null;
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  /** Matches in all; null: not known. */
  readonly total: number | null;
  readonly caveats: readonly string[];
}

export interface FilingDetail {
  readonly filing: FilingRow;
  readonly documents: readonly {
    readonly document_id: string;
    readonly type: string | null;
    readonly filename: string | null;
    readonly description: string | null;
    readonly size: number | null;
  }[];
  readonly sections: readonly {
    readonly section: string;
    readonly title: string | null;
    readonly heading: string | null;
    readonly kind: string | null;
    readonly document_id: string | null;
    /** What it refers to, in words; null: nothing. */
    readonly refers_to: string | null;
    /** Characters of its text; null: the text is not here. */
    readonly characters: number | null;
    /** The place of its substance in the text of its document, if that is elsewhere. */
    readonly substance: { readonly start: number; readonly end: number } | null;
  }[];
  readonly items: readonly { readonly item: string; readonly title: string | null }[];
  readonly parties: readonly {
    readonly role: string | null;
    readonly cik: string | null;
    readonly name: string | null;
  }[];
}

/** The text of a document or of a section. */
export interface FiledText {
  readonly accession_number: string;
  readonly document_id: string | null;
  readonly section: string | null;
  readonly text: string;
  /** Absent: plain. */
  readonly format?: 'markdown';
  readonly source: 'lake' | 'service';
  /** Of a party; absent: the source did not look it up. */
  readonly cik?: string | null;
  readonly filing_date?: string | null;
}

export type TextPlace = { readonly format?: 'markdown' | undefined } & (
  | { readonly accession_number: string; readonly section: string }
  | { readonly document_id: string }
  | { readonly accession_number: string }
);

/** A heading inside a section; positions count in its text. */
export interface Heading {
  readonly position: number;
  /** 1: the section's own. */
  readonly level: number;
  readonly heading: string;
  readonly start: number;
  /** Of the next heading of its level or above. */
  readonly end: number;
}

export interface SearchQuery extends Omit<FilingQuery, 'items' | 'oldestFirst' | 'terms'> {
  readonly terms: readonly (readonly string[])[];
  readonly section?: string | undefined;
}

export interface SearchHit {
  readonly filing: FilingRow;
  readonly document_id: string | null;
  readonly section: string | null;
  /** How often the terms occur; null: not counted. */
  readonly count: number | null;
  readonly text: FiledText;
}

export interface FilingSource {
  readonly kind: 'lake' | 'service';
  companies(query: CompanyQuery, version: number | null): Promise<Listed<Company>>;
  filings(query: FilingQuery, version: number | null): Promise<Listed<FilingRow> & { forms?: Record<string, number> }>;
  /** Null: it has no such filing, or had none then. */
  filing(accessionNumber: string, asOf: Moment | null, version: number | null): Promise<FilingDetail | null>;
  /** Null: the text is not here. The caller has asked whether the filing may be seen. */
  text(place: TextPlace, version: number | null): Promise<FiledText | null>;
  /** Headings inside a section, in order. Null: not known here. */
  headings(accessionNumber: string, section: string, version: number | null): Promise<readonly Heading[] | null>;
  search(query: SearchQuery, version: number | null): Promise<Listed<SearchHit>>;
}

/** Whether a filing may be seen: one without an acceptance time from the end of its day. */
export function isKnown(filing: Pick<FilingRow, 'acceptance_datetime' | 'filing_date'>, asOf: Moment | null): boolean {
  if (asOf === null) return true;
  if (filing.acceptance_datetime !== null) return filing.acceptance_datetime <= asOf;
  return filing.filing_date !== null && filing.filing_date < asOf.slice(0, 10);
}
