/** Failures in words: codes and names of operations are for scripts. */

/** The requested step, with the words of a plan and a run's state. */
const ASKED: Readonly<Record<string, string>> = {
  filing_lookup: 'lookup',
  filing_info: 'filing_info',
  filing_sections: 'sections',
  document: 'documents',
  entity_lookup: 'entities',
  hit: 'fulltext_search',
  days: 'coverage',
};

const HAPPENED: Readonly<Record<string, string>> = {
  'contract-broken': 'the answer did not match the published format',
  'value-unstorable': 'a value can’t be stored; the rest of the record is',
  'record-not-found': 'the service has no such record',
  'entity-not-found': 'the service has no such entity',
  'record-unprocessable': 'the service can’t convert it',
  'request-refused': 'the service refused the request',
  'service-failed': 'the service had a fault',
  'service-unreachable': 'no complete answer came',
};

/** The word for an operation of the service; an unknown one stays unchanged. */
export function askedWord(operation: string): string {
  return ASKED[operation] ?? operation;
}

/** The meaning of a failure's code; null: see its message. */
export function happenedWords(code: string): string | null {
  return HAPPENED[code] ?? null;
}

/** Whether a new request can't succeed while the record stays the same. */
export function isKept(code: string): boolean {
  return code === 'value-unstorable';
}
