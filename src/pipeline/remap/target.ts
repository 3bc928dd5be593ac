/** What a remap makes of a filing: which tables, from which of its stored documents. */
import type { DocumentReference, Filing } from '../../api/index.ts';
import {
  type CoveredStep,
  type FormsStep,
  formsStepOf,
  isOlder,
  mappingVersionOf,
  tablesMapped,
} from '../../export/index.ts';
import { MAPPING_VERSION, xbrlKind } from '../../forms/index.ts';
import type { Lake } from '../../lake/index.ts';
import { tableNamed } from '../../tables/index.ts';
import { Coverage } from '../plan/coverage.ts';
import { filingsInLake } from '../plan/plan-by-number.ts';
import { among } from '../sql-values.ts';
import type { StoredFiling } from './stored-filings.ts';

export interface Target {
  readonly kind: 'target';
  readonly filing: Filing;
  readonly step: FormsStep;
  readonly revision: string;
  /** Tables whose older rows are replaced. */
  readonly replaced: readonly string[];
}

/** `current`: of this version already. `without`: it has none of the tables. `incomplete`: not all documents are in the lake. */
export interface NoTarget {
  readonly kind: 'current' | 'without' | 'incomplete';
  readonly accession_number: string;
}

/** For each of the filings, in their order. */
export async function targetOf(
  lake: Lake,
  stored: readonly StoredFiling[],
  wanted: readonly string[],
): Promise<(Target | NoTarget)[]> {
  const numbers = stored.map(({ accession_number }) => accession_number);
  const coverage = await Coverage.of(lake, numbers);
  const filings = await filingsInLake(lake, numbers);
  const texts = await storedTexts(lake, numbers);
  return numbers.map((accession_number) => {
    const covered = coverage.get(accession_number);
    const filing = filings.get(accession_number);
    const revision = covered.get('filing')?.revision;
    if (filing === undefined || revision === undefined) return { kind: 'incomplete', accession_number };
    // Contents of an older revision wait for the export that fetches them. If fetching them failed, the older ones are still stored.
    const isHere = ({ document_id }: Pick<DocumentReference, 'document_id'>) => {
      const fetched = covered.get(`document:${document_id}`);
      return texts.has(document_id) && fetched?.status !== 'failed' && !isOlder(fetched, revision);
    };
    return targetOfFiling(filing, revision, covered.get('forms'), wanted, isHere);
  });
}

function targetOfFiling(
  filing: Filing,
  revision: string,
  had: CoveredStep | undefined,
  wanted: readonly string[],
  isHere: (document: Pick<DocumentReference, 'document_id'>) => boolean,
): Target | NoTarget {
  const { accession_number, form_type, filing_date, documents } = filing;
  if (form_type === null || documents.length === 0) return { kind: 'incomplete', accession_number };
  const of = { form: form_type, filed: filing_date, documents };
  const mayHave = (name: string) => tableNamed(name)?.forms?.has(form_type) ?? true;
  const made = had === undefined ? [] : tablesMapped(had.selector);
  const isMade = had !== undefined && had.status !== 'failed' && !isOlder(had, revision);
  const isCurrent = isMade && mappingVersionOf(had.selector) === MAPPING_VERSION;
  const all = formsStepOf(of, [...new Set([...wanted.filter(mayHave), ...made])]);
  if (all === null) return { kind: 'without', accession_number };
  const asked = all.selector.split(',');
  const possible = asked.filter((name) => isWhole(formsStepOf(of, [name]), isHere));
  // Problems are recorded for all tables of a filing together: what an export has made must be made again with the rest. That is
  // true for rows of an older revision too, and for a failed step: its older rows and its failure stay until all can be made.
  const needed = made.filter((name) => asked.includes(name));
  if (isCurrent && possible.every((name) => made.includes(name)))
    return { kind: possible.length < asked.length ? 'incomplete' : 'current', accession_number };
  if (possible.length === 0 || needed.some((name) => !possible.includes(name)))
    return { kind: 'incomplete', accession_number };
  const step = withStoredPages(formsStepOf(of, possible)!, isHere);
  return { kind: 'target', filing, step, revision, replaced: [...new Set([...possible, ...made])] };
}

/** Whether all documents of a step are stored. Stored pages are read themselves: EDGAR's summary of them is not needed. */
function isWhole(
  step: FormsStep | null,
  isHere: (document: Pick<DocumentReference, 'document_id'>) => boolean,
): boolean {
  if (step === null) return false;
  const needed =
    step.undecided === undefined ? step.documents : step.documents.filter((one) => xbrlKind(one) !== 'summary');
  return [...needed, ...(step.undecided ?? [])].every(isHere);
}

function withStoredPages(
  step: FormsStep,
  isHere: (document: Pick<DocumentReference, 'document_id'>) => boolean,
): FormsStep {
  const { undecided, ...rest } = step;
  if (undecided === undefined) return step;
  const place = ({ document_id }: Pick<DocumentReference, 'document_id'>) => Number(/\d+$/.exec(document_id)?.[0] ?? 0);
  const documents = [...step.documents.filter((one) => xbrlKind(one) !== 'summary'), ...undecided.filter(isHere)];
  return { ...rest, documents: documents.sort((a, b) => place(a) - place(b)) };
}

/** Ids of the documents that are stored as text, or as bytes of text. */
async function storedTexts(lake: Lake, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await lake.query(
    `SELECT document_id FROM document_contents WHERE encoding <> 'json' AND (content IS NOT NULL OR bytes IS NOT NULL) AND accession_number IN ${among(numbers)}`,
    { tables: ['document_contents'] },
  );
  return new Set(rows.map(({ document_id }) => String(document_id)));
}
