/** Failures in words: their codes and the service's operations are for scripts, and for those who know them. */

/** What was asked for, as a plan and a run's state have it. */
const ASKED: Readonly<Record<string, string>> = {
  filing_lookup: 'lookup',
  filing_info: 'filing_info',
  filing_sections: 'sections',
  document: 'documents',
  entity_lookup: 'entities',
  hit: 'fulltext_search',
};

const HAPPENED: Readonly<Record<string, string>> = {
  'contract-broken': 'the answer was not of the form that was agreed',
  'value-unstorable': 'a value can’t be stored; the rest of the record is',
  'record-not-found': 'the service has no such record',
  'entity-not-found': 'the service has no such entity',
  'record-unprocessable': 'the service can’t convert it',
  'request-refused': 'the service refused the question',
  'service-failed': 'the service failed at it',
  'service-unreachable': 'no whole answer came',
};

/** The word for an operation of the service; one that is none of ours stays as it is. */
export function askedWord(operation: string): string {
  return ASKED[operation] ?? operation;
}

/** What a code of a failure means; null: its message tells. */
export function happenedWords(code: string): string | null {
  return HAPPENED[code] ?? null;
}

/** Whether asking again can't bring anything else while the record is the same. */
export function isKept(code: string): boolean {
  return code === 'value-unstorable';
}
