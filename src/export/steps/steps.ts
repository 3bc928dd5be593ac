/**
 * The steps of a filing for the tables that an export wants.
 *
 * A lookup costs one request for 10,000 filings, `filing_info` one for each. It is requested:
 * - for every filing, if `parties` is wanted, or `documents` with sizes (the default; the lookup has no sizes, and `documents: {
 * sizes: false }` saves the requests if the lookup names the documents);
 * - for forms with sections, if `sections` is wanted;
 * - for 8-K forms, if `items_8k` or `exhibits_8k` is wanted;
 * - if contents of documents are wanted and the lookup named no documents;
 * - if contents of sections are wanted, and it named no form, or a 20-F: not every service has those;
 * - if tables of forms are wanted and it named no documents, or no form.
 * `filings`, `documents` without sizes and the entity tables never need it.
 */
import {
  type DocumentReference,
  type Filing,
  type FilingInfo,
  familyToRequest,
  sectionFamily,
} from '../../filings/api/index.ts';
import { type ExportTable, FORM_TABLES, namesFrom, tableNamed } from '../../lake/tables/index.ts';
import { choiceOfCodes, type ExportDefinition, wantsFrom } from '../definition/index.ts';
import {
  choiceSelector,
  chosenDocuments,
  contentsCover,
  contentsWords,
  documentRequest,
  documentSelector,
  formsStepOf,
  joinedContents,
  makesText,
  type Step,
  sectionsSelector,
  TEXT_FORMATS,
} from '../selectors/index.ts';

/** The selector of a request in coverage: the tables that its rows were written to, in alphabetical order. */
const LOOKUP_TABLES = namesFrom('lookup').toSorted();
const INFO_TABLES = namesFrom('info').toSorted();

/**
 * The steps that a filing needs, the cheap ones first. If the lookup named no documents, steps for their contents need `info`.
 * @param info the answer of the `info` step, once there is one
 */
export function stepsFor(definition: ExportDefinition, filing: KnownFiling, info?: FilingInfo | null): Step[] {
  const steps: Step[] = [];
  const formType = filing.form_type ?? info?.form_type ?? null;
  if (needsInfo(definition, filing, formType)) steps.push({ step: 'info', selector: infoSelector(definition, filing) });
  if (wantsFrom(definition, 'sections') && formType !== null) {
    const family = sectionFamily(formType);
    const codes = family === null ? [] : choiceOfCodes(definition, family);
    // A form that has none of the chosen sections needs no request.
    if (family !== null && (codes === null || codes.length > 0)) {
      const step = { step: 'sections', selector: sectionsSelector(definition, family, codes) } as const;
      const form_type = familyToRequest(formType, info ?? null);
      if (form_type !== null) steps.push({ ...step, form_type });
      // The service has none: coverage says so, and rows that it had are deleted.
      else if (info) steps.push({ ...step, gone: true });
    }
  }
  const documents = documentsOf(filing, info);
  if (formType !== null && (documents.length > 0 || info)) {
    const filed = filing.filing_date ?? info?.filing_date ?? null;
    const forms = formsStepOf({ form: formType, filed, documents }, wantedFormTables(definition, formType));
    if (forms !== null) steps.push(forms);
  }
  if (wantsFrom(definition, 'document')) {
    // A lookup's list is read with its own form: the main document is the same, whether or not filing_info is requested.
    const form = namesDocuments(filing) ? filing.form_type : formType;
    for (const document of chosenDocuments(definition.documents, documents, form)) {
      const request = documentRequest(definition.documents, document);
      const selector = documentSelector(definition, request, document);
      steps.push({ step: `document:${document.document_id}`, selector, ...request });
    }
  }
  return steps;
}

