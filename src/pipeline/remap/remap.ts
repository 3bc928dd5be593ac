/**
 * Makes the tables of forms and XBRL again, from the documents that a lake has, without a request. One commit for each stretch of
 * filings: the lake itself shows what is left to do, so a remap that was killed continues where it stopped.
 */
import { randomUUID } from 'node:crypto';
import { LEFT_OUT_TABLES, MAPPING_VERSION } from '../../forms/index.ts';
import type { Lake, Replacement } from '../../lake/index.ts';
import { FORM_TABLES } from '../../tables/index.ts';
import { messageOf } from '../failures/verdict.ts';
import { FormUnreadableError, formRows } from '../fetch/form-rows.ts';
import { addFormRows, coverageRow, emptyDelivery } from '../fetch/row-batch.ts';
import { joinMetas, mergeReplacements, type SegmentMeta, SegmentSink } from '../fetch/segment-sink.ts';
import { filingsOfOlderMapping } from './older-mapping.ts';
import { type StoredFiling, StoredTexts, storedFilings } from './stored-filings.ts';
import { type Target, targetOf } from './target.ts';

/** Limits of a stretch: it is in memory while it is mapped, and a kill loses it. One larger filing is a stretch alone. */
const FILINGS_A_STRETCH = 500;
const BYTES_A_STRETCH = 64 * 2 ** 20;

export interface RemapOptions {
  /** Names of tables; absent: all tables of forms and XBRL. */
  tables?: readonly string[];
  /** Filings and bytes of documents examined, of all. */
  onProgress?: (done: RemapReport) => void;
  signal?: AbortSignal;
  /** For tests: filings of a stretch at most. */
  stretch?: number;
}

export interface RemapReport {
  /** Version of the lake afterwards. */
  version: number;
  mapping_version: number;
  /** Filings with stored documents, and the bytes of these. */
  filings: number;
  bytes: number;
  /** Filings and bytes examined so far. */
  examined: number;
  bytes_examined: number;
  /** Filings whose rows were made. */
  mapped: number;
  /** Filings whose rows are of this version already. */
  current: number;
  /** Filings that have none of these tables. */
  without: number;
  /** Filings left as they are: not all documents that their tables need are in the lake, in the filing's own revision. */
  incomplete: number;
  incomplete_examples: string[];
  /** Filings left as they are: a document can't be mapped. */
  unreadable: number;
  unreadable_examples: { accession_number: string; message: string }[];
  /** Filings whose rows are still of another version of the mapping, as these are, or without stored documents. */
  older: number;
  commits: number;
  /** Rows written, by table. */
  rows: Record<string, number>;
}

const EXAMPLES = 20;

/** @throws FilinglakeError of the lake; what was committed stays, and the next remap continues after it */
export async function remapLake(lake: Lake, options: RemapOptions = {}): Promise<RemapReport> {
  const wanted = options.tables ?? FORM_TABLES;
  const stored = await storedFilings(lake);
  const report = newReport(stored);
  report.version = await lake.currentVersion();
  const run_id = `remap-${randomUUID()}`;
  try {
    for (const stretch of stretchesOf(stored, options.stretch ?? FILINGS_A_STRETCH)) {
      options.signal?.throwIfAborted();
      await remapStretch(lake, run_id, stretch, wanted, report);
      options.onProgress?.(report);
    }
  } finally {
    await lake.dropStaging(run_id);
  }
  report.older = await filingsOfOlderMapping(lake);
  return report;
}

function newReport(stored: readonly StoredFiling[]): RemapReport {
  return {
    ...{ version: -1, mapping_version: MAPPING_VERSION, filings: stored.length, examined: 0, bytes_examined: 0 },
    bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
    ...{ mapped: 0, current: 0, without: 0, incomplete: 0, incomplete_examples: [] },
    ...{ unreadable: 0, unreadable_examples: [], older: 0, commits: 0, rows: {} },
  };
}

function* stretchesOf(stored: readonly StoredFiling[], filingsMax: number): Generator<StoredFiling[]> {
  let stretch: StoredFiling[] = [];
  let bytes = 0;
  for (const filing of stored) {
    if (stretch.length > 0 && (stretch.length >= filingsMax || bytes + filing.bytes > BYTES_A_STRETCH)) {
      yield stretch;
      stretch = [];
      bytes = 0;
    }
    stretch.push(filing);
    bytes += filing.bytes;
  }
  if (stretch.length > 0) yield stretch;
}

