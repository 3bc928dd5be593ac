/** Rows of a filing's structured form, out of its fetched documents. */
import { FilinglakeError } from '../../core/index.ts';
import type { FormDocument, FormsStep } from '../../export/index.ts';
import { type Filing as FormFiling, isNamedXml, isOfForm, type MappedRow, mapFiling } from '../../forms/index.ts';
import { formRowMisfit } from '../../tables/index.ts';

/** Rows that are kept in memory between counting and writing; longer tables are mapped a second time instead. */
const KEPT_ROWS = 2_000;

/** A document of a form that can't be mapped: no row of its filing is made, since half a table is worse than none. */
export class FormUnreadableError extends FilinglakeError {
  override name = 'FormUnreadableError';
  constructor(documentId: string, reason: string) {
    super('form-unreadable', `document ${documentId} can't be mapped: ${reason}`);
  }
}

export interface FetchedForm {
  readonly accession_number: string;
  readonly step: Pick<FormsStep, 'form' | 'filed'>;
  readonly documents: readonly (FormDocument & { readonly text: string })[];
}

/** The rows of all documents. If they are many, each pass makes them again: memory holds the documents, not their rows. */
export interface FormRows {
  readonly count: number;
  readonly rows: Iterable<MappedRow>;
}

/** @throws FormUnreadableError */
export function formRows(form: FetchedForm): FormRows {
  const filing = filingOf(form);
  for (const document of form.documents) refuseOther(document, form.step.form);
  let kept: MappedRow[] = [];
  let count = 0;
  for (const row of mapFiling(filing)) {
    refuseMisfit(form, row);
    if (count++ < KEPT_ROWS) kept.push(row);
    else kept = [];
  }
  return { count, rows: count <= KEPT_ROWS ? kept : { [Symbol.iterator]: () => mapFiling(filing) } };
}

function filingOf({ accession_number, step, documents }: FetchedForm): FormFiling {
  const names = new Set<string>();
  return {
    accessionNumber: accession_number,
    filingDate: step.filed,
    formType: step.form,
    documents: documents.map(({ document_id, filename, type, text }) => {
      // What was left out is recorded by a document's name.
      const name = filename !== null && names.has(filename) ? `${document_id}/${filename}` : filename;
      if (name !== null) names.add(name);
      return { name, type, text: () => text };
    }),
  };
}

/** `<XML>` is EDGAR's wrapper: it is not part of a document. Old texts begin with tags of their own: `<PAGE>`. */
const MARKUP = /^[\s\uFEFF]*<(\?xml|!doctype|html|xml|edgarSubmission)\b/i;

/** A document that says it is XML, and is not a known form of this type, would give neither row nor problem. */
function refuseOther(document: FetchedForm['documents'][number], form: string): void {
  const { document_id, type, text } = document;
  if (!isNamedXml(document) && !MARKUP.test(text.slice(0, 1000))) return;
  if (isOfForm(text, type, form)) return;
  throw new FormUnreadableError(
    document_id,
    `it is not XML of form ${form}: ${JSON.stringify(text.trimStart().slice(0, 60))}`,
  );
}

/** Reasons of a problem that is a document's as a whole. */
const WHOLE_DOCUMENT = new Set(['malformed', 'no_mapping']);

function refuseMisfit({ documents }: FetchedForm, { table, row }: MappedRow): void {
  if (table === 'form_problems' && WHOLE_DOCUMENT.has(String(row.reason))) {
    const named = documents.find(({ filename }) => filename !== null && String(row.document).endsWith(filename));
    throw new FormUnreadableError((named ?? documents[0]!).document_id, `${row.reason}: ${row.value}`);
  }
  const misfit = formRowMisfit(table, row);
  if (misfit !== null)
    throw new FormUnreadableError(
      documents[0]!.document_id,
      `${table}.${misfit.path} can't hold ${JSON.stringify(misfit.value)}`,
    );
}
