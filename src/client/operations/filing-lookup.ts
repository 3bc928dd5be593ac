/** Answers to filing_lookup: docs/api.md#filing_lookup. */
import type { Filing } from '../../api/index.ts';
import { type PageFacts, readPage } from '../page-answers.ts';
import { accessionNumber, date, dateTime, listOf, orNull, type ReadNotes } from '../read.ts';
import { recordOf } from '../record.ts';
import { DATE_TIME_ALIASES, documentReference, revision, someCik, someInteger, someText } from '../shared-records.ts';

export interface FilingPage extends PageFacts {
  filings: Filing[];
}

const filing = recordOf<Filing>(
  'filing',
  {
    accession_number: accessionNumber,
    cik: someCik,
    form_type: someText,
    filing_date: orNull(date),
    acceptance_datetime: orNull(dateTime),
    entity_name: someText,
    report_date: orNull(date),
    size: someInteger,
    documents: listOf(documentReference),
    revision,
  },
  { aliases: { form: 'form_type', ...DATE_TIME_ALIASES }, optional: ['revision'] },
);

const NAMES = { operation: 'filing_lookup', list: 'filings', count: 'count' } as const;

export function readFilingPage(body: unknown, notes: ReadNotes): FilingPage {
  const { records, facts } = readPage(NAMES, body, filing, notes);
  return { ...facts, filings: records };
}
