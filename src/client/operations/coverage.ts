/** Answers to coverage: docs/api.md#coverage. */
import type { CoverageDay } from '../../api/index.ts';
import { type PageFacts, readPage } from '../page-answers.ts';
import { date, integer, orNull, type ReadNotes, text } from '../read.ts';
import { recordOf } from '../record.ts';

export interface CoveragePage extends PageFacts {
  days: CoverageDay[];
}

const day = recordOf<CoverageDay>('day', {
  day: date,
  expected: orNull(integer),
  in_catalog: integer,
  missing: integer,
  lag_p50_s: orNull(integer),
  lag_p99_s: orNull(integer),
  proven_at: orNull(text),
});

const NAMES = { operation: 'coverage', list: 'days', count: 'count' } as const;

export function readCoveragePage(body: unknown, notes: ReadNotes): CoveragePage {
  const { records, facts } = readPage(NAMES, body, day, notes);
  return { ...facts, days: records };
}
