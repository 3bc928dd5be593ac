/** The pending steps of a filing, from its coverage. Planning and running use this one rule. */
import { type DocumentReference, type Filing, type FilingInfo, sectionFamily } from '../../filings/api/index.ts';
import { type ExportDefinition, wantsFrom } from '../definition/index.ts';
import { filledRevision, isSameContent, recordHashOf, revisionOf } from '../revisions/index.ts';
import {
  formsStepOf,
  hasTextFormat,
  isReplacedXml,
  outputFormatOf,
  type Step,
  tablesMapped,
} from '../selectors/index.ts';
import { isRefreshed } from './asked-again.ts';
import {
  asKnown,
  documentsByInfo,
  documentsOf,
  filingSelector,
  infoSelector,
  infoTellsMore,
  infoTellsSections,
  type KnownFiling,
  namesDocuments,
  ofForm,
  selectorCovers,
  stepsFor,
  wantedFormTables,
} from './steps.ts';

export interface CoveredStep {
  selector: string;
  revision: string;
  status: string;
  /** For the step `filing`: hash of the rest of the lookup record. */
  record?: string | null;
  /** This run has written it, so it is not requested again in this run. */
  isOwn?: true;
  /** For a refresh: the ETag of the answer, and the hash of its rows. */
  etag?: string;
  content?: string;
}

export interface PendingSteps {
  /** Revision of the record, completed by the lake's. */
  revision: string;
  /** Hash of the rest of the record. */
  record: string;
  /** The record has another revision than the lake's `filings` row. */
  changed: boolean;
  /** The lake has the lookup's wanted rows in this revision. */
  listed: boolean;
  /** The record equals the one that those rows were made from. */
  isSameRecord: boolean;
  steps: Step[];
  /** No request is needed, and no row is missing. */
  known: boolean;
  /** Coverage, with each step's revision completed as far as the filing's own. */
  stated: ReadonlyMap<string, CoveredStep>;
}

/** @param filing the lookup's record @param today `YYYY-MM-DD`, of the run; null: nothing is refreshed */
export function pendingSteps(
  definition: ExportDefinition,
  filing: Filing,
  covered: ReadonlyMap<string, CoveredStep>,
  today: string | null = null,
): PendingSteps {
  const own = revisionOf(filing);
  const record = recordHashOf(filing);
  const lookedUp = covered.get('filing');
  const changed = lookedUp !== undefined && !isSameContent(lookedUp.revision, own);
  const revision = lookedUp === undefined || changed ? own : filledRevision(own, lookedUp.revision);
  const stated = lookedUp === undefined ? covered : statedSteps(covered, changed ? lookedUp.revision : revision);
  const isOfRefresh = today !== null && isRefreshed(definition, filing, today);
  const steps = stepsNotCovered(definition, filing, stated, revision, null, isOfRefresh);
  const selector = filingSelector(definition, { documents: documentsByInfo(covered.get('info')?.selector, steps) });
  const listed = lookedUp !== undefined && !changed && selectorCovers(lookedUp.selector, selector);
  const isSameRecord = lookedUp?.revision === revision && lookedUp.record === record;
  return { revision, record, changed, listed, isSameRecord, steps, known: listed && steps.length === 0, stated };
}

/** A step may have been done while the service stated less of the filing. It then has the revision stated since. */
function statedSteps(covered: ReadonlyMap<string, CoveredStep>, revision: string): ReadonlyMap<string, CoveredStep> {
  const isStated = (step: string, of: CoveredStep) =>
    step === 'filing' || of.revision === revision || !isSameContent(of.revision, revision);
  const stated = new Map<string, CoveredStep>();
  let isSame = true;
  for (const [step, of] of covered) {
    if (isStated(step, of)) continue;
    isSame = false;
    stated.set(step, { ...of, revision });
  }
  return isSame ? covered : new Map([...covered, ...stated]);
}

/**
 * The steps that coverage lacks for a revision: never requested, failed, requested with a smaller selector, or of an older
 * revision.
 * @param info the answer of the `info` step, once there is one: then also the steps that only it names
 * @param isOfRefresh the steps that coverage has are requested again, except those of this run
 */
export function stepsNotCovered(
  definition: ExportDefinition,
  record: KnownFiling,
  covered: ReadonlyMap<string, CoveredStep>,
  revision: string,
  info?: FilingInfo | null,
  isOfRefresh = false,
): Step[] {
  const filing = asKnown(record, covered.get('info')?.selector);
  const steps = stepsFor(askedOf(definition, covered, revision), filing, info);
  const documents = documentsOf(filing, info);
  const form_type = filing.form_type ?? info?.form_type ?? null;
  const { filing_date } = filing;
  const gone = goneSteps(definition, { form_type, filing_date, documents }, steps, covered, revision);
  const pending = [...steps, ...gone].filter(
    (step) =>
      !isCovered(covered.get(step.step), step, revision) ||
      (isOfRefresh && covered.get(step.step)?.isOwn === undefined) ||
      (step.step === 'info' && !covered.get('info')?.isOwn && leadsToMore(definition, filing, covered)),
  );
  return info ? [...pending, ...unlistedSteps(definition, documents, covered, pending)] : pending;
}

