/** Rows of `export_failures`, each with how often the same has failed before. */
import { ContractViolationError } from '../../src/client/index.ts';
import { FilinglakeError } from '../../src/contract/index.ts';
import type { Row, RowViolation } from '../../src/export/index.ts';
import type { Lake } from '../../src/lake/index.ts';
import { messageOf, shownValue } from './failures.ts';

/** What a failure is about: `subject` is the document, filing or entity of the step. */
export interface FailureAbout {
  export: string;
  step: string;
  subject: string;
  accession_number: string | null;
  document_id: string | null;
  cik: string | null;
}

/** The code of a value that its column can't hold. The step is done, and is not asked again while the record is the same. */
export const UNSTORABLE = 'value-unstorable';

/** What the service's own data are the reason of: asked again tomorrow, it is the same, unless somebody mends it there. */
export const FINAL_CODES: readonly string[] = [
  UNSTORABLE,
  'contract-violation',
  'record-not-found',
  'entity-not-found',
  'unprocessable',
];

export class FailureLog {
  readonly #lake: Pick<Lake, 'query'>;
  readonly #export: string;
  #earlier: Promise<ReadonlyMap<string, number>> | null = null;

  constructor(lake: Pick<Lake, 'query'>, exportName: string) {
    this.#lake = lake;
    this.#export = exportName;
  }

  async failure(about: FailureAbout, error: unknown): Promise<Row> {
    const violation = error instanceof ContractViolationError ? error : null;
    return {
      ...about,
      code: error instanceof FilinglakeError ? error.code : 'unexpected',
      message: messageOf(error),
      path: violation?.path ?? null,
      value: violation ? shownValue(violation.value) : null,
      ...(await this.#tried(about)),
    };
  }

  /** A record that broke the contract: nothing of it is stored. */
  async violation(about: FailureAbout, violation: RowViolation): Promise<Row> {
    return this.#ofValue(about, violation, 'contract-violation', 'breaks the contract');
  }

  /** A single value that its column can't hold: the rest of the record is stored. */
  async unstorable(about: FailureAbout, violation: RowViolation): Promise<Row> {
    return this.#ofValue(about, violation, UNSTORABLE, "can't be stored");
  }

  async #ofValue(about: FailureAbout, { path, value }: RowViolation, code: string, what: string): Promise<Row> {
    return {
      ...about,
      code,
      message: `${path} ${what}`,
      path,
      value: shownValue(value),
      ...(await this.#tried(about)),
    };
  }

  async #tried({ step, subject }: FailureAbout): Promise<{ attempts: number; failed_at: string }> {
    // Read once something fails, and not before: mostly nothing does.
    this.#earlier ??= this.#read();
    const before = (await this.#earlier).get(`${step} ${subject}`) ?? 0;
    return { attempts: before + 1, failed_at: new Date().toISOString() };
  }

  async #read(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#lake.query(
      `SELECT step, subject, attempts FROM export_failures WHERE export = '${this.#export.replaceAll("'", "''")}'`,
    );
    return new Map(rows.map(({ step, subject, attempts }) => [`${step} ${subject}`, Number(attempts ?? 0)]));
  }
}
