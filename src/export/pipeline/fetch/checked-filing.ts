/** The rows of a filing that a proven window lacks: marked as removed, or with the date and form that filing_info states now. */
import type { Filing, FilingInfo } from '../../../filings/api/index.ts';
import { type Row, rowsOf } from '../../../lake/tables/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { filledRevision, revisionWithoutDocuments } from '../../revisions/index.ts';
import { replaceStep, type WorkLine } from '../coverage/coverage.ts';
import { isInSameWindows } from '../plan/unlisted-filings.ts';
import type { RowBatch } from '../staging/segment-sink.ts';
import { batchOf, emptyBatch } from './row-batch.ts';

const WRITTEN: ReadonlySet<string> = new Set(['filings']);

/** @param before its row in the lake @param info null: there is no such filing @returns null: only not listed */
export function checkedFiling(
  definition: ExportDefinition,
  line: WorkLine,
  before: Filing,
  info: FilingInfo | null,
  run_id: string,
): RowBatch | null {
  const { accession_number } = before;
  const now = info === null ? before : { ...before, ...statedBy(info) };
  if (info !== null && isInSameWindows(now, before)) return null;
  const at = new Date().toISOString();
  const rows = rowsOf('lookup', now, ['documents']).rows.filings as Row[];
  if (info === null) for (const row of rows) row.removed_at = at;
  const { selector, revision } = line.covered.filing!;
  const coverage = {
    accession_number,
    step: 'filing',
    selector,
    status: 'done',
    fetched_at: at,
    run_id,
    revision: info === null ? revision : filledRevision(revisionWithoutDocuments(now), revision),
    // No record equals this one. If the filing comes back, its row is written again.
    record: null,
  };
  const replace = replaceStep(definition, accession_number, 'filing', WRITTEN);
  // No run requests its steps again: their failures would stay for ever, and so would plans without them.
  for (const table of info === null ? ['export_failures', 'export_plans'] : [])
    replace.push({ table, columns: ['accession_number'], values: [[accession_number]] });
  return batchOf(line, { step: 'filing' }, { filings: rows, coverage: [coverage] }, replace);
}

/**
 * The row of a filing as filing_info states it now, without the mark of a removed one. Of a row that a lookup wrote, only a form that the
 * lookup left out is filled in: the rest changes with the next lookup.
 * @param info null: the answer has not changed
 */
export function restatedFiling({ filing, covered, isRemoved, knownBy }: WorkLine, info: FilingInfo | null): RowBatch {
  const isOfInfo = knownBy === 'lake' && (covered.filing?.record ?? null) === null;
  const all = info === null ? {} : statedBy(info);
  const stated = isOfInfo ? all : filing.form_type === null && all.form_type ? { form_type: all.form_type } : {};
  const isSame = Object.entries(stated).every(([name, value]) => filing[name as keyof Filing] === value);
  if (isSame && !isRemoved) return emptyBatch();
  const { filings } = rowsOf('lookup', { ...filing, ...stated }, ['documents']).rows as { filings: Row[] };
  const replace = [{ table: 'filings', columns: ['accession_number'], values: [[filing.accession_number]] }];
  return { ...emptyBatch(), rows: { filings }, replace };
}

/** The members that filing_info states. The others may be unchanged. */
function statedBy(info: FilingInfo): Partial<Filing> {
  const { cik, form_type, filing_date, acceptance_datetime, entity_name, report_date } = info;
  const all = { cik, form_type, filing_date, acceptance_datetime, entity_name, report_date };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
