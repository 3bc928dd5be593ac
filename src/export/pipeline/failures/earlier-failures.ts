/**
 * Failures of earlier runs of an export, beside what its definition asks for now. Those that it asks for no more are deleted: when a window
 * is planned, of the filings that it has; at the end of the run, of filings that no window has.
 */
import { quoteText } from '../../../core/index.ts';
import { parseCik } from '../../../filings/api/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import { isEntityTable } from '../../../lake/tables/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import type { Step } from '../../selectors/index.ts';
import { asKnown, asksFor, type CoveredStep, isFromMember, type KnownFiling } from '../../steps/index.ts';
import { among } from '../sql-values.ts';
import type { RunReference } from '../types.ts';
import { UNSTORABLE } from './failure-log.ts';
import { deleteFailures } from './recorded-failures.ts';

/** Members of a row of export_failures. */
export interface EarlierFailure {
  readonly step: string;
  readonly subject: string;
  readonly accession_number: string | null;
  readonly code: string;
  readonly path: string | null;
}

type RunOfExport = Pick<RunReference, 'run_id' | 'definition'>;

export class EarlierFailures {
  /** What they are about: accession numbers and CIKs. */
  readonly subjects: readonly string[];
  readonly #definition: ExportDefinition;
  readonly #byNumber: ReadonlyMap<string | null, readonly EarlierFailure[]>;

  private constructor(definition: ExportDefinition, all: readonly EarlierFailure[]) {
    this.subjects = all.map(({ subject, accession_number }) => accession_number ?? subject);
    this.#definition = definition;
    this.#byNumber = Map.groupBy(all, ({ accession_number }) => accession_number);
  }

  /** Those about filings, and about companies by their CIKs. @param about called only if the lake may have any */
  static async of(
    lake: Lake,
    run: RunOfExport,
    about: () => { numbers: Iterable<string>; ciks?: Iterable<string> },
  ): Promise<EarlierFailures> {
    const these = () => {
      const { numbers, ciks = [] } = about();
      return `(accession_number IN ${among(numbers)} OR step = 'entity' AND subject IN ${among(ciks)})`;
    };
    return new EarlierFailures(run.definition, await readEarlier(lake, run, these));
  }

