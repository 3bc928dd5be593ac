/** What no single parameter can tell: what is required, and which combinations are impossible. docs/api.md#errors. */
import {
  type DocumentId,
  ENTITY_FILTER_NAMES,
  type OperationName,
  sectionFamily,
  splitDocumentId,
} from '../../api/index.ts';
import { badRequest } from '../problem.ts';
import type { ParametersOf } from './parameters.ts';

/** Positions [from, to) of an answer's rows. */
export interface Window {
  from: number;
  to: number;
}

const DEFAULT_TO = { entity_lookup: 100, filing_lookup: 10_000, fulltext_search: 100 } as const;

/** @throws ServiceProblem 400 where `from` is after `to` */
export function windowOf(
  operation: keyof typeof DEFAULT_TO,
  given: { from?: number | undefined; to?: number | undefined },
): Window {
  const from = given.from ?? 0;
  const to = given.to ?? DEFAULT_TO[operation];
  if (from <= to) return { from, to };
  throw badRequest(`from (${from}) is after to (${given.to === undefined ? `${to}, the default` : to})`);
}

type Check<Name extends OperationName> = (parameters: ParametersOf<Name>) => void;

const CHECKS: { [Name in OperationName]: Check<Name> } = {
  entity_lookup(parameters) {
    if (!ENTITY_FILTER_NAMES.some((name) => parameters[name] !== undefined))
      throw badRequest('entity filter is required');
    windowOf('entity_lookup', parameters);
  },
  filing_lookup(parameters) {
    requireFilter(parameters.entity_query);
    requireDatesInOrder(parameters);
    windowOf('filing_lookup', parameters);
  },
  fulltext_search(parameters) {
    if (parameters.query === undefined || parameters.query.trim() === '') throw badRequest('query is required');
    requireFilter(parameters.entity_query);
    requireDatesInOrder(parameters);
    for (const prefix of parameters.accession_numbers ?? []) requireAccessionPrefix(prefix);
    windowOf('fulltext_search', parameters);
  },
  document(parameters) {
    const { document_id, accession_number, filename } = parameters;
    if (filename !== undefined && accession_number === undefined) {
      throw badRequest(
        document_id ? 'filename goes with accession_number, not with document_id' : 'accession_number is required',
      );
    }
    if (filename !== undefined && document_id !== undefined) {
      throw badRequest('give document_id, or accession_number with filename, not both');
    }
    if (document_id === undefined && accession_number === undefined) throw badRequest('document_id is required');
    requireSameFiling(document_id, accession_number);
  },
  filing_info(parameters) {
    if (parameters.accession_number === undefined) throw badRequest('accession_number is required');
  },
  filing_sections(parameters) {
    const { document_id, accession_number, form_type } = parameters;
    if (document_id === undefined && accession_number === undefined) throw badRequest('document_id is required');
    requireSameFiling(document_id, accession_number);
    if (form_type !== undefined && sectionFamily(form_type) === null) {
      throw badRequest(`form_type is invalid: '${form_type.slice(0, 60)}' must be 10-K or 10-Q`);
    }
  },
  pdf(parameters) {
    const { document_id, accession_number } = parameters;
    if (document_id === undefined && accession_number === undefined) {
      throw badRequest('accession_number or document_id is required');
    }
    if (document_id !== undefined && accession_number !== undefined) {
      throw badRequest('give accession_number or document_id, not both');
    }
  },
};

/** @throws ServiceProblem 400 */
export function checkCombination<Name extends OperationName>(operation: Name, parameters: ParametersOf<Name>): void {
  CHECKS[operation](parameters);
}

/** `entity_query` given but without a filter (`{}`) would mean every filing: surely not meant. */
function requireFilter(entityQuery: object | undefined): void {
  if (entityQuery !== undefined && Object.keys(entityQuery).length === 0) throw badRequest('entity filter is required');
}

function requireDatesInOrder(range: { date_from?: string | undefined; date_to?: string | undefined }): void {
  const { date_from, date_to } = range;
  if (date_from !== undefined && date_to !== undefined && date_from > date_to) {
    throw badRequest(`date_from (${date_from}) is after date_to (${date_to})`);
  }
}

function requireAccessionPrefix(text: string): void {
  if (/^(\d{10,18}|\d{10}-(\d{0,2}|\d{2}-\d{0,6}))$/.test(text.trim())) return;
  throw badRequest(
    `accession_numbers is invalid: '${text.slice(0, 60)}' must be an accession number or its first 10 digits or more`,
  );
}

function requireSameFiling(documentId: DocumentId | undefined, accessionNumber: string | undefined): void {
  if (documentId === undefined || accessionNumber === undefined) return;
  if (splitDocumentId(documentId).accessionNumber === accessionNumber) return;
  throw badRequest(`document_id (${documentId}) is no document of accession_number (${accessionNumber})`);
}
