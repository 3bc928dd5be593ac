/** Maps the documents of a filing to rows of tables. */
import { isTextSchedule } from './beneficial/text-form.ts';
import { formValues, valuesOf } from './form-values.ts';
import type { FormTable } from './map/descriptor.ts';
import { DocumentMapping, mapDocument } from './map/document-mapping.ts';
import { DocumentRows, FilingProblems, type MappedRow } from './map/document-rows.ts';
import { type Filing, type LabelledDocument, possibleForms, sourceOf } from './map/filing.ts';
import type { Form } from './map/form.ts';
import { isUtf16, recogniseDocument } from './map/recognise-document.ts';
import { groupOfForm } from './needed-documents.ts';
import { FILING_MAPPERS, formOf, isFormRoot, isNearFormRoot, isOtherRoot, LEFT_OUT_TABLES } from './registry.ts';

const ALWAYS = new Set(LEFT_OUT_TABLES.map(({ name }) => name));
const CLAIMED = new Set(FILING_MAPPERS.flatMap((mapper) => mapper.claims));

/**
 * Rows of all structured forms in a filing. Memory is bounded by its largest document: rows of long tables are made one at a time.
 * A document that isn't well-formed gives one row of `form_problems`. A filing without structured forms gives no row.
 * @param tables names of the wanted ones; null: all, with form_values of documents that no other table is of. Problems and unknown
 * elements are always included.
 */
export function* mapFiling(filing: Filing, tables: ReadonlySet<string> | null = null): Generator<MappedRow> {
  for (const row of allRows(filing, tables)) {
    if (tables === null || tables.has(row.table) || ALWAYS.has(row.table)) yield row;
  }
}

function* allRows(given: Filing, tables: ReadonlySet<string> | null): Generator<MappedRow> {
  const filing = given.documents.length === 1 ? decodedOnce(given) : given;
  const problems = new FilingProblems(filing.accessionNumber);
  const { found, documents } = recognised(filing, problems);
  for (const [form, documents] of found) if (!CLAIMED.has(form)) yield* mapForm(form, documents, problems);
  const wants = ({ name }: FormTable) => tables === null || tables.has(name);
  for (const mapper of FILING_MAPPERS) {
    // The documents of a mapper without forms serve only its tables.
    if (mapper.claims.length === 0 && !mapper.tables.some(wants)) continue;
    yield* mapper.map(filing, found, problems, wants);
  }
  if (tables === null || tables.has(formValues.name))
    for (const document of documents)
      if (tables !== null || !document.isMapped) yield* mapValues(filing, document, problems);
  yield* problems.take();
}

function* mapValues(
  { accessionNumber, formType }: Filing,
  { label, document, type }: XmlDocument,
  problems: FilingProblems,
): Generator<MappedRow> {
  const head = { accession_number: accessionNumber, form_type: formType ?? type, document: label };
  try {
    yield* valuesOf(sourceOf(document), head);
  } catch (error) {
    problems.malformed(label, error);
  }
}

/** Several mappers may read a single document. If there are many, each is decoded again. */
function decodedOnce(filing: Filing): Filing {
  const document = filing.documents[0]!;
  let text: string | null = null;
  return { ...filing, documents: [{ ...document, text: () => (text ??= document.text()) }] };
}

function* mapForm(form: Form, documents: readonly LabelledDocument[], problems: FilingProblems): Generator<MappedRow> {
  const mapped = form.joined === true ? documents : documents.slice(0, 1);
  problems.leftOut(documents.slice(mapped.length));
  let firstRecord = 0;
  for (const { label, document } of mapped) {
    try {
      const mapping = new DocumentMapping(new DocumentRows(label, problems, form.nullWords ?? []));
      firstRecord = yield* mapDocument(form, sourceOf(document), mapping, { firstRecord });
    } catch (error) {
      problems.malformed(label, error);
    }
  }
}

/** Whether the mapping of a form reads a document. @param type of the document, if it names no form itself */
export function isOfForm(text: string, type: string | null, formType: string): boolean {
  if (isTextSchedule(formType)) return /\bCUSIP\b|\b13[DG]\b/i.test(text);
  const found = recogniseDocument(() => text);
  const form = found && formOf(found.root, found.type ?? type ?? formType, found.namespace);
  return form !== null && form.name === groupOfForm(formType);
}

interface XmlDocument extends LabelledDocument {
  /** As the document or its wrapper says. */
  readonly type: string | null;
  readonly isMapped: boolean;
}

function recognised(
  filing: Filing,
  problems: FilingProblems,
): { found: Map<Form, LabelledDocument[]>; documents: XmlDocument[] } {
  const byForm = new Map<Form, LabelledDocument[]>();
  const documents: XmlDocument[] = [];
  for (const labelled of possibleForms(filing)) {
    const { label, document } = labelled;
    const open = sourceOf(document);
    const found = recogniseDocument(open);
    if (found === null) {
      if (isUtf16(open())) problems.add(label, 'malformed', 'a text in UTF-16: convert it to UTF-8');
      continue;
    }
    if (!isFormRoot(found.root)) {
      if (
        isNearFormRoot(found.root) ||
        ((found.isXml || /\.xml$/i.test(document.name ?? '')) && !isOtherRoot(found.root))
      ) {
        problems.add(label, 'no_mapping', found.root);
        documents.push({ ...labelled, type: document.type, isMapped: false });
      }
      continue;
    }
    const type = found.type ?? document.type ?? filing.formType;
    const form = formOf(found.root, type, found.namespace);
    documents.push({ ...labelled, type, isMapped: form !== null });
    if (form === null) problems.add(label, 'no_mapping', type ?? found.root);
    else {
      byForm.set(form, [...(byForm.get(form) ?? []), labelled]);
      if (found.root === 'edgarSubmission' && type !== null && !form.types.includes(type.toUpperCase()))
        problems.add(label, 'unlisted_type', type);
    }
  }
  return { found: byForm, documents };
}
