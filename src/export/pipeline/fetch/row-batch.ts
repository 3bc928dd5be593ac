/** The result of a filing's steps: rows, the rows they replace, and coverage. */
import type { Replacement, TableRow } from '../../../lake/index.ts';
import type { Row } from '../../../lake/tables/index.ts';
import { type Step, selectorOfMapping } from '../../selectors/index.ts';
import type { WorkLine } from '../coverage/coverage.ts';
import { deleteFailures } from '../failures/recorded-failures.ts';
import { addRefreshed, mergeReplacements, type RowBatch } from '../staging/segment-sink.ts';
import type { FormRows } from './form-rows.ts';

export type StepRows = Record<string, Row[]>;

export function emptyBatch(): RowBatch {
  return { rows: {}, done: [], replace: [], failures: 0 };
}

export function batchOf(line: WorkLine, { step }: { step: string }, rows: StepRows, replace: Replacement[]): RowBatch {
  const done = [`${line.filing.accession_number} ${step}`];
  return { rows, done, replace, failures: rows.export_failures?.length ?? 0 };
}

export function coverageRow(
  line: Pick<WorkLine, 'revision'> & { filing: Pick<WorkLine['filing'], 'accession_number'> },
  step: Step,
  status: 'done' | 'absent' | 'failed',
  run_id: string,
  answer: { etag?: string | null; content?: string; reason?: Reason } = {},
): Row {
  return {
    accession_number: line.filing.accession_number,
    step: step.step,
    selector: step.step === 'forms' ? selectorOfMapping(step.selector) : step.selector,
    revision: line.revision,
    status,
    reason: reasonOf(step, status, answer.reason),
    fetched_at: new Date().toISOString(),
    run_id,
    etag: answer.etag ?? null,
    content: answer.content ?? null,
  };
}

/** Why a step has no rows: the closed list of coverage's `reason`. */
export type Reason = 'no_such_document' | 'has_none' | 'unreadable_document' | 'request_failed';

function reasonOf(step: Step, status: 'done' | 'absent' | 'failed', reason: Reason = 'request_failed'): Reason | null {
  if (status !== 'absent') return status === 'done' ? null : reason;
  // It read nothing, or nothing was in what it read.
  if (step.step === 'forms') return step.documents.length === 0 ? 'no_such_document' : 'has_none';
  return step.step === 'sections' ? 'has_none' : 'no_such_document';
}

export function lookupDocuments(line: WorkLine): Row[] {
  const { accession_number, documents } = line.filing;
  return documents.map(({ document_id, sequence, filename, description, type, size }) => ({
    document_id,
    accession_number,
    sequence,
    filename,
    description,
    type,
    size: size ?? null,
  }));
}

export function joinBatch(into: RowBatch, more: RowBatch): void {
  for (const [table, rows] of Object.entries(more.rows as StepRows)) {
    const before = (into.rows as StepRows)[table];
    (into.rows as StepRows)[table] = before ? [...before, ...rows] : rows;
  }
  mergeReplacements(into.replace, more.replace);
  into.done.push(...more.done);
  into.failures += more.failures;
  addRefreshed(into, more);
  if (more.more) into.more = [...(into.more ?? []), ...more.more];
}

/** Only the failures of a batch: its rows are not written. */
export function failuresOf(exportName: string, { rows, done, failures }: RowBatch): RowBatch {
  const list = (rows as StepRows).export_failures ?? [];
  const replace = deleteFailures(exportName, list);
  return { rows: { export_failures: list } as RowBatch['rows'], done, replace, failures };
}

/** Rows of a form's tables that are written: few in the batch itself, many as they are made. */
export function addFormRows(into: RowBatch, { rows }: FormRows, written: ReadonlySet<string>): void {
  if (!Array.isArray(rows)) {
    into.more = [onlyOf(rows, written)];
    return;
  }
  const tables = into.rows as StepRows;
  for (const { table, row } of rows) {
    if (!written.has(table)) continue;
    tables[table] ??= [];
    tables[table].push(row);
  }
}

function onlyOf(rows: Iterable<TableRow>, written: ReadonlySet<string>): Iterable<TableRow> {
  return {
    *[Symbol.iterator]() {
      for (const one of rows) if (written.has(one.table)) yield one;
    },
  };
}