function needsInfo(definition: ExportDefinition, filing: KnownFiling, formType: string | null): boolean {
  if (wants(definition, 'documents') && (definition.documents.sizes || !namesDocuments(filing))) return true;
  if (INFO_TABLES.some((name) => name !== 'documents' && isFromInfo(definition, name, formType))) return true;
  return infoTellsMore(definition, filing.form_type === formType ? filing : { ...filing, form_type: formType });
}

/** A filing as a lookup states it. */
export interface KnownFiling extends Filing {
  /** An answer of filing_info has named more documents: its list decides, as if the lookup named none. */
  isPartlyNamed?: true;
}
type Named = Pick<KnownFiling, 'documents' | 'form_type' | 'isPartlyNamed'>;

/** Whether the documents of a filing are known without filing_info. */
export function namesDocuments({
  documents,
  isPartlyNamed,
}: Pick<KnownFiling, 'documents' | 'isPartlyNamed'>): boolean {
  return documents.length > 0 && isPartlyNamed === undefined;
}

/** All documents that a filing is known to have; none if only filing_info names them. */
export function documentsOf(
  filing: Pick<KnownFiling, 'documents' | 'isPartlyNamed'>,
  info: Pick<FilingInfo, 'documents'> | null | undefined,
): readonly DocumentReference[] {
  if (!info) return namesDocuments(filing) ? filing.documents : [];
  const named = new Set(filing.documents.map(({ document_id }) => document_id));
  return [...filing.documents, ...info.documents.filter(({ document_id }) => !named.has(document_id))];
}

/** The word in the selector of filing_info whose answer names documents that the lookup leaves out. */
export const MORE_DOCUMENTS = 'more';

/** Whether an answer names documents that a lookup with a list of documents leaves out. */
export function namesMore({ documents }: Pick<Filing, 'documents'>, info: Pick<FilingInfo, 'documents'>): boolean {
  return documents.length > 0 && documentsOf({ documents }, info).length > documents.length;
}

/** A filing of whose documents the lookup names only some, by the selector of filing_info in coverage. */
export function asKnown<Known extends Filing>(filing: Known, infoSelector: string | undefined): Known & KnownFiling {
  const isPartlyNamed = filing.documents.length > 0 && infoSelector?.split(',').includes(MORE_DOCUMENTS);
  return isPartlyNamed ? { ...filing, isPartlyNamed } : filing;
}

/** The tables of structured forms that are wanted and that a filing of a form type may have, in alphabetical order. @param formType null: of any form */
export function wantedFormTables(
  { tables }: Pick<ExportDefinition, 'tables'>,
  formType: string | null,
): readonly ExportTable[] {
  let wanted = formTablesAmong.get(tables);
  if (wanted === undefined) {
    const all = new Set<string>(FORM_TABLES);
    wanted = tables.filter((name) => all.has(name)).toSorted();
    formTablesAmong.set(tables, wanted);
  }
  if (formType === null || wanted.length === 0) return wanted;
  return ofForm(wanted, formType);
}

/** The tables that a filing of a form type may have. */
export function ofForm<Table extends string>(tables: readonly Table[], formType: string): Table[] {
  return tables.filter((name) => tableNamed(name)?.forms?.has(formType) ?? true);
}

/** It is asked for every filing of a lookup. */
const formTablesAmong = new WeakMap<readonly ExportTable[], readonly ExportTable[]>();

/** Whether the wanted steps of a filing depend on its documents. @param formType null: it isn't known */
export function needsDocumentNames(definition: ExportDefinition, formType: string | null): boolean {
  return wantsFrom(definition, 'document') || wantedFormTables(definition, formType).length > 0;
}

/** Whether only filing_info states the other steps of a filing: its documents, or whether it has sections. */
export function infoTellsMore(definition: ExportDefinition, filing: Named): boolean {
  const { form_type } = filing;
  if (!namesDocuments(filing) && needsDocumentNames(definition, form_type)) return true;
  return (
    infoTellsSections(definition, form_type) || (form_type === null && wantedFormTables(definition, null).length > 0)
  );
}

