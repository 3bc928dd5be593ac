/** Rows of `export_failures`, each with what the lake has of the same from before: how often it was tried, and whether it was told. */
import { AnswerTooLongError, ContractViolationError } from '../../client/index.ts';
import { type ErrorCode, FilinglakeError } from '../../core/index.ts';
import type { Lake } from '../../lake/index.ts';
import type { Row } from '../../tables/index.ts';
import { sqlText } from '../sql-values.ts';
import type { RunReference } from '../types.ts';
import { DocumentTooLargeError, messageOf, shownValue } from './failures.ts';

/** What a failure is about: `subject` is the document, filing or entity of the step. */
export interface FailureAbout {
  export: string;
  step: string;
  subject: string;
  accession_number: string | null;
  document_id: string | null;
  cik: string | null;
  /** Of the record that it was tried for; left out where none could be read. */
  revision?: string | null;
}

/** A value that broke the contract, or that its column can't hold. */
export interface Fault {
  path: string;
  value: unknown;
}

/** The code of a value that its column can't hold. The step is done, and is not asked again while the record is the same. */
export const UNSTORABLE = 'value-unstorable' satisfies ErrorCode;

/** What the service's own data are the reason of: asked again tomorrow, it is the same, unless somebody mends it there. */
export const FINAL_CODES: readonly string[] = [
  UNSTORABLE,
  'contract-broken',
  'record-not-found',
  'entity-not-found',
  'record-unprocessable',
  'answer-too-long',
  'document-too-large',
] satisfies ErrorCode[];

/** Faults that one row names. */
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

  /** Whether just this was recorded before, of the same record: in an earlier run, or in this one. */
  async isRecorded({ step, subject, revision = null }: FailureAbout, error: unknown): Promise<boolean> {
    this.#earlier ??= this.#read();
    const before = (await this.#earlier).get(`${step} ${subject}`);
    return before?.kind === kindOf(failureOf(error)) && before.revision === revision;
  }

  /** Whether another run that has completed has told just this, and the service's own data are the reason. */
  isKnown({ code, first_reported_by }: Row): boolean {
    return (
      FINAL_CODES.includes(String(code)) &&
      (first_reported_by ?? null) !== null &&
      first_reported_by !== this.#run.run_id
    );
  }

  /** Of a record that broke the contract nothing is stored. @param faults all of this subject, at least one */
  async violation(about: FailureAbout, faults: readonly Fault[]): Promise<Row> {
    return this.#row(about, ofValues(faults, 'contract-broken', 'breaks the contract'));
  }

  /** Of a record with values that their columns can't hold the rest is stored. @param faults all of this subject, at least one */
  async unstorable(about: FailureAbout, faults: readonly Fault[]): Promise<Row> {
    return this.#row(about, ofValues(faults, UNSTORABLE, "can't be stored"));
  }

  async #row(about: FailureAbout, what: FailureOf): Promise<Row> {
    // Read once something fails, and not before: mostly nothing does.
    this.#earlier ??= this.#read();
    const before = (await this.#earlier).get(`${about.step} ${about.subject}`);
    // Where only the number of the filing is known it is tried for the record that failed before.
    const revision = about.revision || (before?.revision ?? null);
    const isSame = before?.kind === kindOf(what) && before.revision === revision;
    return {
      ...about,
      ...what,
      attempts: (before?.attempts ?? 0) + 1,
      failed_at: new Date().toISOString(),
      run_id: this.#run.run_id,
      revision,
      // Another failure of the same subject, or of a record that has changed, has been told to nobody.
      first_reported_by: isSame ? before.first_reported_by : null,
    };
  }

  async #read(): Promise<ReadonlyMap<string, Earlier>> {
    const rows = await this.#lake.query(
      `SELECT step, subject, attempts, code, path, value, revision, first_reported_by FROM export_failures
       WHERE export = ${sqlText(this.#run.definition.name)}`,
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
  // The limit: under another one it is another failure.
  const limit = error instanceof AnswerTooLongError || error instanceof DocumentTooLargeError ? error.bytesMax : null;
  return {
    code: error instanceof FilinglakeError ? error.code : ('error-unexpected' satisfies ErrorCode),
    message: messageOf(error),
    path: violation?.path ?? null,
    value: violation ? shownValue(violation.value) : shownValue(limit),
  };
}

/** All in one row: one of several alone would hide that another has come to it. */
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

/** What makes two failures of one subject the same. */
function kindOf({ code, path, value }: Omit<FailureOf, 'message'>): string {
  return JSON.stringify([code, path && withoutPlace(path), value]);
}

function kindOfFault({ path, value }: Fault): string {
  return JSON.stringify([withoutPlace(path), shownValue(value)]);
}

/** Where a record stands in the answer of a lookup is another place each day. */
function withoutPlace(path: string): string {
  return path.replaceAll(/\b(filings|hits|entities)\[\d+\]/g, '$1[]');
}

/** What is recorded under one name: records without a key together; one with a key once, however often it came. */
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
