/**
 * Rows of the lookup: of filings that the lake lacks, and of filings whose record differs from the lake's rows. They cost no
 * request. Other rows of the filing stay, and coverage states their revision.
 */
import type { Filing } from '../../../filings/api/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import { type Row, type RowViolation, rowsOf } from '../../../lake/tables/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { canonicalJson, mergedRecord } from '../../revisions/index.ts';
import {
  type CoveredStep,
  documentsByInfo,
  filingSelector,
  joinedSelector,
  type KnownFiling,
  type PendingSteps,
  selectorCovers,
} from '../../steps/index.ts';
import { replaceStep, type WorkLine } from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import { among } from '../sql-values.ts';
import { mergeReplacements } from '../staging/segment-sink.ts';

interface Candidate {
  line: WorkLine;
  pending: PendingSteps;
  /** Its coverage, unchanged. */
  covered: ReadonlyMap<string, CoveredStep>;
}

export interface ListedRows {
  rows: Record<'filings' | 'documents' | 'coverage', Row[]>;
  replace: Replacement[];
  /** Filings whose rows equal the record, and that have no pending steps. */
  known: number;
  /** Filings whose row differed from the record, and is replaced. */
  moved: number;
  /** Values that can't be stored. */
  unfit: { line: WorkLine; violations: readonly RowViolation[] }[];
}

const WRITTEN: ReadonlySet<string> = new Set(['filings']);

export class Listing {
  readonly #definition: ExportDefinition;
  readonly #constants: { fetched_at: string; run_id: string };
  readonly #candidates: Candidate[] = [];
  #inLake: ReadonlyMap<string, Filing> = new Map();
  #ofService: ReadonlySet<string> = new Set();

  /** @param constants of the rows of coverage */
  constructor(definition: ExportDefinition, constants: { fetched_at: string; run_id: string }) {
    this.#definition = definition;
    this.#constants = constants;
  }

  /** A filing whose rows may have to be written. */
  add(line: WorkLine, pending: PendingSteps, covered: ReadonlyMap<string, CoveredStep>): void {
    this.#candidates.push({ line, pending, covered });
  }

  /**
   * @param inLake those of the added filings whose records differ from the lake's
   * @param ofService those whose rows are from the same service: they follow its records to the letter
   */
  compareWith(inLake: ReadonlyMap<string, Filing>, ofService: ReadonlySet<string>): void {
    this.#inLake = inLake;
    this.#ofService = ofService;
  }

