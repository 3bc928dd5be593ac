/** The stream of a sample's files, in memory: pure, lazy, and the same for the same options. */
import { isoDay, parseDay, quarterOf, yearOf } from './companies/calendar.ts';
import type { Dialect, PlannedFiling, Submission } from './companies/filing.ts';
import { COHORT_FILINGS, DEFAULT_PERIOD, planCohort, type SamplePeriod } from './companies/plan.ts';
import { Random } from './companies/random.ts';
import { writeSubmission } from './envelope.ts';
import { currentReport } from './forms/current.ts';
import { holdingsReport } from './forms/holdings.ts';
import * as narrative from './forms/narrative.ts';
import { exemptOffering } from './forms/offering.ts';
import { ownershipReport } from './forms/ownership.ts';
import { periodicReport } from './forms/periodic.ts';

/** Raised if the same options begin to give other bytes. */
export const SAMPLE_VERSION = 6;

export interface SampleOptions {
  filings: number;
  seed?: number;
  /** first and last filing date, `YYYY-MM-DD`; by default 2005-01-03 to 2025-12-31 */
  from?: string;
  to?: string;
}

export type SampleFile = ReturnType<typeof fileOf>;

const WRITERS: readonly (readonly [RegExp, (plan: PlannedFiling) => Submission])[] = [
  [/^10-[KQ]/, periodicReport],
  [/^8-K/, currentReport],
  [/^[345]$/, ownershipReport],
  [/^13F/, holdingsReport],
  [/^D(\/A)?$/, exemptOffering],
  [/^DEF 14A$/, narrative.proxyStatement],
  [/^S-1$/, narrative.registrationStatement],
  [/^SC 13G/, narrative.ownershipSchedule],
];

export function periodOf({ from, to }: SampleOptions): SamplePeriod {
  return { from: from ? parseDay(from) : DEFAULT_PERIOD.from, to: to ? parseDay(to) : DEFAULT_PERIOD.to };
}

/** The filings of a sample, one after the other, each with its files. Only the current cohort of 250 is in memory. */
export function* generateFilings(options: SampleOptions): Generator<ReturnType<typeof generateFiling>> {
  for (let cohort = 0; cohort * COHORT_FILINGS < options.filings; cohort++) {
    for (const plan of planCohort(options.seed ?? 1, cohort, periodOf(options)))
      if (plan.index < options.filings) yield generateFiling(plan);
  }
}

export function generateFiling(plan: PlannedFiling) {
  const submission = WRITERS.find(([form]) => form.test(plan.form))![1](plan);
  return { submission, files: dialectsOf(plan).map((dialect) => fileOf(submission, dialect)) };
}

/** The files of a sample without a disk: a stream for tests and benchmarks. */
export function* sampleSubmissions(options: SampleOptions): Generator<SampleFile> {
  for (const { files } of generateFilings(options)) yield* files;
}

/** Most filings come as `.txt`, some as `.nc` alone, a few in both. */
function dialectsOf(plan: PlannedFiling): Dialect[] {
  const draw = new Random(plan.company.seed, 'dialect', plan.index).unit();
  return draw < 0.1 ? ['nc'] : draw < 0.12 ? ['txt', 'nc'] : ['txt'];
}

/** A file: its path is below the sample's folder; `index` is the number of the filing, `submission` what its bytes were made from. */
function fileOf(submission: Submission, dialect: Dialect) {
  const { index, accessionNumber, filed, form } = submission.plan;
  const { parties } = submission;
  // EDGAR files a submission under the CIK of its filer, subject or issuer.
  const [first] = ['filer', 'subject_company', 'issuer'].flatMap((role) => parties.filter((p) => p.role === role));
  const path =
    dialect === 'txt'
      ? `edgar/data/${first!.entity.cik}/${accessionNumber}.txt`
      : `Feed/${yearOf(filed)}/QTR${quarterOf(filed)}/${accessionNumber}.nc`;
  const bytes = writeSubmission(submission, dialect);
  return { path, bytes, index, dialect, accessionNumber, form, filingDate: isoDay(filed), submission };
}
