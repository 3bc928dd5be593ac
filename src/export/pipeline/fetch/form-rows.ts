/** Rows of a filing's structured form, out of its fetched documents. */
import { pageRows } from '../../../filings/documents/index.ts';
import {
  type Filing as FormFiling,
  formValues,
  isNamedXml,
  isOfForm,
  isTextSchedule,
  isXbrl,
  type MappedRow,
  neededDocuments,
  rootName,
  valueDocuments,
  xbrlKind,
} from '../../../filings/forms/index.ts';
import { mapFiling } from '../../../filings/statements/index.ts';
import { formRowMisfit } from '../../../lake/tables/index.ts';
import type { FormDocument, FormsStep } from '../../selectors/index.ts';
import { FormUnreadableError } from '../failures/verdict.ts';

/**
 * Rows that are kept in memory between counting and writing (about 10 MB of a 13F); longer tables are mapped a second time instead.
 * Most annual reports have a few thousand facts: they are mapped once.
 */
export const KEPT_ROWS = 20_000;

export type FetchedDocument = FormDocument & { readonly text: string };

export interface FetchedForm {
  readonly accession_number: string;
  readonly step: Pick<FormsStep, 'form' | 'filed' | 'selector' | 'hasFacts'>;
  readonly documents: readonly FetchedDocument[];
}

/** The rows of all documents. If they are many, each pass makes them again: memory holds the documents, not their rows. */
export interface FormRows {
  readonly count: number;
  readonly rows: Iterable<MappedRow>;
}

/** @throws FormUnreadableError */
export function formRows(form: FetchedForm): FormRows {
  const filing = filingOf(form);
  const tables = new Set(form.step.selector.split(','));
  refuseOther(form);
  let kept: MappedRow[] = [];
  let count = 0;
  let facts = 0;
  for (const row of mapFiling(filing, tables, pageRows)) {
    refuseMisfit(form, row);
    if (row.table === FACTS) facts++;
    if (count++ < KEPT_ROWS) kept.push(row);
    else kept = [];
  }
  if (tables.has(FACTS) && form.step.hasFacts && facts === 0) refuseWithoutFacts(form);
  return { count, rows: count <= KEPT_ROWS ? kept : { [Symbol.iterator]: () => mapFiling(filing, tables, pageRows) } };
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

/** A document that is not what its name and type promise would give neither row nor problem. */
function refuseOther({ documents, step }: FetchedForm): void {
  const ofForm = new Set<FormDocument>(neededDocuments(step.form, documents));
  const wantsValues = step.selector.split(',').includes(formValues.name);
  const ofValues = new Set<FormDocument>(wantsValues ? valueDocuments(step.form, documents) : []);
  // A schedule in text may have other pages under its type: pictures, signatures.
  const isRead = isTextSchedule(step.form) && documents.some(({ type, text }) => isOfForm(text, type, step.form));
  for (const document of documents) {
    const { document_id, type, text } = document;
    const begins = () => JSON.stringify(text.trimStart().slice(0, 60));
    const kind = xbrlKind(document);
    if (ofForm.has(document) && (kind === null || kind === 'page' || kind === 'unknown')) {
      if (isRead || (!isNamedXml(document) && !MARKUP.test(text.slice(0, 1000)))) continue;
      if (!isOfForm(text, type, step.form) && !isXbrl('unknown', text))
        throw new FormUnreadableError(
          document_id,
          `it is ${isTextSchedule(step.form) ? 'no schedule' : 'not XML'} of form ${step.form}: ${begins()}`,
        );
    } else if (ofValues.has(document)) {
      if (isNamedXml(document) && rootName(text) === null)
        throw new FormUnreadableError(document_id, `it is not XML: ${begins()}`);
    } else if (kind !== null && !isXbrl(document.inline ? 'inline' : kind, text))
      throw new FormUnreadableError(document_id, `it is not XBRL (${document.inline ? 'inline' : kind}): ${begins()}`);
  }
}

const FACTS = 'xbrl_facts';
/** Documents that have facts. */
const OF_FACTS: readonly unknown[] = ['page', 'instance', 'extraction'];

/** A filing with a taxonomy states facts. If there are none, a wrong page was answered. */
function refuseWithoutFacts({ documents }: FetchedForm): void {
  const page = documents.find((document) => OF_FACTS.includes(xbrlKind(document)));
  if (page !== undefined)
    throw new FormUnreadableError(page.document_id, 'it has no XBRL facts, nor has another document');
}

/** Reasons of a problem that is a document's as a whole. */
const WHOLE_DOCUMENT = new Set(['malformed']);

function refuseMisfit({ documents }: FetchedForm, { table, row }: MappedRow): void {
  const label = row.document ?? row.file;
  const named =
    documents.find(({ filename }) => filename !== null && label === filename) ??
    documents.find(({ filename }) => filename !== null && String(label).endsWith(filename)) ??
    documents[Number(label) - 1] ??
    documents[0]!;
  if (table === 'form_problems' && WHOLE_DOCUMENT.has(String(row.reason)))
    throw new FormUnreadableError(named.document_id, `${row.reason}: ${row.value}`);
  const misfit = formRowMisfit(table, row);
  if (misfit !== null)
    throw new FormUnreadableError(
      named.document_id,
      `${table}.${misfit.path} can't hold ${JSON.stringify(misfit.value)}`,
    );
}
