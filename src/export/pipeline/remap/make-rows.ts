/** Makes the rows of filings from their stored documents, and writes them to segments. */
import { LEFT_OUT_TABLES } from '../../../filings/forms/index.ts';
import type { Batch, Replacement, SegmentWriter } from '../../../lake/index.ts';
import { FormUnreadableError, messageOf } from '../failures/verdict.ts';
import { formRows } from '../fetch/form-rows.ts';
import { addFormRows, coverageRow, emptyBatch } from '../fetch/row-batch.ts';
import { mergeReplacements, SegmentSink } from '../staging/segment-sink.ts';
import type { StoredDocuments } from './stored-filings.ts';
import type { Target } from './target.ts';

/** Bytes of documents that are in memory together. One larger filing is read alone. */
const BYTES_READ = 64 * 2 ** 20;
/** After this time without a pause, timers and signals get a turn. */
const TURN_MS = 100;

interface RowsToMake {
  targets: readonly Target[];
  stored: StoredDocuments;
  writer: SegmentWriter;
  run_id: string;
  bytesOf: (target: Target) => number;
  mapped: (bytes: number) => void;
  /** Whether to commit the rows made so far and leave the rest. */
  stops: () => boolean;
  /** Receives filings that can't be mapped, and why. */
  unreadable: Map<string, string>;
  /** Receives documents that have no text: their filings are left. */
  unusable: Set<string>;
}

export interface MadeRows {
  segments: Batch['segments'];
  replace: Replacement[];
}

export async function makeRows(work: RowsToMake): Promise<MadeRows> {
  const sink = new SegmentSink(work.writer);
  const replace: Replacement[] = [];
  try {
    for (const some of readTogether(work.targets, work.bytesOf)) {
      if (work.stops()) break;
      await mapSome(work, some, sink, replace);
    }
    await sink.seal();
  } finally {
    await sink.close();
  }
  return { segments: sink.sealed.map(({ name }) => ({ name })), replace };
}

function* readTogether(targets: readonly Target[], bytesOf: RowsToMake['bytesOf']): Generator<Target[]> {
  let some: Target[] = [];
  let bytes = 0;
  for (const target of targets) {
    if (some.length > 0 && bytes + bytesOf(target) > BYTES_READ) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(target);
    bytes += bytesOf(target);
  }
  if (some.length > 0) yield some;
}

async function mapSome(
  work: RowsToMake,
  targets: readonly Target[],
  sink: SegmentSink,
  replace: Replacement[],
): Promise<void> {
  const texts = await work.stored.texts(targets.flatMap(({ step }) => step.documents.map((one) => one.document_id)));
  let turnBegan = performance.now();
  for (const target of targets) {
    if (work.stops()) return;
    const without = target.step.documents.filter(({ document_id }) => !texts.has(document_id));
    for (const { document_id } of without) work.unusable.add(document_id);
    if (without.length === 0) await mapInto(work, texts, target, sink, replace);
    for (const { document_id } of target.step.documents) texts.delete(document_id);
    work.mapped(work.bytesOf(target));
    if (performance.now() - turnBegan < TURN_MS) continue;
    await new Promise((settle) => setImmediate(settle));
    turnBegan = performance.now();
  }
}

/** Rows of one filing, and those that they replace. */
async function mapInto(
  { run_id, unreadable }: RowsToMake,
  texts: ReadonlyMap<string, string>,
  { filing, step, revision, replaced }: Target,
  sink: SegmentSink,
  replace: Replacement[],
): Promise<void> {
  const { accession_number } = filing;
  const documents = step.documents.map((one) => ({ ...one, text: texts.get(one.document_id)! }));
  const batch = emptyBatch();
  try {
    const rows = formRows({ accession_number, step, documents });
    const status = rows.count === 0 ? 'absent' : 'done';
    batch.done.push(`${accession_number} forms`);
    batch.rows = { coverage: [coverageRow({ filing, revision }, step, status, run_id)] } as typeof batch.rows;
    addFormRows(batch, rows, new Set([...replaced, ...LEFT_OUT_TABLES.map(({ name }) => name)]));
  } catch (error) {
    if (!(error instanceof FormUnreadableError)) throw error;
    unreadable.set(accession_number, messageOf(error));
    return;
  }
  await sink.take(batch);
  mergeReplacements(replace, replacementsOf(accession_number, replaced));
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
