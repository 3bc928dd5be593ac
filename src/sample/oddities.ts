/** Submissions with one oddity each. Real collections have them rarely or never, but a reader must survive them. */

import { businessDay, quarterOf, yearOf } from './calendar.ts';
import { makeCompany, makeInsider } from './company.ts';
import { compose } from './compose.ts';
import { writeSubmission } from './envelope.ts';
import type { PlannedFiling } from './filing.ts';
import { fileOf, type SampleFile } from './generate.ts';
import { ODDITIES, type Oddity } from './oddity-table.ts';

export interface OddFile extends SampleFile {
  /** `crlf`, `paper` … */
  name: string;
  /** the oddity in a few words */
  meaning: string;
  /** the file gives no filing: it removes one, or can't be read */
  broken: boolean;
  /** readers may differ about the documents' bytes, so the truth doesn't decide */
  contested: boolean;
}

/** Ids for the companies of odd files, far behind those of a sample of a million filings. */
const FIRST_ID = 900_000;

/** One file for each oddity, always the same for a seed. */
export function* sampleOddities(seed = 1): Generator<OddFile> {
  for (const [i, oddity] of ODDITIES.entries()) {
    const submission = compose(planOf(seed, oddity, i));
    oddity.submission?.(submission);
    submission.publicDocumentCount = Math.max(1, submission.documents.length);
    const { name, meaning, dialect, broken, contested } = oddity;
    let bytes = writeSubmission(submission, dialect);
    if (oddity.text) bytes = Buffer.from(oddity.text(bytes.toString('latin1')), 'latin1');
    const file = fileOf(submission, dialect);
    yield {
      ...file,
      truth: () => ({ ...file.truth(), size: bytes.length }),
      path: `${name}/${submission.accessionNumber}.${dialect}`,
      ...{ bytes, name, meaning, broken, contested },
    };
  }
}

function planOf(seed: number, oddity: Oddity, number: number): PlannedFiling {
  const filed = businessDay(oddity.filed);
  const year = yearOf(filed);
  const id = FIRST_ID + number * 2;
  const company = makeCompany(seed, id, number, 'operating', year);
  return {
    index: number,
    company,
    form: oddity.form,
    filed,
    period: oddity.form.startsWith('10-Q')
      ? filed - 40
      : oddity.form === '8-K' || oddity.form === '4'
        ? filed - 1
        : null,
    fiscalYear: year,
    fiscalQuarter: oddity.form.startsWith('10-Q') ? Math.max(1, quarterOf(filed) - 1) : null,
    ordinal: 0,
    accessionNumber: `0009199999-${String(year % 100).padStart(2, '0')}-${String(number + 1).padStart(6, '0')}`,
    amends: null,
    insider: oddity.form === '4' ? makeInsider(company, id + 1, 0) : null,
    other: null,
  };
}