  /** The rows of all added filings, without those that the lake has unchanged. */
  async rows(lake: Lake): Promise<ListedRows> {
    const listed: ListedRows = {
      rows: { filings: [], documents: [], coverage: [] },
      replace: [],
      known: 0,
      moved: 0,
      unfit: [],
    };
    const numbers = this.#candidates
      .filter(({ covered, pending }) => covered.has('filing') && !pending.changed)
      .map(({ line }) => line.filing.accession_number)
      .filter((number) => !this.#inLake.has(number));
    const inLake = new Map([...this.#inLake, ...(await filingsInLake(lake, numbers))]);
    const restated: Candidate[] = [];
    for (const candidate of this.#candidates) {
      const { pending, covered, line } = candidate;
      const before = inLake.get(line.filing.accession_number);
      const filing = before === undefined || pending.changed ? line.filing : this.#stated(line.filing, before);
      const ownsDocuments = this.#ownsDocuments(candidate);
      if (
        pending.listed &&
        before !== undefined &&
        isStated(pending, covered) &&
        isSame(filing, before, ownsDocuments)
      ) {
        if (pending.known) listed.known++;
        continue;
      }
      this.#write(listed, candidate, filing, ownsDocuments);
      if (isRestated(candidate)) restated.push(candidate);
    }
    await this.#restate(lake, restated, listed);
    return listed;
  }

  /** A lookup that names no documents says nothing of them, and one without the form nothing of it: filing_info may have. */
  #stated(filing: Filing, before: Filing): Filing {
    if (!this.#ofService.has(filing.accession_number)) return mergedRecord(filing, before);
    const documents = filing.documents.length === 0 ? before.documents : filing.documents;
    return { ...filing, documents, form_type: filing.form_type ?? before.form_type };
  }

  /** Whether the documents are written from the lookup: if wanted, or if they were before. */
  #ownsDocuments({ line, covered }: Candidate): boolean {
    const before = covered.get('filing');
    const byLookup = before !== undefined && selectorCovers(before.selector, 'documents');
    return (
      writesDocuments(this.#definition, line) ||
      (byLookup && !selectorCovers(covered.get('info')?.selector ?? '', 'documents'))
    );
  }

  #write(listed: ListedRows, { line, pending, covered }: Candidate, filing: Filing, documents: boolean): void {
    const { accession_number } = filing;
    const { rows, violations } = rowsOf('lookup', filing, documents ? [] : ['documents']);
    listed.rows.filings.push(...(rows.filings ?? []));
    if (documents) listed.rows.documents.push(...(rows.documents ?? []));
    const wanted = filingSelector(this.#definition, { documents: !writesDocuments(this.#definition, line) });
    const before = covered.get('filing');
    const selector = before === undefined ? wanted : joinedSelector(before.selector, wanted);
    const { revision, record } = pending;
    const of = { accession_number, step: 'filing', selector, revision, status: 'done', record };
    listed.rows.coverage.push({ ...of, ...this.#constants });
    if (before !== undefined) {
      listed.moved++;
      mergeReplacements(listed.replace, replaceStep(this.#definition, accession_number, 'filing', WRITTEN));
    }
    // Documents from filing_info have sizes. They stay.
    if (before !== undefined && documents)
      mergeReplacements(listed.replace, [
        { table: 'documents', columns: ['accession_number'], values: [[accession_number]] },
      ]);
    if (violations.length > 0) listed.unfit.push({ line, violations });
  }

  /** Steps that were done while less of the filing's revision was known: their coverage gets the filing's revision. */
  async #restate(lake: Lake, candidates: readonly Candidate[], { rows, replace }: ListedRows): Promise<void> {
    if (candidates.length === 0) return;
    const stated = new Map(candidates.map(({ line, pending }) => [line.filing.accession_number, pending.stated]));
    const rowsOfSteps = (await lake.query(
      `SELECT * FROM coverage WHERE step <> 'filing' AND accession_number IN ${among([...stated.keys()])}`,
      { tables: ['coverage'] },
    )) as Row[];
    for (const row of rowsOfSteps) {
      const [accession_number, step] = [String(row.accession_number), String(row.step)];
      const revision = stated.get(accession_number)?.get(step)?.revision;
      if (revision === undefined || revision === row.revision) continue;
      rows.coverage.push({ ...row, revision });
      mergeReplacements(replace, [
        { table: 'coverage', columns: ['accession_number', 'step'], values: [[accession_number, step]] },
      ]);
    }
  }
}

/** Whether coverage has the known revision and the hash of the record for the filing's own row. */
function isStated({ revision }: PendingSteps, covered: ReadonlyMap<string, CoveredStep>): boolean {
  const before = covered.get('filing');
  return before?.revision === revision && (before.record ?? null) !== null;
}

function isRestated({ pending, covered }: Candidate): boolean {
  return [...covered].some(
    ([step, { revision }]) => step !== 'filing' && pending.stated.get(step)?.revision !== revision,
  );
}

function isSame(filing: Filing, before: Filing, documents: boolean): boolean {
  const textOf = ({ documents: list, isPartlyNamed: _, ...rest }: KnownFiling) => {
    const bare = list.map(({ document_id, sequence, filename, description, type }) => {
      return { document_id, sequence, filename, description, type };
    });
    const sorted = bare.sort((a, b) => (a.document_id < b.document_id ? -1 : 1));
    return canonicalJson(documents ? { ...rest, sorted } : rest);
  };
  return textOf(filing) === textOf(before);
}

/** Whether the lookup's documents are wanted. Not if filing_info stores them with their sizes. */
export function writesDocuments(definition: ExportDefinition, { covered, steps }: WorkLine): boolean {
  return definition.tables.includes('documents') && !documentsByInfo(covered.info?.selector, steps);
}
