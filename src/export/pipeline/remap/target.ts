/** What a remap makes of a filing: which tables, from which of its stored documents. */
import type { DocumentReference, Filing } from '../../../filings/api/index.ts';
import { MAPPING_VERSION, xbrlKind } from '../../../filings/forms/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { tableNamed } from '../../../lake/tables/index.ts';
import { type FormsStep, formsStepOf, mappingVersionOf, tablesMapped } from '../../selectors/index.ts';
import { type CoveredStep, isOlder } from '../../steps/index.ts';
import { Coverage } from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import type { StoredAs } from './stored-filings.ts';

export interface Target {
  readonly kind: 'target';
  readonly filing: Filing;
  readonly step: FormsStep;
  readonly revision: string;
  /** Tables whose older rows are replaced. */
  readonly replaced: readonly string[];
}

/**
 * `current`: of this version already. `newer`: a newer version of filinglake has mapped it. `without`: it has none of the tables. `incomplete`:
 * not all documents are in the lake.
 */
export interface NoTarget {
  readonly kind: 'current' | 'newer' | 'without' | 'incomplete';
  readonly accession_number: string;
  /** A needed document is stored as JSON only. */
  readonly asJson?: true;
}

/** For each filing, in order. @param stored documents in the lake @param unusable ids of those without text */
export async function targetsOf(
  lake: Lake,
  numbers: readonly string[],
  wanted: readonly string[],
  stored: ReadonlyMap<string, StoredAs>,
  unusable: ReadonlySet<string> = new Set(),
): Promise<(Target | NoTarget)[]> {
  const [coverage, filings] = await Promise.all([Coverage.of(lake, numbers), filingsInLake(lake, numbers)]);
  return numbers.map((accession_number) => {
    const covered = coverage.get(accession_number);
    const filing = filings.get(accession_number);
    const revision = covered.get('filing')?.revision;
    if (filing === undefined || revision === undefined) return { kind: 'incomplete', accession_number };
    // Contents of an older revision wait for the export that fetches them. If fetching them failed, the older ones are still stored.
    const isCurrent = ({ document_id }: Named) => {
      const fetched = covered.get(`document:${document_id}`);
      return fetched?.status !== 'failed' && !isOlder(fetched, revision);
    };
    const isHere = (document: Named) =>
      stored.get(document.document_id) === 'text' && !unusable.has(document.document_id) && isCurrent(document);
    const found = targetOfFiling(filing, revision, covered.get('forms'), wanted, isHere);
    if (found.kind !== 'incomplete') return found;
    const isAny = (document: Named) =>
      isHere(document) || (stored.get(document.document_id) === 'json' && isCurrent(document));
    const isByJson = targetOfFiling(filing, revision, covered.get('forms'), wanted, isAny).kind !== 'incomplete';
    return isByJson ? { ...found, asJson: true } : found;
  });
}

type Named = Pick<DocumentReference, 'document_id'>;

function targetOfFiling(
  filing: Filing,
  revision: string,
  had: CoveredStep | undefined,
  wanted: readonly string[],
  isHere: (document: Named) => boolean,
): Target | NoTarget {
  const { accession_number, form_type, filing_date, documents } = filing;
  if (form_type === null || documents.length === 0) return { kind: 'incomplete', accession_number };
  const of = { form: form_type, filed: filing_date, documents };
  const mayHave = (name: string) => tableNamed(name)?.forms?.has(form_type) ?? true;
  const made = had === undefined ? [] : tablesMapped(had.selector);
  // Its rows are newer than ours, or its failure is: a newer version decides what to do about them.
  if (had !== undefined && mappingVersionOf(had.selector) > MAPPING_VERSION) return { kind: 'newer', accession_number };
  const isMade = had !== undefined && had.status !== 'failed' && !isOlder(had, revision);
  const isCurrent = isMade && mappingVersionOf(had.selector) === MAPPING_VERSION;
  const all = formsStepOf(of, [...new Set([...wanted.filter(mayHave), ...made])]);
  if (all === null || all.documents.length === 0) return { kind: 'without', accession_number };
  const asked = all.selector.split(',');
  // Each table's documents are among those of all tables, so this one check usually suffices.
  const areAllWhole = all.undecided === undefined && isWhole(all, isHere);
  const possible = areAllWhole ? asked : asked.filter((name) => isWhole(formsStepOf(of, [name]), isHere));
  // Problems are recorded for all tables of a filing together, so tables that an export has made are made again with the rest. Rows
  // of an older revision and a recorded failure also stay until all tables can be made.
  const needed = made.filter((name) => asked.includes(name));
  if (isCurrent && possible.every((name) => made.includes(name)))
    return { kind: possible.length < asked.length ? 'incomplete' : 'current', accession_number };
  if (possible.length === 0 || needed.some((name) => !possible.includes(name)))
    return { kind: 'incomplete', accession_number };
  const step = withStoredPages(formsStepOf(of, possible)!, isHere);
  return { kind: 'target', filing, step, revision, replaced: [...new Set([...possible, ...made])].filter(isTable) };
}

/** Coverage may name a table that this version doesn't have. */
function isTable(name: string): boolean {
  return tableNamed(name) !== undefined;
}

/** Whether all documents of a step are stored. Stored pages are read themselves: EDGAR's summary of them is not needed. */
function isWhole(step: FormsStep | null, isHere: (document: Named) => boolean): boolean {
  if (step === null) return false;
  const needed =
    step.undecided === undefined ? step.documents : step.documents.filter((one) => xbrlKind(one) !== 'summary');
  return [...needed, ...(step.undecided ?? [])].every(isHere);
}

function withStoredPages(step: FormsStep, isHere: (document: Named) => boolean): FormsStep {
  const { undecided, ...rest } = step;
  if (undecided === undefined) return step;
  const place = ({ document_id }: Named) => Number(/\d+$/.exec(document_id)?.[0] ?? 0);
  const documents = [...step.documents.filter((one) => xbrlKind(one) !== 'summary'), ...undecided.filter(isHere)];
  return { ...rest, documents: documents.sort((a, b) => place(a) - place(b)) };
}