/** Documents of the lake that filing_info lists no more. Their own requests decide whether they are gone. */
function unlistedSteps(
  definition: ExportDefinition,
  documents: readonly DocumentReference[],
  covered: ReadonlyMap<string, CoveredStep>,
  pending: readonly Step[],
): Step[] {
  if (documents.length === 0 || !wantsFrom(definition, 'document')) return [];
  const others = new Set([
    ...documents.map(({ document_id }) => `document:${document_id}`),
    ...pending.map(({ step }) => step),
  ]);
  return [...covered].flatMap(([step, { selector, status, isOwn }]) => {
    if (!isDocumentStep(step) || others.has(step) || status === 'absent' || isOwn) return [];
    const document_id = step.slice('document:'.length);
    return { step, selector, document_id, output_format: outputFormatOf(selector), isUnlisted: true as const };
  });
}

/**
 * Whether filing_info is requested again for the other steps that it names: a step that failed, by an export that wants such steps,
 * or XML that was stored in the other format since. Once in a run: the failed step may be one that the export does not want.
 */
function leadsToMore(
  definition: ExportDefinition,
  filing: KnownFiling,
  covered: ReadonlyMap<string, CoveredStep>,
): boolean {
  if (!infoTellsMore(definition, filing)) return false;
  const { form_type } = filing;
  const isNamed = namesDocuments(filing);
  const wantsForms = wantedFormTables(definition, form_type).length > 0;
  const wantsContents = !isNamed && wantsFrom(definition, 'document');
  return [...covered].some(([name, { status, selector }]) => {
    const failed = status === 'failed';
    if (name === 'sections') return failed && infoTellsSections(definition, form_type);
    if (name === 'forms') return failed && wantsForms && (!isNamed || form_type === null);
    return (
      name.startsWith('document:') &&
      wantsContents &&
      (failed || isReplacedXml(definition.documents, selector, covered.get('info')?.selector ?? ''))
    );
  });
}

/** Whether coverage has a step of another revision. */
export function isOlder(covered: Pick<CoveredStep, 'revision'> | undefined, revision: string): boolean {
  return covered !== undefined && !isSameContent(covered.revision, revision);
}

/**
 * Steps of an older revision that the changed filing can't have any more: by its form, or since it lists its documents without them. An
 * export that wants such rows deletes them, without a request; those of filing_info with another answer.
 */
function goneSteps(
  definition: ExportDefinition,
  {
    form_type,
    filing_date,
    documents,
  }: Pick<Filing, 'form_type' | 'filing_date'> & {
    documents: readonly DocumentReference[];
  },
  steps: readonly Step[],
  covered: ReadonlyMap<string, CoveredStep>,
  revision: string,
): Step[] {
  if (documents.length === 0) return [];
  const gone: Step[] = [];
  for (const [step, had] of covered) {
    if (step === 'filing' || !isOlder(had, revision) || steps.some((one) => one.step === step)) continue;
    const { selector } = had;
    if (isDocumentStep(step)) {
      const isGone = !documents.some(({ document_id }) => step === `document:${document_id}`);
      if (isGone && wantsFrom(definition, 'document')) gone.push({ step, selector, gone: true });
    } else if (form_type === null) continue;
    else if (step === 'info') {
      if (wordsOf(selector).some((word) => (definition.tables as readonly string[]).includes(word)))
        gone.push({ step, selector: infoSelector(definition, { form_type, documents: [...documents] }) });
    } else if (step === 'sections') {
      const family = sectionFamily(form_type);
      const isGone = family === null || !wordsOf(selector).includes(family);
      if (isGone && wantsFrom(definition, 'sections') && !infoTellsSections(definition, form_type))
        gone.push({ step, selector, gone: true });
    } else if (step === 'forms') {
      const mapped = tablesMapped(selector).join(',');
      const possible = ofForm(tablesMapped(selector), form_type);
      const still = formsStepOf({ form: form_type, filed: filing_date, documents }, possible);
      if ((still === null || still.documents.length === 0) && wantedFormTables(definition, null).length > 0)
        gone.push({ step, selector: mapped, form: form_type, filed: filing_date, documents: [] });
    }
  }
  return gone;
}

/** The words of a selector, without what each is narrowed to. */
function wordsOf(selector: string): string[] {
  return selector.split(',').map((word) => word.split(':')[0]!);
}

function isDocumentStep(step: string): step is `document:${string}` {
  return step.startsWith('document:');
}

/** If filing_info wrote the documents of an older revision, it must write them again: the lookup's rows would lack some values. */
function askedOf(
  definition: ExportDefinition,
  covered: ReadonlyMap<string, CoveredStep>,
  revision: string,
): ExportDefinition {
  const { tables, documents } = definition;
  if (!tables.includes('documents') || documents.sizes) return definition;
  const info = covered.get('info');
  const isByInfo = isOlder(info, revision) && selectorCovers(info!.selector, 'documents');
  return isByInfo ? { ...definition, documents: { ...documents, sizes: true } } : definition;
}

/** A failed step is pending again. The selector of a young filing's absence is empty, and covers nothing in a later run. */
export function isCovered(covered: CoveredStep | undefined, step: Step, revision: string): boolean {
  if (covered === undefined || covered.status === 'failed' || !isSameContent(covered.revision, revision)) return false;
  if (covered.isOwn === true) return true;
  return selectorCovers(covered.selector, step.selector) && hasTextFormat(covered.selector, step.selector);
}
