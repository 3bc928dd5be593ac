/** `/search`: companies of this name, the documents that have the words, and how these spread over forms, years and companies. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Entity } from '../../filings/api/index.ts';
import { ServiceProblem } from '../answers/problem.ts';
import { type ExportSelection, type SearchTerms, searchPage } from '../pages/index.ts';
import { sendPage } from './send.ts';
import type { SiteParts } from './site-parts.ts';
import { queryOf } from './visit.ts';

export const PAGE_SIZE = 20;
const POSITION_MAX = 1_000;
const TICKER = /^[A-Za-z0-9][A-Za-z0-9./-]{0,9}$/;
/** Companies that are looked at for the best, and that are shown. */
const [NAMED_MAX, SHOWN_MAX] = [100, 8];

export function searchRoute({ looks }: SiteParts, yaml: (selection: ExportSelection) => string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = queryOf(request);
    const text = (name: string) => (query.get(name) ?? '').trim().slice(0, 500);
    const terms: SearchTerms = {
      q: text('q'),
      form: text('form'),
      company: text('company'),
      date_from: text('date_from'),
      date_to: text('date_to'),
      sort: text('sort') === 'date' ? 'date' : 'relevance',
    };
    const from = positionOf(query);
    const empty = {
      terms,
      entities: [],
      found: null,
      facets: null,
      from,
      pageSize: PAGE_SIZE,
      problem: null,
      yaml: null,
    };
    if (terms.q === '') return sendPage(reply, searchPage(empty));
    const forms = terms.form.split(',').flatMap((form) => form.trim() || []);
    const { date_from, date_to } = terms;
    const filters = {
      ...(forms.length > 0 ? { form_types: forms } : {}),
      ...(terms.company === '' ? {} : { ciks: [terms.company] }),
      ...(date_from === '' ? {} : { date_from }),
      ...(date_to === '' ? {} : { date_to }),
    };
    try {
      const isTicker = TICKER.test(terms.q);
      const [named, ticked, found, facets] = await Promise.all([
        looks.look('entity_lookup', { name_includes: terms.q.split(/\s+/), to: NAMED_MAX }, request, reply),
        isTicker ? looks.look('entity_lookup', { tickers: [terms.q], to: SHOWN_MAX }, request, reply) : null,
        looks.look(
          'fulltext_search',
          {
            query: terms.q,
            ...filters,
            from,
            to: from + PAGE_SIZE,
            ...(terms.sort === 'relevance' ? { sort_by: '_score' } : {}),
          },
          request,
          reply,
        ),
        from === 0 ? unlessBusy(looks.facets({ query: terms.q, ...filters }, request, reply)) : null,
      ]);
      const entities = bestFirst(terms.q, ticked?.entities ?? [], named.entities);
      const selected = {
        ...(forms.length > 0 ? { forms } : {}),
        ...(terms.company === '' ? {} : { ciks: [terms.company] }),
      };
      const selection = { name: terms.q, query: terms.q, ...selected, date_from, date_to };
      const definition = found.total_hits === 0 ? null : yaml(selection);
      return sendPage(reply, searchPage({ ...empty, entities, found, facets, yaml: definition }));
    } catch (error) {
      if (!(error instanceof ServiceProblem) || error.status !== 400) throw error;
      return sendPage(reply, searchPage({ ...empty, problem: error.message }), 400);
    }
  };
}

export function positionOf(query: URLSearchParams): number {
  const from = Number(query.get('from') ?? 0);
  return Number.isInteger(from) && from >= 0 && from < POSITION_MAX ? from : 0;
}

/** Null: the service is too busy. */
export async function unlessBusy<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceProblem && error.status === 503) return null;
    throw error;
  }
}

/** Companies with this ticker, then those whose name begins with the words, those with tickers before those without, short names first. */
function bestFirst(words: string, ticked: readonly Entity[], named: readonly Entity[]): Entity[] {
  const beginning = words.toUpperCase();
  const rank = ({ name, tickers }: Entity) =>
    ((name ?? '').toUpperCase().startsWith(beginning) ? 0 : 2) + (tickers.length > 0 ? 0 : 1);
  const byName = named.toSorted((a, b) => rank(a) - rank(b) || (a.name ?? '').length - (b.name ?? '').length);
  const all = new Map([...ticked, ...byName].map((entity) => [entity.cik, entity]));
  return [...all.values()].slice(0, SHOWN_MAX);
}
