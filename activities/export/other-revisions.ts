/**
 * Filings of which another run has brought another revision while this one went on. Which of the two records is the newer can't be told from
 * here, so theirs stays, and the next run looks at the filing anew.
 */
import type { Filing } from '../../src/contract/index.ts';
import type { Lake } from '../../src/lake/index.ts';
import type { WorkLine } from './coverage.ts';
import { among } from './sql-values.ts';
import type { PlanWindowRequest } from './types.ts';

/**
 * Takes them out of what a plan owes that is made again. The first plan follows the reading of its window, and has the newest record.
 * @returns how many there were
 */
export async function leaveOtherRevisions(
  lake: Lake,
  { run: { started_at }, plan }: Pick<PlanWindowRequest, 'run' | 'plan'>,
  owing: Map<Filing, WorkLine>,
): Promise<number> {
  if (plan === 1 || started_at === undefined) return 0;
  const changed = [...owing].filter(([, line]) => line.changed).map(([filing]) => filing);
  if (changed.length === 0) return 0;
  const rows = await lake.query(
    `SELECT accession_number FROM coverage WHERE step = 'filing' AND fetched_at >= TIMESTAMPTZ '${new Date(started_at).toISOString()}'
     AND accession_number IN ${among(changed.map(({ accession_number }) => accession_number))}`,
    { tables: ['coverage'] },
  );
  const since = new Set(rows.map(({ accession_number }) => String(accession_number)));
  for (const filing of changed) if (since.has(filing.accession_number)) owing.delete(filing);
  return since.size;
}
