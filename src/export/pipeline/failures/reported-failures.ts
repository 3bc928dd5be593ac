/** At the end of a run: failures that are resolved, or that the definition asks for no more, are deleted. The rest are reported. */
import { quoteText } from '../../../core/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import type { Row } from '../../../lake/tables/index.ts';
import { pendingByNumber } from '../../steps/index.ts';
import { Coverage } from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import type { RunReference } from '../types.ts';
import { failuresNotAskedFor } from './earlier-failures.ts';
import { UNSTORABLE } from './failure-log.ts';
import { deleteFailures } from './recorded-failures.ts';

type RunOfExport = Pick<RunReference, 'run_id' | 'definition'>;

/**
 * Resolved failures of an export: another export has fetched their steps, for the failed revision or for the revision of the lake's
 * row. Revisions decide, not clocks. This run's own failures stay, even if another run fetches the step meanwhile: this export may
 * want more of it, which the next run plans. Failures of lookup records stay: coverage of the filing's own row says nothing of them,
 * since the first of two records is stored. Only the next reading of their window resolves them.
 */
export async function failuresMadeGood(
  lake: Lake,
  { run_id, definition }: RunOfExport,
): Promise<{ step: string; subject: string }[]> {
  const { name } = definition;
  if (!(await lake.mayHold('export_failures', 'export', [name]))) return [];
  const rows = await lake.query(
    `SELECT f.step, f.subject, accession_number FROM export_failures f JOIN coverage c USING (accession_number, step)
     LEFT JOIN (SELECT accession_number, revision FROM coverage WHERE step = 'filing') l USING (accession_number)
     WHERE f.export = ${quoteText(name)} AND f.run_id IS DISTINCT FROM ${quoteText(run_id)}
       AND f.step <> 'filing' AND f.code <> '${UNSTORABLE}' AND c.status IN ('done', 'absent')
       AND (c.revision = f.revision OR c.revision = l.revision)`,
    { tables: ['export_failures', 'coverage'] },
  );
  const failures = rows.map(({ step, subject, accession_number }) => ({
    step: String(step),
    subject: String(subject),
    accession_number: String(accession_number),
  }));
  // The other export may have asked for less of the step.
  const numbers = [...new Set(failures.map(({ accession_number }) => accession_number))];
  const coverage = await Coverage.of(lake, numbers);
  const filings = await filingsInLake(lake, numbers);
  return failures.filter(({ step, accession_number }) => {
    const [filing, covered] = [filings.get(accession_number), coverage.get(accession_number)];
    if (filing === undefined || !covered.has('filing')) return true;
    return !pendingByNumber(definition, filing, covered).some((one) => one.step === step);
  });
}

/** At the end of a run: deletes failures that are resolved, or that the definition asks for no more, and marks the rest as reported. */
export async function reportedBy(lake: Lake, run: RunOfExport): Promise<{ rows: Row[]; replace: Replacement[] }> {
  const { name } = run.definition;
  if (!(await lake.mayHold('export_failures', 'export', [name]))) return { rows: [], replace: [] };
  const keyOf = ({ step, subject }: { step?: unknown; subject?: unknown }) => `${step} ${subject}`;
  const over = await failuresMadeGood(lake, run);
  const dropped = await failuresNotAskedFor(lake, run);
  const gone = new Set([...over, ...dropped.failures].map(keyOf));
  const untold = (await lake.query(
    `SELECT * FROM export_failures WHERE export = ${quoteText(name)} AND first_reported_by IS NULL ORDER BY step, subject`,
    { tables: ['export_failures'] },
  )) as Row[];
  const rows = untold
    .filter((row) => !gone.has(keyOf(row)))
    .map((row): Row => ({ ...row, first_reported_by: run.run_id }));
  return { rows, replace: [...deleteFailures(name, [...over, ...rows]), ...dropped.replace] };
}
