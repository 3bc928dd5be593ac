/** For each kind of window: its request, and the members of its pages that are stored. */
import {
  type Entity,
  type Filing,
  parseAccessionNumber,
  parseCik,
  parseDocumentId,
} from '../../../filings/api/index.ts';
import type { ContractViolation, FilingClient, PageFacts } from '../../client/index.ts';
import {
  type ExportWindow,
  entityRequest,
  hitRequest,
  type LookupRequest,
  type SampleRecord,
} from '../../windows/index.ts';
import type { Verbatim } from '../staging/staged-files.ts';

export interface AskedPage<Kept> {
  facts: PageFacts;
  records: Kept[];
  violations: ContractViolation[];
  /** The original answer, if `records` are the members of one of its lists, unchanged. */
  verbatim: Verbatim | null;
}

export interface PagedLookup<Kept> {
  /** The member of an answer that lists its records. */
  list: string;
  ask(client: FilingClient, window: ExportWindow, request: LookupRequest): Promise<AskedPage<Kept>>;
  keyOf(record: Kept): string;
  sampleOf(record: Kept): SampleRecord;
  /** The values of a record that decide its place in the order, and may change. */
  placeOf(record: Kept): string;
  /** The key in the readable members of a broken record; null without one */
  parseKey(subject: string): string | null;
}

/** The stored members of a hit: its filing, and the values by which windows are split. */
export interface KeptHit {
  id: string;
  accession_number: string;
  form_type: string | null;
  filing_date: string | null;
  /** Name of the first party in the page. */
  entity_name: string | null;
}

function ofMember(member: string, body: Buffer | null): Verbatim | null {
  return body === null ? null : { member, body };
}

export const FILINGS: PagedLookup<Filing> = {
  list: 'filings',
  async ask(client, _window, request) {
    const { value, notes, verbatim } = await client.filingLookup(request);
    const records = value.filings;
    return { facts: value, records, violations: notes.violations, verbatim: ofMember('filings', verbatim) };
  },
  keyOf: (filing) => filing.accession_number,
  sampleOf: ({ accession_number: key, form_type, filing_date, entity_name }) => ({
    key,
    form_type,
    filing_date,
    entity_name,
  }),
  placeOf: ({ filing_date, acceptance_datetime }) => `${filing_date} ${acceptance_datetime}`,
  parseKey: (subject) => (parseAccessionNumber(subject) === subject ? subject : null),
};

export const ENTITIES: PagedLookup<Entity> = {
  list: 'entities',
  async ask(client, _window, request) {
    const { value, notes, verbatim } = await client.entityLookup(entityRequest(request));
    const records = value.entities;
    return { facts: value, records, violations: notes.violations, verbatim: ofMember('entities', verbatim) };
  },
  keyOf: (entity) => entity.cik,
  sampleOf: ({ cik: key, name }) => ({ key, form_type: null, filing_date: null, entity_name: name }),
  placeOf: () => '',
  parseKey: parseCik,
};

export const HITS: PagedLookup<KeptHit> = {
  list: 'hits',
  async ask(client, window, request) {
    const { value, notes } = await client.fulltextSearch(hitRequest(window, request));
    const names = new Map(value.entities.map(({ cik, name }) => [cik, name]));
    const records = value.hits.map(({ id, accession_number, form_type, filing_date, ciks }) => ({
      id,
      accession_number,
      form_type,
      filing_date,
      entity_name: ciks.map((cik) => names.get(cik)).find(Boolean) ?? null,
    }));
    return { facts: value, records, violations: notes.violations, verbatim: null };
  },
  keyOf: (hit) => hit.id,
  sampleOf: ({ id: key, form_type, filing_date, entity_name }) => ({ key, form_type, filing_date, entity_name }),
  placeOf: ({ filing_date }) => String(filing_date),
  parseKey: parseDocumentId,
};