  /** Failures of a filing that are not asked for, or that the lake has. @param pending steps that this run requests */
  over(filing: KnownFiling, covered: ReadonlyMap<string, CoveredStep>, pending: readonly Step[]): EarlierFailure[] {
    const failures = this.#byNumber.get(filing.accession_number) ?? [];
    if (failures.length === 0) return [];
    const known = asKnown(filing, covered.get('info')?.selector);
    return failures.filter(({ step, code, path }) => {
      // Only lookups tell of their records.
      if (step === 'filing' || pending.some((one) => one.step === step)) return false;
      const isAsked = asksFor(this.#definition, known, step);
      // A value that can't be stored is requested once.
      if (isAsked && code === UNSTORABLE) return !isOfWantedTable(this.#definition, step, path);
      return isAsked !== null;
    });
  }
}

/** The deletion of failures that are not asked for, with the plans of their steps: `lake check` would miss what nothing explains. */
export function dropFailures(name: string, failures: readonly EarlierFailure[]): Replacement[] {
  const ofFilings = failures.flatMap(({ step, accession_number }) =>
    accession_number === null ? [] : [[accession_number, step.replace(/:.*/, 's')] as const],
  );
  return [...deleteFailures(name, failures), ...deletePlans(name, ofFilings)];
}

function deletePlans(name: string, plans: readonly (readonly [accession_number: string, pass: string])[]) {
  const columns = ['export', 'accession_number', 'pass'];
  return plans.length === 0 ? [] : [{ table: 'export_plans', columns, values: plans.map((of) => [name, ...of]) }];
}

/** Plans of companies, by their CIKs: each stands with the first filing of the company. */
async function plansOfCompanies(lake: Lake, name: string, failures: readonly EarlierFailure[]) {
  const ciks = failures.flatMap(({ step, subject }) => (step === 'entity' ? [subject] : []));
  if (ciks.length === 0) return [];
  const rows = await lake.query(
    `SELECT accession_number FROM export_plans WHERE export = ${quoteText(name)} AND pass = 'entities' AND steps IN ${among(ciks)}`,
    { tables: ['export_plans'] },
  );
  return rows.map(({ accession_number }) => [String(accession_number), 'entities'] as const);
}

async function readEarlier(lake: Lake, run: RunOfExport, condition: () => string): Promise<EarlierFailure[]> {
  const { run_id, definition } = run;
  if (!(await lake.mayHold('export_failures', 'export', [definition.name]))) return [];
  const rows = await lake.query(
    `SELECT step, subject, accession_number, code, path FROM export_failures
     WHERE export = ${quoteText(definition.name)} AND run_id IS DISTINCT FROM ${quoteText(run_id)} AND ${condition()}`,
    { tables: ['export_failures'] },
  );
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  return rows.map(({ step, subject, accession_number, code, path }) => ({
    step: String(step),
    subject: String(subject),
    accession_number: text(accession_number),
    code: String(code),
    path: text(path),
  }));
}

/** Whether a value was for a table that is wanted: `parties[0].name, documents[1].size` */
function isOfWantedTable(definition: ExportDefinition, step: string, path: string | null): boolean {
  if (step !== 'info' || path === null) return true;
  return path.split(', ').some((one) => isFromMember(definition, one.split(/[.[]/)[0]!));
}

const SEEN = 'failures-seen-';

/** Keeps which earlier failures are about something that a window of this run has, for the run's end. */
export async function noteSeen(lake: Lake, runId: string, window: string, subjects: Iterable<string>): Promise<void> {
  const all = [...new Set(subjects)];
  if (all.length > 0) await lake.putStaged(runId, `${SEEN}${window}.json`, JSON.stringify(all));
}

/** All companies: their CIKs are not known when the window is planned. */
export const ANY_COMPANY = '';

/** At the end of a run: the failures of earlier ones that its definition asks for no more, except those that `EarlierFailures.over` found. */
export async function failuresNotAskedFor(
  lake: Lake,
  run: RunOfExport,
): Promise<{ failures: EarlierFailure[]; replace: Replacement[] }> {
  const { name } = run.definition;
  const all = await readEarlier(lake, run, () => 'true');
  const ofOtherTables = all.filter((one) => !mayWant(run.definition, one));
  const unseen = all.length > 0 ? await unseenAmong(lake, run, all) : [];
  // The plans of their filings are of this run.
  const leftOut = await leftOutByInfo(lake, run, all);
  const others = [...new Set([...ofOtherTables, ...unseen])];
  return {
    failures: [...others, ...leftOut],
    replace: [
      ...dropFailures(name, others),
      ...deletePlans(name, await plansOfCompanies(lake, name, others)),
      ...deleteFailures(name, leftOut),
    ],
  };
}

function mayWant({ tables, service }: ExportDefinition, { step, subject }: EarlierFailure): boolean {
  if (step === 'entity') return tables.some(isEntityTable);
  return step !== 'days' || (tables.includes('edgar_days') && subject === service.base_url);
}

/** Failures about what no window of this run has, if every window has all that it should. */
async function unseenAmong(lake: Lake, { run_id }: RunOfExport, all: readonly EarlierFailure[]) {
  const [windows] = await lake.query(
    `SELECT count(*)::INT AS n, coalesce(bool_and(proven), false) AS are_proven,
       (SELECT count(*)::INT FROM export_failures WHERE run_id = ${quoteText(run_id)} AND starts_with(subject, 'window ')) AS unidentified
     FROM export_windows WHERE run_id = ${quoteText(run_id)}`,
    { tables: ['export_windows', 'export_failures'] },
  );
  // A retry reads no windows. A record without a key may be any.
  if (!windows || windows.n === 0 || windows.are_proven !== true || windows.unidentified !== 0) return [];
  const seen = new Set<string>();
  for (const name of await lake.stagedNames(run_id, SEEN)) {
    const bytes = await lake.readStaged(run_id, name);
    for (const subject of JSON.parse(bytes!.toString('utf8')) as string[]) seen.add(subject);
  }
  return all.filter(({ step, subject, accession_number }) => {
    if (step === 'days') return false;
    if (step === 'entity' && seen.has(ANY_COMPANY)) return false;
    return !seen.has(accession_number ?? parseCik(subject) ?? subject) && !seen.has(subject);
  });
}

/** Steps that filing_info alone states, of filings whose filing_info this run has requested: it would have tried those that are wanted. */
async function leftOutByInfo(lake: Lake, { run_id }: RunOfExport, all: readonly EarlierFailure[]) {
  const ofInfo = all.filter(({ step, code }) => code !== UNSTORABLE && /^(sections|forms|document:)/.test(step));
  if (ofInfo.length === 0) return [];
  const numbers = new Set(ofInfo.map(({ accession_number }) => accession_number ?? ''));
  const rows = await lake.query(
    `SELECT accession_number FROM coverage WHERE step = 'info' AND status IN ('done', 'absent') AND run_id = ${quoteText(run_id)}
       AND accession_number IN ${among(numbers)}`,
    { tables: ['coverage'] },
  );
  const asked = new Set(rows.map(({ accession_number }) => String(accession_number)));
  return ofInfo.filter(({ accession_number }) => asked.has(accession_number ?? ''));
}
