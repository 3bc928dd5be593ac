/** A step of a filing: one request to the service, or one for each document of `forms`, and its rows. */
import type { DocumentReference, SectionFamily } from '../../filings/api/index.ts';

/** `selector` is stored in coverage. It shows whether an earlier request covers this one. */
export type Step =
  | { step: 'info'; selector: string }
  | { step: 'sections'; selector: string; form_type: SectionFamily }
  | FormsStep
  | GoneStep
  | DocumentStep;

interface DocumentStep {
  step: `document:${string}`;
  selector: string;
  document_id: string;
  output_format: 'raw' | 'json';
  /** The lake has it, and filing_info lists it no more: a 404 deletes its rows. */
  isUnlisted?: true;
}

/** A step of an older revision that the filing no longer has: its rows are deleted without a request. */
interface GoneStep {
  step: 'sections' | `document:${string}`;
  selector: string;
  gone: true;
}

/** Tables of the filing's form and XBRL, from all documents that its mapping reads. None: no request is sent, and there are no rows. */
export interface FormsStep {
  step: 'forms';
  /** The tables, by commas. */
  selector: string;
  /** Form type of the filing, and the day of its filing: the unit of 13F values depends on that. */
  form: string;
  filed: string | null;
  documents: FormDocument[];
  /**
   * Pages that are requested too if they are inline documents: EDGAR's summary, one of `documents`, says so. Without a summary: if one of
   * `documents` is an inline document.
   */
  undecided?: FormDocument[];
  /** By its list of documents the filing has XBRL facts. */
  hasFacts?: true;
}

export interface FormDocument extends Pick<DocumentReference, 'document_id' | 'filename' | 'type'> {
  /** It is an inline document, by the filing's list of documents. */
  inline?: true;
}

/** Requests that a step takes; a few more if EDGAR's summary of the filing names further inline documents. */
export function requestsOf(step: Step): number {
  if ('gone' in step) return 0;
  return step.step === 'forms' ? step.documents.length : 1;
}

export function requestsOfAll(steps: Iterable<Step>): number {
  let requests = 0;
  for (const step of steps) requests += requestsOf(step);
  return requests;
}
