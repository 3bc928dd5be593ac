/** The stream of a sample's files, in memory: pure, lazy, and the same for the same options. */
import { isoDay, parseDay, quarterOf, yearOf } from './calendar.ts';
import { writeSubmission } from './envelope.ts';
import type { Dialect, PlannedFiling, Submission } from './filing.ts';
import { compose } from './forms/index.ts';
import { COHORT_FILINGS, DEFAULT_PERIOD, planCohort, type SamplePeriod } from './plan.ts';
import { Random } from './random.ts';

/** Raised if the same options begin to give other bytes. */
export const SAMPLE_VERSION = 3;

export interface SampleOptions {
  filings: number;
  seed?: number;
  /** first and last filing date, `YYYY-MM-DD`; by default 2005-01-03 to 2025-12-31 */
  from?: string;
  to?: string;
}

export interface SampleFile {
  /** below the sample's folder, with slashes: `edgar/data/3000003/0009100125-24-000001.txt` */
  path: string;
  bytes: Buffer;
  /** number of the filing, from 0 */
  index: number;
  dialect: Dialect;
  accessionNumber: string;
  form: string;
  /** `YYYY-MM-DD` */
  filingDate: string;
  /** What its bytes were made from */
  submission: Submission;
}

const FEED_ALONE = 0.1;
const BOTH_DIALECTS = 0.02;

export function periodOf(options: SampleOptions): SamplePeriod {
  return {
    from: options.from === undefined ? DEFAULT_PERIOD.from : parseDay(options.from),
    to: options.to === undefined ? DEFAULT_PERIOD.to : parseDay(options.to),
  };
}

/** A filing's files with what they were made from. */
interface GeneratedFiling {
  submission: Submission;
  files: SampleFile[];
}

/** The filings of a sample, one after the other. Only the current cohort of 250 is in memory. */
export function* generateFilings(options: SampleOptions): Generator<GeneratedFiling> {
  const seed = options.seed ?? 1;
  const period = periodOf(options);
  for (let cohort = 0; cohort * COHORT_FILINGS < options.filings; cohort++) {
    for (const plan of planCohort(seed, cohort, period)) {
      if (plan.index >= options.filings) break;
      yield generateFiling(plan);
    }
  }
}

export function generateFiling(plan: PlannedFiling): GeneratedFiling {
  const submission = compose(plan);
  return { submission, files: dialectsOf(plan).map((dialect) => fileOf(submission, dialect)) };
}

/** The files of a sample without a disk: a stream for tests and benchmarks. */
export function* sampleSubmissions(options: SampleOptions): Generator<SampleFile> {
  for (const { files } of generateFilings(options)) yield* files;
}

/** Most filings come as `.txt`, some as `.nc` alone, a few in both. */
function dialectsOf(plan: PlannedFiling): Dialect[] {
  const draw = new Random(plan.company.seed, 'dialect', plan.index).unit();
  if (draw < FEED_ALONE) return ['nc'];
  return draw < FEED_ALONE + BOTH_DIALECTS ? ['txt', 'nc'] : ['txt'];
}

/** The party under whose CIK EDGAR files the submission. */
function primaryCik({ parties }: Submission): string {
  const first = ['filer', 'subject_company', 'issuer'].flatMap((role) => parties.filter((p) => p.role === role))[0];
  return first!.entity.cik;
}

function fileOf(submission: Submission, dialect: Dialect): SampleFile {
  const { plan } = submission;
  const { accessionNumber, filed, form } = plan;
  const bytes = writeSubmission(submission, dialect);
  return {
    path:
      dialect === 'txt'
        ? `edgar/data/${primaryCik(submission)}/${accessionNumber}.txt`
        : `Feed/${yearOf(filed)}/QTR${quarterOf(filed)}/${accessionNumber}.nc`,
    bytes,
    index: plan.index,
    dialect,
    accessionNumber,
    form,
    filingDate: isoDay(filed),
    submission,
  };
}