async function remapStretch(
  lake: Lake,
  run_id: string,
  stretch: readonly StoredFiling[],
  wanted: readonly string[],
  report: RemapReport,
): Promise<void> {
  // Before anything is read: rows that others write from now on win over ours.
  const base_version = await lake.currentVersion();
  const targets = await targetsOf(lake, stretch, wanted, report);
  if (targets.length > 0) {
    const batch_id = randomUUID();
    const needed = targets.flatMap(({ step }) => step.documents.map(({ document_id }) => document_id));
    const texts = await StoredTexts.of(lake, needed);
    const sink = new SegmentSink(lake.openStaging(run_id, batch_id, 1));
    try {
      for (const target of targets) await mapInto(texts, sink, run_id, target, report);
      await sink.seal();
      if (sink.sealed.length > 0) await commit(lake, { run_id, batch_id, base_version }, sink, report);
    } finally {
      await sink.close();
    }
  }
  report.examined += stretch.length;
  report.bytes_examined += stretch.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function targetsOf(
  lake: Lake,
  stretch: readonly StoredFiling[],
  wanted: readonly string[],
  report: RemapReport,
): Promise<Target[]> {
  const targets: Target[] = [];
  for (const target of await targetOf(lake, stretch, wanted)) {
    if (target.kind === 'target') targets.push(target);
    else {
      report[target.kind]++;
      if (target.kind === 'incomplete' && report.incomplete_examples.length < EXAMPLES)
        report.incomplete_examples.push(target.accession_number);
    }
  }
  return targets;
}

/** Rows of one filing, and those that they replace. */
async function mapInto(
  texts: StoredTexts,
  sink: SegmentSink,
  run_id: string,
  { filing, step, revision, replaced }: Target,
  report: RemapReport,
): Promise<void> {
  const { accession_number } = filing;
  try {
    const documents = texts.withTexts(step.documents);
    const rows = formRows({ accession_number, step, documents });
    const delivery = emptyDelivery();
    delivery.done.push(`${accession_number} forms`);
    delivery.replace.push(...replacementsOf(accession_number, replaced));
    const status = rows.count === 0 ? 'absent' : 'done';
    delivery.rows = { coverage: [coverageRow({ filing, revision }, step, status, run_id)] } as typeof delivery.rows;
    addFormRows(delivery, rows, new Set([...replaced, ...LEFT_OUT_TABLES.map(({ name }) => name)]));
    await sink.take(delivery);
    report.mapped++;
  } catch (error) {
    if (!(error instanceof FormUnreadableError)) throw error;
    report.unreadable++;
    if (report.unreadable_examples.length < EXAMPLES)
      report.unreadable_examples.push({ accession_number, message: messageOf(error) });
  }
}

/** Older rows of the filing: of its tables, of what was left out, its coverage and its recorded failures. */
function replacementsOf(accession_number: string, tables: readonly string[]): Replacement[] {
  const ofFiling = { columns: ['accession_number'], values: [[accession_number]] };
  const names = new Set([...tables, ...LEFT_OUT_TABLES.map(({ name }) => name)]);
  return [
    ...[...names].map((table) => ({ table, ...ofFiling })),
    { table: 'coverage', columns: ['accession_number', 'step'], values: [[accession_number, 'forms']] },
    { table: 'export_failures', columns: ['step', 'subject'], values: [['forms', accession_number]] },
  ];
}

async function commit(
  lake: Lake,
  id: { run_id: string; batch_id: string; base_version: number },
  sink: SegmentSink,
  report: RemapReport,
): Promise<void> {
  const names = sink.sealed.map(({ name }) => ({ name }));
  const replace: Replacement[] = [];
  for (const { meta } of await lake.takeUpSegments(id.run_id, id.batch_id, joinMetas))
    mergeReplacements(replace, (meta as SegmentMeta).replace);
  const { version, tables } = await lake.commitBatch({ ...id, segments: names, replace });
  await lake.dropBatch(id.run_id, id.batch_id);
  report.version = version;
  report.commits++;
  for (const [table, { rows_new, rows_replaced }] of Object.entries(tables)) {
    if (table === 'coverage' || rows_new + rows_replaced === 0) continue;
    report.rows[table] = (report.rows[table] ?? 0) + rows_new + rows_replaced;
  }
}
