/** `search_text`. Order is by date: a score would count words of later filings. */
import { z } from 'zod';
import { isPair } from '../answers/budget.ts';
import type { Json } from '../answers/json-text.ts';
import { type Place, placesOf, readTerms } from '../answers/terms.ts';
import type { SearchHit } from '../sources/filing-source.ts';
import { accession, asOf, cikOf, company, dates, forms, paging, source } from './arguments.ts';
import { sectionCode } from './passages.ts';
import { fromSources, tool } from './tool.ts';

/** A passage shows so many characters on both sides. */
const AROUND = 160;
const PASSAGES_A_HIT = 3;
/** Hits whose texts are read for one answer. */
const HITS_MAX = 40;

export const searchText = tool({
  name: 'search_text',
  title: 'Search texts',
  description:
    'Documents or sections in which all words and "phrases" occur (whole words, case ignored, no stemming), newest filing first, with passages and their places. count is of documents, not of places. A lake is searched as far as it has texts: caveats say what was not searched.',
  input: z.strictObject({
    query: z.string().min(1).max(400).describe('going concern "material weakness"'),
    company,
    forms,
    ...dates,
    section: z.string().max(20).optional().describe('only this section, in a lake: 1A'),
    accession_numbers: z.array(accession).max(100).optional(),
    source,
    ...asOf,
    ...paging,
  }),
  needs: 'filings',
  async run(call) {
    const { args, asOf: moment, version, budget } = call;
    const most = Math.min(HITS_MAX, Math.ceil(budget / 400));
    const terms = readTerms(args.query);
    const { from_date, to_date, accession_numbers: numbers } = args;
    const query = {
      terms,
      forms: args.forms,
      from_date,
      to_date,
      numbers,
      asOf: moment,
      cik: args.company === undefined ? undefined : await cikOf(args.company, call),
      section: args.section === undefined ? undefined : sectionCode(args.section),
    };
    // Sections are a lake's: a service searches documents.
    const kind = query.section === undefined ? args.source : 'lake';
    const { source: from, found } = await fromSources(call, kind, (one, { from: first, limit }) =>
      one.search({ ...query, from: first, limit: Math.min(limit, most) }, version),
    );
    return {
      head: { source: from.kind, count: found.total },
      rows: found.rows.map((hit) => hitJson(hit, terms)),
      total: found.total,
      caveats: found.caveats,
    };
  },
});

function hitJson({ filing, text }: SearchHit, terms: readonly (readonly string[])[]): Json {
  const { accession_number, entity_name, cik, form_type, filing_date, acceptance_datetime } = filing;
  const places = placesOf(text.text, terms, PASSAGES_A_HIT);
  return {
    accession_number,
    entity_name,
    cik,
    form_type,
    filing_date,
    acceptance_datetime,
    document_id: text.document_id,
    section: text.section,
    passages: joined(places.slice(0, PASSAGES_A_HIT * 2), text.text).map(({ start, end }) => ({
      start,
      end,
      filed_content: text.text.slice(start, end),
    })),
  };
}

/** Places with what is around them; those that overlap are one. */
function joined(places: readonly Place[], text: string): Place[] {
  const wide: { start: number; end: number }[] = [];
  for (const { start, end } of places) {
    const from = edge(text, Math.max(0, start - AROUND));
    const to = edge(text, Math.min(text.length, end + AROUND));
    const last = wide.at(-1);
    if (last && from <= last.end) last.end = Math.max(last.end, to);
    else if (wide.length < PASSAGES_A_HIT) wide.push({ start: from, end: to });
  }
  return wide;
}

const edge = (text: string, at: number) => (isPair(text, at) ? at - 1 : at);
