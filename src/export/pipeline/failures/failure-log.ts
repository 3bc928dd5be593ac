/** Rows of `export_failures`. Each continues an older row of the same failure: its attempts, and whether it was reported. */
import { type ErrorCode, FilinglakeError, quoteText } from '../../../core/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { FINAL_CODES } from '../../../lake/report/index.ts';
import type { Row } from '../../../lake/tables/index.ts';
import { AnswerTooLongError, ContractViolationError } from '../../client/index.ts';
import type { RunReference } from '../types.ts';
import { DocumentTooLargeError, messageOf, shownValue } from './verdict.ts';

/** The subject of a failure: the document, filing or entity of the step. */
export interface FailureAbout {
  export: string;
  step: string;
  subject: string;
  accession_number: string | null;
  document_id: string | null;
  cik: string | null;
  /** Revision of the record that was requested; absent if no record could be read. */
  revision?: string | null;
}

/** A value that broke the contract, or doesn't fit its column. */
export interface Fault {
  path: string;
  value: unknown;
}

/** A value that doesn't fit its column. The step is done, and not requested again while the record stays the same. */
export const UNSTORABLE = 'value-unstorable' satisfies ErrorCode;

/** Faults that one row lists. */
const FAULTS_MAX = 20;

interface Earlier {
  attempts: number;
  kind: string;
  revision: string | null;
  first_reported_by: string | null;
}

export class FailureLog {
  readonly #lake: Pick<Lake, 'query'>;
  readonly #run: Pick<RunReference, 'run_id' | 'definition'>;
  #earlier: Promise<ReadonlyMap<string, Earlier>> | null = null;

  constructor(lake: Pick<Lake, 'query'>, run: Pick<RunReference, 'run_id' | 'definition'>) {
    this.#lake = lake;
    this.#run = run;
  }

  /** The run whose failures these are. */
  get runId(): string {
    return this.#run.run_id;
  }

  async failure(about: FailureAbout, error: unknown): Promise<Row> {
    return this.#row(about, failureOf(error));
  }

  /** Whether the same failure of the same record was recorded before, in an earlier run or in this one. */
  async isRecorded({ step, subject, revision = null }: FailureAbout, error: unknown): Promise<boolean> {
    this.#earlier ??= this.#read();
    const before = (await this.#earlier).get(`${step} ${subject}`);
    return before?.kind === kindOf(failureOf(error)) && before.revision === revision;
  }

  /** Whether another completed run has reported the same failure, and the service's own data are the cause. */
  isKnown({ code, first_reported_by }: Row): boolean {
    return (
      FINAL_CODES.includes(String(code)) &&
      (first_reported_by ?? null) !== null &&
      first_reported_by !== this.#run.run_id
    );
  }

  /** The row of a record that broke the contract. @param faults all of this subject, at least one */
  async violation(about: FailureAbout, faults: readonly Fault[]): Promise<Row> {
    return this.#row(about, ofValues(faults, 'contract-broken', 'breaks the contract'));
  }

  /** The row of a record with values that don't fit their columns. @param faults all of this subject, at least one */
  async unstorable(about: FailureAbout, faults: readonly Fault[]): Promise<Row> {
    return this.#row(about, ofValues(faults, UNSTORABLE, "can't be stored"));
  }

  async #row(about: FailureAbout, what: FailureOf): Promise<Row> {
    // Read at the first failure: most runs have none.
    this.#earlier ??= this.#read();
    const before = (await this.#earlier).get(`${about.step} ${about.subject}`);
    // If only the number of the filing is known, the request is for the record that failed before.
    const revision = about.revision || (before?.revision ?? null);
    const isSame = before?.kind === kindOf(what) && before.revision === revision;
    return {
      ...about,
      ...what,
      attempts: (before?.attempts ?? 0) + 1,
      failed_at: new Date().toISOString(),
      run_id: this.#run.run_id,
      revision,
      // A different failure of the subject, or one of a changed record, was not reported yet.
      first_reported_by: isSame ? before.first_reported_by : null,
    };
  }

  async #read(): Promise<ReadonlyMap<string, Earlier>> {
    const rows = await this.#lake.query(
      `SELECT step, subject, attempts, code, path, value, revision, first_reported_by FROM export_failures
       WHERE export = ${quoteText(this.#run.definition.name)}`,
    );
    const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
    return new Map(
      rows.map(({ step, subject, attempts, code, path, value, revision, first_reported_by }) => [
        `${step} ${subject}`,
        {
          attempts: Number(attempts ?? 0),
          kind: kindOf({ code: String(code), path: text(path), value: text(value) }),
          revision: text(revision),
          first_reported_by: text(first_reported_by),
        },
      ]),
    );
  }
}

interface FailureOf {
  code: string;
  message: string;
  path: string | null;
  value: string | null;
}

function failureOf(error: unknown): FailureOf {
  const violation = error instanceof ContractViolationError ? error : null;
  // The limit is part of the failure: another limit makes another failure.
  const limit = error instanceof AnswerTooLongError || error instanceof DocumentTooLargeError ? error.bytesMax : null;
  return {
    code: error instanceof FilinglakeError ? error.code : ('error-unexpected' satisfies ErrorCode),
    message: messageOf(error),
    path: violation?.path ?? null,
    value: violation ? shownValue(violation.value) : shownValue(limit),
  };
}

/** All faults in one row: a row for one of several would hide a new one beside it. */
function ofValues(faults: readonly Fault[], code: string, what: string): FailureOf {
  const sorted = faults
    .map(({ path, value }) => ({ path, value: shownValue(value) }))
    .sort((a, b) => (kindOfFault(a) < kindOfFault(b) ? -1 : 1));
  const some = sorted.slice(0, FAULTS_MAX);
  const more = sorted.length > FAULTS_MAX ? [`and ${sorted.length - FAULTS_MAX} more`] : [];
  const path = [...some.map((fault) => fault.path), ...more].join(', ');
  const value = some.length === 1 ? some[0]!.value : some.map((fault) => fault.value ?? 'null').join(', ');
  return { code, message: `${path} ${what}`, path, value };
}

/** What makes two failures of one subject equal. */
function kindOf({ code, path, value }: Omit<FailureOf, 'message'>): string {
  return JSON.stringify([code, path && withoutPlace(path), value]);
}

function kindOfFault({ path, value }: Fault): string {
  return JSON.stringify([withoutPlace(path), shownValue(value)]);
}

/** The position of a record in a lookup's answer changes each day. */
function withoutPlace(path: string): string {
  return path.replaceAll(/\b(filings|hits|entities)\[\d+\]/g, '$1[]');
}

/** Faults that share one row: all of records without a key; those of one key count once. */
export function faultsByName(
  violations: readonly (Fault & { subject: string | null })[],
  nameOf: (subject: string | null) => string,
): Map<string, Fault[]> {
  const byName = new Map<string, Fault[]>();
  const seen = new Set<string>();
  for (const { subject, path, value } of violations) {
    const same = `${subject} ${kindOfFault({ path, value })}`;
    if (subject !== null && seen.has(same)) continue;
    seen.add(same);
    const name = nameOf(subject);
    const faults = byName.get(name) ?? [];
    faults.push({ path, value });
    byName.set(name, faults);
  }
  return byName;
}
