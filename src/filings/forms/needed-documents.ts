/** The documents of a filing that a form's mapping reads, chosen from a listing. Others need not be fetched. */
import { isTextSchedule, mayBeSchedule } from './beneficial/text-form.ts';
import { formValues } from './form-values.ts';
import { mayBeForm, type NamedDocument } from './map/filing.ts';
import { FILING_MAPPERS, FORM_GROUPS, formOfType } from './registry.ts';
import { subsidiaryDocuments } from './subsidiaries/form.ts';
import { subsidiariesTable } from './subsidiaries/tables.ts';
import { type ListedFiling, type NeededXbrl, neededXbrl, type XbrlKind, xbrlKind } from './xbrl/needed-documents.ts';

/** The group of tables of a form type, or of a later version of one; null: the form isn't mapped. */
export function groupOfForm(formType: string): string | null {
  return formOfType(formType)?.name ?? null;
}

/** Groups whose forms were text before they were XML, and are mapped from text too. */
const FROM_TEXT = new Set(FILING_MAPPERS.filter(({ claims }) => claims.length === 0).map(({ name }) => name));

/**
 * For XML forms: the documents of the form's types whose names allow XML. For a filing in text, if its form is mapped from text:
 * all that may be text; a schedule 13D or 13G may be a web page too. None: the mapping reads nothing of the filing.
 */
export function neededDocuments<Document extends NamedDocument>(
  formType: string,
  documents: readonly Document[],
): Document[] {
  const group = groupOfForm(formType);
  if (group === null) return [];
  if (isTextSchedule(formType))
    return documents.filter(({ filename, type }) => mayBeSchedule({ name: filename, type }));
  const possible = documents.filter(({ filename }) => mayBeForm(filename));
  const ofForm = possible.filter(({ type }) => type === null || groupOfForm(type) === group);
  if (FROM_TEXT.has(group) && !ofForm.some((document) => isNamedXml(document) || isUnnamedTable(document)))
    return possible;
  return ofForm.filter(({ filename }) => filename === null || !/\.txt$/i.test(filename));
}

const LISTS = subsidiariesTable.name;
const XBRL_TABLES = new Set(FORM_GROUPS.get('xbrl')!.map(({ name }) => name));

/**
 * What the wanted tables of a filing are made from: documents of its form, and of its XBRL. Tables of XBRL that the filing can't have
 * are left out.
 * @param wanted tables of the filing's form and of XBRL
 */
export function neededFor<Document extends NamedDocument>(
  filing: ListedFiling,
  documents: readonly Document[],
  wanted: readonly string[],
): NeededXbrl<Document> {
  const formType = filing.form;
  const ofForm = wanted.filter((name) => !XBRL_TABLES.has(name) && name !== formValues.name && name !== LISTS);
  const values = wanted.includes(formValues.name) ? valueDocuments(formType, documents) : [];
  const lists = wanted.includes(LISTS) ? subsidiaryDocuments(formType, documents) : [];
  const made = [...(values.length > 0 ? [formValues.name] : []), ...(lists.length > 0 ? [LISTS] : [])];
  const needed = new Set([...values, ...lists, ...(ofForm.length > 0 ? neededDocuments(formType, documents) : [])]);
  const xbrl = neededXbrl(documents, new Set(wanted), filing);
  for (const document of xbrl.documents) needed.add(document);
  return {
    ...xbrl,
    tables: [...ofForm, ...xbrl.tables, ...made].sort(),
    documents: documents.filter((document) => needed.has(document)),
    undecided: xbrl.undecided.filter((document) => !needed.has(document)),
  };
}

/** Documents of form_values: XML that is neither XBRL nor EDGAR's pages of it. If names are left out, those that may be the form. */
export function valueDocuments<Document extends NamedDocument>(
  formType: string,
  documents: readonly Document[],
): Document[] {
  const kinds = new Set(documents.map(xbrlKind));
  const hasTaxonomy = ['schema', 'labels', 'presentation'].some((kind) => kinds.has(kind as XbrlKind));
  return documents.filter((document) => {
    const { filename, type } = document;
    if (filename === null) return type === null || type === formType || isUnnamedTable(document);
    if (!isNamedXml(document) || /^R\d+\./i.test(filename) || /^(XML|EX-10[01]\b.*)$/i.test(type ?? '')) return false;
    const kind = xbrlKind(document);
    return kind === null || (kind === 'instance' && type === null && !hasTaxonomy);
  });
}

/** A document type that is used only since the form is XML. A service may leave out names. */
function isUnnamedTable({ filename, type }: NamedDocument): boolean {
  return filename === null && type?.toUpperCase() === 'INFORMATION TABLE';
}

/** Whether a document's name says that it is XML. If it then isn't a form, it is damaged. */
export function isNamedXml({ filename }: NamedDocument): boolean {
  return filename !== null && /\.xml$/i.test(filename);
}
