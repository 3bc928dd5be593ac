/** From the documents of a filing to rows of tables. */
import { DocumentMapping, mapDocument } from './document-mapping.ts';
import { DocumentRows, FilingProblems, type MappedRow } from './document-rows.ts';
import { f13, informationTable, mapF13 } from './f13/form.ts';
import { hasInformationTable, mapF13Text } from './f13/text-form.ts';
import type { Form } from './form.ts';
import { recogniseDocument } from './recognise-document.ts';
import { formOf, isFormRoot } from './registry.ts';

export interface FilingDocument {
  /** File name; null where EDGAR has none. */
  name: string | null;
  /** Document type, as the submission names it: `INFORMATION TABLE`; null for a loose file. */
  type: string | null;
  /** Decoded, without the wrapper. Called for XML documents only, and again for each reading. */
  text: () => string;
}

export interface Filing {
  /** Null for a loose file. */
  accessionNumber: string | null;
  /** YYYY-MM-DD, null for a loose file. */
  filingDate: string | null;
  /** Form type of the submission: counts where a document doesn't name its own. */
  formType: string | null;
  documents: readonly FilingDocument[];
}

interface Recognised {
  label: string;
  document: FilingDocument;
}

/**
 * Rows of all structured forms in a filing. Memory is bounded by its largest document: rows of long tables are made one at a time.
 * A document that isn't well-formed gives no row but one of `form_problems`. A filing without structured forms gives no row.
 * @param tables names of those wanted; null: all. Problems and unknown elements always come.
 */
export function* mapFiling(filing: Filing, tables: ReadonlySet<string> | null = null): Generator<MappedRow> {
  for (const row of allRows(filing)) {
    if (tables === null || tables.has(row.table) || row.table.startsWith('form_')) yield row;
  }
}

function* allRows(filing: Filing): Generator<MappedRow> {
  const problems = new FilingProblems(filing.accessionNumber);
  const byForm = recognised(filing, problems);
  for (const [form, documents] of byForm) {
    if (form === informationTable && byForm.has(f13)) continue;
    if (form === f13 || form === informationTable) {
      const primaries = form === f13 ? documents : [];
      const held = byForm.get(informationTable) ?? [];
      leaveOut(primaries.slice(1), problems);
      const loaded = ({ label, document }: Recognised) => ({ label, text: document.text() });
      yield* mapF13(primaries[0] ? loaded(primaries[0]) : null, held.map(loaded), filing.filingDate, problems);
      continue;
    }
    if (form.joined !== true) leaveOut(documents.slice(1), problems);
    let firstRecord = 0;
    for (const { label, document } of form.joined === true ? documents : documents.slice(0, 1)) {
      try {
        const mapping = new DocumentMapping(new DocumentRows(label, problems, form.nullWords ?? []));
        firstRecord = yield* mapDocument(form, document.text(), mapping, { firstRecord });
      } catch (error) {
        problems.malformed(label, error);
      }
    }
  }
  const { formType } = filing;
  if (byForm.size === 0 && hasInformationTable(formType))
    yield* mapF13Text({ ...filing, formType, documents: texts(filing) });
  yield* problems.take();
}

/** Documents that may hold a table of text. */
function texts(filing: Filing): { label: string; text: string }[] {
  return filing.documents
    .map((document, k) => ({ label: document.name ?? String(k + 1), document }))
    .filter(({ document }) => mayBeForm(document))
    .map(({ label, document }) => ({ label, text: document.text() }));
}

function recognised(filing: Filing, problems: FilingProblems): Map<Form, Recognised[]> {
  const byForm = new Map<Form, Recognised[]>();
  for (const [k, document] of filing.documents.entries()) {
    const label = document.name ?? String(k + 1);
    if (filing.accessionNumber !== null && !mayBeForm(document)) continue;
    const found = recogniseDocument(document.text());
    if (found === null || !isFormRoot(found.root)) continue;
    const form = formOf(found.root, found.type ?? document.type ?? filing.formType);
    if (form === null) {
      problems.add(label, 'no_mapping', found.type ?? found.root);
      continue;
    }
    byForm.set(form, [...(byForm.get(form) ?? []), { label, document }]);
  }
  return byForm;
}

/** Names of a submission's documents are EDGAR's: web pages, pictures and taxonomies need not be decoded. */
function mayBeForm({ name }: FilingDocument): boolean {
  return name === null || /(^[^.]*|\.(xml|txt))$/i.test(name);
}

function leaveOut(documents: readonly Recognised[], problems: FilingProblems): void {
  for (const { label } of documents) problems.add(label, 'left_out', 'a second document of one kind');
}
