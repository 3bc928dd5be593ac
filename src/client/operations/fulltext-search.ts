/** Answers to fulltext_search: docs/api.md#fulltext_search. */
import type { FulltextHit } from '../../api/index.ts';
import { type PageFacts, readPage, readRecords, tolerated } from '../page-answers.ts';
import {
  accessionNumber,
  cik,
  content,
  date,
  dateTime,
  documentId,
  listOf,
  number,
  orNull,
  type ReadNotes,
} from '../read.ts';
import { recordOf } from '../record.ts';
import { someInteger, someText, words } from '../shared-records.ts';

export interface FulltextPage extends PageFacts {
  hits: FulltextHit[];
  entities: { cik: string; name: string | null; tickers: string[] }[];
}

const hit = recordOf<FulltextHit>(
  'hit',
  {
    id: documentId,
    score: orNull(number),
    accession_number: accessionNumber,
    form_type: someText,
    filing_date: orNull(date),
    acceptance_date_time: orNull(dateTime),
    document_type: someText,
    document_description: someText,
    file_name: someText,
    ciks: listOf(cik),
    sics: words,
    size: someInteger,
    highlights: words,
    text_content: orNull(content),
  },
  {
    aliases: {
      form: 'form_type',
      acceptance_datetime: 'acceptance_date_time',
      filename: 'file_name',
      document_id: 'id',
    },
  },
);

const hitEntity = recordOf<{ cik: string; name: string | null; tickers: string[] }>('entity', {
  cik,
  name: someText,
  tickers: words,
});

const NAMES = { operation: 'fulltext_search', list: 'hits', count: 'total_hits', also: ['entities'] } as const;

export function readFulltextPage(body: unknown, notes: ReadNotes): FulltextPage {
  const { records, facts, members } = readPage(NAMES, body, hit, notes);
  // Names of the hits' parties: without them the hits stay the same.
  const entities = tolerated([], members.entities, 'entities', notes, () =>
    readRecords(members.entities, 'entities', hitEntity, NAMES.operation, notes),
  );
  return { ...facts, hits: records, entities };
}
