/** What a remap has done: the command shows and prints it. */
export interface RemapReport {
  mapping_version: number;
  /** Version of the lake afterwards. */
  version: number;
  commits: number;
  /** Filings with stored documents, and the bytes of these. */
  filings: number;
  bytes: number;
  /** Filings and bytes examined so far. */
  examined: number;
  bytes_examined: number;
  /** Filings whose rows this remap made. */
  mapped: number;
  /** Filings whose rows are of this version already. */
  current: number;
  /** Filings that have none of these tables. */
  without: number;
  /** Filings left as they are: not all documents that their tables need are in the lake, in the filing's own revision. */
  incomplete: number;
  incomplete_examples: string[];
  /** Part of these: the lake has a needed document as JSON only, made from XML. */
  as_json: number;
  /** Filings left as they are: a newer version of filinglake has mapped them. */
  newer: number;
  newer_examples: string[];
  /** Filings left as they are: a document can't be mapped. */
  unreadable: number;
  unreadable_examples: { accession_number: string; message: string }[];
  /** Rows written, by table. */
  rows: Record<string, number>;
  /** Filings whose rows are still of an older version of the mapping, those without stored documents too. */
  older: number;
}

/** Filings that a report names, of each kind. */
const EXAMPLES_MAX = 20;

export function newRemapReport(mapping_version: number): RemapReport {
  return {
    mapping_version,
    version: -1,
    commits: 0,
    filings: 0,
    bytes: 0,
    examined: 0,
    bytes_examined: 0,
    mapped: 0,
    current: 0,
    without: 0,
    incomplete: 0,
    incomplete_examples: [],
    as_json: 0,
    newer: 0,
    newer_examples: [],
    unreadable: 0,
    unreadable_examples: [],
    rows: {},
    older: 0,
  };
}

export function addExample<Example>(examples: Example[], one: Example): void {
  if (examples.length < EXAMPLES_MAX) examples.push(one);
}