/** Whether only filing_info states if a filing has wanted sections: its form is not known, or not every service has sections of it. */
export function infoTellsSections(definition: ExportDefinition, formType: string | null): boolean {
  if (!wantsFrom(definition, 'sections')) return false;
  if (formType === null) return true;
  const family = sectionFamily(formType);
  return family !== null && familyToRequest(formType, null) === null && choiceOfCodes(definition, family)?.length !== 0;
}

/** Whether a table is wanted, and filing_info may have rows of it for a filing of this form. */
function isFromInfo(definition: ExportDefinition, name: ExportTable, formType: string | null): boolean {
  if (!wants(definition, name)) return false;
  const { forms } = tableNamed(name)!;
  if (forms === undefined || formType === null) return true;
  if (!forms.has(formType)) return false;
  const family = name === 'sections' ? sectionFamily(formType) : null;
  return family === null || choiceOfCodes(definition, family)?.length !== 0;
}

function wants(definition: ExportDefinition, table: ExportTable): boolean {
  return definition.tables.includes(table);
}

/**
 * The selector of the lookup's record: the tables that it was written to.
 * @param left to filing_info, which writes them with their sizes: `documents` has no rows of the lookup then
 */
export function filingSelector(definition: ExportDefinition, left: { documents: boolean }): string {
  return LOOKUP_TABLES.filter((table) => wants(definition, table) && !(table === 'documents' && left.documents)).join(
    ',',
  );
}

/** Whether filing_info has written a filing's documents, or will. If it fails, the lookup's are written with its failure. */
export function documentsByInfo(storedSelector: string | undefined, pending: readonly Step[]): boolean {
  return selectorCovers(storedSelector ?? '', 'documents') || pending.some(({ step }) => step === 'info');
}

/**
 * The selector of filing_info: the tables that it was written to, of those that the form may have. If it alone names the documents,
 * also the choice of their contents: another choice needs another request. The same applies to tables of forms, and to sections if it
 * alone states the form.
 */
export function infoSelector(definition: ExportDefinition, filing: Named): string {
  const { form_type } = filing;
  const isNamed = namesDocuments(filing);
  const family = form_type === null ? null : sectionFamily(form_type);
  const codes = family === null ? (definition.sections?.codes ?? null) : choiceOfCodes(definition, family);
  const words: string[] = INFO_TABLES.filter((table) => isFromInfo(definition, table, form_type)).map((table) =>
    table === 'sections' ? choiceSelector(table, codes) : table,
  );
  if (!isNamed && wantsFrom(definition, 'document')) words.push(...contentsWords(definition));
  if (!isNamed || form_type === null) words.push(...wantedFormTables(definition, form_type));
  if (infoTellsSections(definition, form_type)) words.push(sectionsSelector(definition, 'section_contents', codes));
  return words.join(',');
}

/** Whether a stored selector includes the requested one. Both are lists of words. `sections` includes `sections:1A`. */
export function selectorCovers(stored: string, asked: string): boolean {
  // Usually only one of the two, and this is called for each filing.
  if (stored === asked || asked === '') return true;
  if (stored === '') return false;
  const words = new Set(stored.split(','));
  const isCovered = (word: string) =>
    words.has(word) || words.has(word.split(':')[0]!) || [...words].some((one) => contentsCover(one, word));
  return asked.split(',').every((word) => word === '' || isCovered(word));
}

/** The selector after a step was fetched again for more: its older rows stay, and so do its older words. */
export function joinedSelector(stored: string | null, asked: string): string {
  const words = new Set(joinedContents((stored ?? '').split(','), asked.split(',')));
  words.delete('');
  // Texts have one format: the one that is asked for now.
  const askedWords = asked.split(',');
  if (askedWords.some(makesText))
    for (const format of TEXT_FORMATS) if (!askedWords.includes(format)) words.delete(format);
  return [...words].sort().join(',');
}
