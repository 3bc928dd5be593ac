/** Sums of a remap over its stretches: what its workflow shows, and what the command prints. */

/** What a stretch of filings became. */
export interface StretchReport {
  /** Version of the lake afterwards. */
  version: number;
  commits: number;
  /** Filings and bytes of stored documents examined. */
  filings: number;
  bytes: number;
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
  /** Filings left as they are: a newer release of filinglake has mapped them. */
  newer: number;
  newer_examples: string[];
  /** Filings left as they are: a document can't be mapped. */
  unreadable: number;
  unreadable_examples: { accession_number: string; message: string }[];
  /** Rows written, by table. */
  rows: Record<string, number>;
}

export interface RemapReport extends Omit<StretchReport, 'filings' | 'bytes'> {
  mapping_version: number;
  /** Filings with stored documents, and the bytes of these. */
  filings: number;
  bytes: number;
  /** Filings and bytes examined so far. */
  examined: number;
  bytes_examined: number;
  /** Stretches of filings, and those that are done. */
  stretches: number;
  stretches_done: number;
  /** Filings whose rows are still of an older version of the mapping, those without stored documents too. */
  older: number;
}

/** Filings that a report names, of each kind. */
export const REMAP_EXAMPLES = 20;

export function newStretchReport(): StretchReport {
  return {
    ...{ version: -1, commits: 0, filings: 0, bytes: 0, mapped: 0, current: 0, without: 0 },
    ...{ incomplete: 0, incomplete_examples: [], as_json: 0, newer: 0, newer_examples: [] },
    ...{ unreadable: 0, unreadable_examples: [], rows: {} },
  };
}

export function newRemapReport(mapping_version: number): RemapReport {
  const counts = { mapping_version, examined: 0, bytes_examined: 0, stretches: 0, stretches_done: 0, older: 0 };
  return { ...newStretchReport(), ...counts };
}

export function addStretch(report: RemapReport, stretch: StretchReport): void {
  report.version = Math.max(report.version, stretch.version);
  report.stretches_done++;
  report.examined += stretch.filings;
  report.bytes_examined += stretch.bytes;
  for (const name of ['commits', 'mapped', 'current', 'without', 'incomplete', 'as_json', 'newer'] as const)
    report[name] += stretch[name];
  report.unreadable += stretch.unreadable;
  addExamples(report.incomplete_examples, stretch.incomplete_examples);
  addExamples(report.newer_examples, stretch.newer_examples);
  addExamples(report.unreadable_examples, stretch.unreadable_examples);
  for (const [table, rows] of Object.entries(stretch.rows)) report.rows[table] = (report.rows[table] ?? 0) + rows;
}

function addExamples<Example>(into: Example[], more: readonly Example[]): void {
  into.push(...more.slice(0, Math.max(0, REMAP_EXAMPLES - into.length)));
}
