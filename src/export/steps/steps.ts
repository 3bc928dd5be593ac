/**
 * What must be asked about one filing for the tables that an export wants, and nothing besides.
 *
 * `filing_info` costs a request a filing, where a lookup costs one for 10,000. It is asked
 * - for every filing: where `parties` is wanted, or `documents` with sizes (the default when `documents` is listed, since the lookup has no sizes;
 *   `documents: { sizes: false }` saves the requests);
 * - only for 10-K and 10-Q forms: `sections`; only for 8-K forms: `items_8k`, `exhibits_8k`;
 * - where contents of documents are wanted and the lookup didn't name the documents, or contents of sections and it didn't name the form.
 * `filings`, `documents` without sizes and the entity tables never need it.
 */
import { type DocumentReference, type Filing, type FilingInfo, sectionFamily } from '../../api/index.ts';
import { type ExportTable, namesFrom, tableNamed } from '../../tables/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import { chosenDocuments, documentRequest } from './document-choice.ts';
import { choiceOfCodes, choiceSelector } from './section-choice.ts';
import type { Step } from './step.ts';
import { wantsFrom } from './wanted.ts';

/** What coverage remembers of a request: the tables that its rows were written to, in alphabetical order. */
const LOOKUP_TABLES = namesFrom('lookup').toSorted();
const INFO_TABLES = namesFrom('info').toSorted();

/**
 * The steps that a filing needs, the cheap ones first. Where the lookup named no documents, the steps for their contents come only once `info` is there.
 * @param info the answer of the `info` step, once there is one
 */
export function stepsFor(definition: ExportDefinition, filing: Filing, info?: FilingInfo | null): Step[] {
  const steps: Step[] = [];
  const formType = filing.form_type ?? info?.form_type ?? null;
  if (needsInfo(definition, filing, formType)) steps.push({ step: 'info', selector: infoSelector(definition, filing) });
  if (wantsFrom(definition, 'sections') && formType !== null) {
    const family = sectionFamily(formType);
    const codes = family === null ? [] : choiceOfCodes(definition, family);
    // Of a form that has none of the chosen sections nothing is asked.
    if (family !== null && (codes === null || codes.length > 0)) {
      steps.push({ step: 'sections', selector: choiceSelector(family, codes), form_type: family });
    }
  }
  if (wantsFrom(definition, 'document')) {
    const documents: readonly DocumentReference[] =
      filing.documents.length > 0 ? filing.documents : (info?.documents ?? []);
    for (const document of chosenDocuments(definition.documents, documents, formType)) {
      const request = documentRequest(definition.documents, document);
      steps.push({ step: `document:${document.document_id}`, selector: request.output_format, ...request });
    }
  }
  return steps;
}

function needsInfo(definition: ExportDefinition, filing: Filing, formType: string | null): boolean {
  if (INFO_TABLES.some((name) => wants(definition, name) && takesInfo(definition, name, formType))) return true;
  return infoTellsMore(definition, { documents: filing.documents, form_type: formType });
}

/** Whether only filing_info tells what else is to be asked of a filing: its documents, or the form that says whether it has sections. */
export function infoTellsMore(
  definition: ExportDefinition,
  { documents, form_type }: Pick<Filing, 'documents' | 'form_type'>,
): boolean {
  if (wantsFrom(definition, 'document') && documents.length === 0) return true;
  return wantsFrom(definition, 'sections') && form_type === null;
}

/** Whether rows of a table need filing_info of a filing of this form. */
function takesInfo(definition: ExportDefinition, name: ExportTable, formType: string | null): boolean {
  const { forms, sources } = tableNamed(name)!;
  if (sources.includes('lookup')) return definition.documents.sizes;
  if (forms === undefined || formType === null) return true;
  if (!forms.has(formType)) return false;
  const family = name === 'sections' ? sectionFamily(formType) : null;
  return family === null || choiceOfCodes(definition, family)?.length !== 0;
}

function wants(definition: ExportDefinition, table: ExportTable): boolean {
  return definition.tables.includes(table);
}

/**
 * What coverage remembers of the lookup's record: the tables that it was written to.
 * @param left to filing_info, which brings them with their sizes: `documents` has no rows of the lookup then
 */
export function filingSelector(definition: ExportDefinition, left: { documents: boolean }): string {
  return LOOKUP_TABLES.filter((table) => wants(definition, table) && !(table === 'documents' && left.documents)).join(
    ',',
  );
}

/** Whether filing_info has brought a filing's documents, or is to: where it fails, the lookup's are written with its failure. */
export function documentsByInfo(infoSelectorHad: string | undefined, owed: readonly Step[]): boolean {
  return selectorCovers(infoSelectorHad ?? '', 'documents') || owed.some(({ step }) => step === 'info');
}

/**
 * What coverage remembers of filing_info: the tables that it was written to, and where it alone names the documents, the choice
 * of those whose contents were asked for: another choice asks again. The same goes for sections where it alone tells the form.
 */
export function infoSelector(definition: ExportDefinition, filing: Pick<Filing, 'documents' | 'form_type'>): string {
  const tables: string[] = INFO_TABLES.filter((table) => wants(definition, table)).map((table) =>
    table === 'sections' ? choiceSelector(table, definition.sections?.codes ?? null) : table,
  );
  if (filing.documents.length === 0 && wantsFrom(definition, 'document')) {
    const { types, graphics } = definition.documents;
    tables.push(...types.map((type) => `contents:${type}`), ...(graphics ? ['contents:graphics'] : []));
  }
  if (filing.form_type === null && wantsFrom(definition, 'sections')) {
    tables.push(choiceSelector('section_contents', definition.sections?.codes ?? null));
  }
  return tables.join(',');
}

/** Whether what coverage has says all that is asked now: both are lists of words. `sections` is all that `sections:1A` is a part of. */
export function selectorCovers(had: string, asked: string): boolean {
  // Mostly it is the one or the other, and asked for each filing.
  if (had === asked || asked === '') return true;
  if (had === '') return false;
  const words = new Set(had.split(','));
  return asked.split(',').every((word) => word === '' || words.has(word) || words.has(word.split(':')[0]!));
}

/** What coverage remembers after a step was done again for more: its older rows stay, so its older words do. */
export function joinedSelector(had: string | null, asked: string): string {
  const words = new Set([...(had ?? '').split(','), ...asked.split(',')]);
  words.delete('');
  return [...words].sort().join(',');
}
