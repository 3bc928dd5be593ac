/** A search in OpenSearch's language, such that it finds the documents that FTS5 and the filters of the catalog find. */
import { dayNumber } from '../../../core/index.ts';
import type { FulltextSearchParameters } from '../../../filings/api/index.ts';
import type { MarkedTerm, QueryNode } from '../fulltext/query-tree.ts';
import { TOKEN_CHARACTERS_MAX, tokensOf } from '../fulltext/tokens.ts';
import { accessionPrefix } from '../queries/fulltext-hits.ts';
import { codeKey, entityConditions, itemKey } from '../rows/filters.ts';
import { given, type Statements } from '../rows/statements.ts';

export type Clause = Readonly<Record<string, unknown>>;

const NOTHING: Clause = { match_none: {} };
/** OpenSearch's own limit of values in one `terms`. */
const TERMS_MAX = 65_536;
/** Lucene refuses values above 32,766 bytes. What is longer is stored cut, longer than anything that is looked for. */
export const VALUE_CHARACTERS_MAX = 8_000;

/** A search that only the catalog's own index answers. */
export class NotTranslatable extends Error {
  override name = 'NotTranslatable';
}

interface Words {
  tokens: string[];
  prefix: boolean;
}

function wordsOf({ written, prefix }: MarkedTerm): Words {
  const tokens = tokensOf(written.join(' '));
  if (prefix && [...(tokens.at(-1) ?? '')].length > TOKEN_CHARACTERS_MAX)
    throw new NotTranslatable('the beginning of a word is too long');
  return { tokens, prefix };
}

/** @throws NotTranslatable */
export function textClause(node: QueryNode): Clause {
  switch (node.kind) {
    case 'term':
      return wordsClause(wordsOf(node.term));
    case 'near':
      return nearClause(node.terms.map(wordsOf), node.distance);
    case 'any':
      return { bool: { should: node.members.map(textClause), minimum_should_match: 1 } };
    case 'all':
      return { bool: { must: node.members.map(textClause), must_not: node.without.map(textClause) } };
  }
}

/** FTS5 finds nothing by a phrase without words. */
function wordsClause({ tokens, prefix }: Words): Clause {
  if (tokens.length === 0) return NOTHING;
  if (tokens.length > 1) return prefix ? span({ tokens, prefix }) : { match_phrase: { text: tokens.join(' ') } };
  return prefix ? { prefix: { text: { value: tokens[0] } } } : { term: { text: { value: tokens[0] } } };
}

/** The places of a word or phrase. */
function span({ tokens, prefix }: Words): Clause {
  const words = tokens.map(
    (token, i): Clause =>
      prefix && i === tokens.length - 1
        ? { span_multi: { match: { prefix: { text: { value: token } } } } }
        : { span_term: { text: token } },
  );
  return words.length === 1 ? words[0]! : { span_near: { clauses: words, slop: 0, in_order: true } };
}

/**
 * FTS5's NEAR: from the end of each phrase to the begin of the last one are at most `distance` words, and phrases may overlap. Lucene
 * limits all places from the first begin to the last end, less the words of the phrases. For two phrases, or more of one length, both
 * say the same.
 */
function nearClause(phrases: readonly Words[], distance: number): Clause {
  // FTS5 leaves out phrases without words. A place of a phrase may stand for it twice.
  const some = phrases.filter(({ tokens }) => tokens.length > 0);
  const distinct = [...new Map(some.map((phrase) => [JSON.stringify(phrase), phrase])).values()];
  if (distinct.length < 2) return wordsClause(distinct[0] ?? { tokens: [], prefix: false });
  const [{ tokens }] = distinct as [Words];
  if (distinct.length > 2 && distinct.some((phrase) => phrase.tokens.length !== tokens.length))
    throw new NotTranslatable('NEAR of more than two phrases of several lengths');
  const slop = distance - (distinct.length - 2) * tokens.length;
  return { span_near: { clauses: distinct.map(span), slop, in_order: false } };
}

/** @throws NotTranslatable; FilinglakeError as entityConditions */
export function filterClauses(p: FulltextSearchParameters, statements: Statements): { must: Clause[]; not: Clause[] } {
  const must: Clause[] = [];
  const not: Clause[] = [];
  if (given(p.form_types)) must.push(anyOf('form', p.form_types.map(codeKey)));
  if (given(p.excluded_form_types)) not.push(anyOf('form', p.excluded_form_types.map(codeKey)));
  if (p.exclude_amendments) must.push({ term: { amendment: false } });
  if (p.date_from !== undefined) must.push({ range: { day: { gte: dayNumber(p.date_from) } } });
  if (p.date_to !== undefined) must.push({ range: { day: { lte: dayNumber(p.date_to) } } });
  if (given(p.items)) must.push(anyOf('items', p.items.map(itemKey)));
  if (given(p.ciks)) must.push(anyOf('ciks', p.ciks.map(Number)));
  if (p.entity_query !== undefined) {
    const entities = entityConditions(p.entity_query, statements);
    const sql = `SELECT e.cik FROM entities e WHERE ${entities.interruptibleSql('e.cik')}`;
    const rows = statements.prepareArrays(sql).all(...entities.values) as unknown as [number][];
    must.push(
      anyOf(
        'ciks',
        rows.map(([cik]) => cik),
      ),
    );
  }
  if (given(p.accession_numbers)) must.push(beginsWith('accession', p.accession_numbers.map(accessionPrefix)));
  if (given(p.document_types)) {
    const isPrefix = (type: string) => type.endsWith('*');
    const exact = p.document_types.filter((type) => !isPrefix(type)).map(codeKey);
    const prefixes = p.document_types.filter(isPrefix).map((type) => codeKey(type.slice(0, -1)));
    must.push({ bool: { should: [anyOf('type', exact), beginsWith('type', prefixes)], minimum_should_match: 1 } });
  }
  return { must, not };
}

function anyOf(field: string, values: readonly (string | number)[]): Clause {
  const texts = [...new Set(values.map(sent))];
  if (texts.length <= TERMS_MAX) return { terms: { [field]: texts } };
  const parts = Array.from({ length: Math.ceil(texts.length / TERMS_MAX) }, (_, i) =>
    texts.slice(i * TERMS_MAX, (i + 1) * TERMS_MAX),
  );
  return { bool: { should: parts.map((part) => ({ terms: { [field]: part } })), minimum_should_match: 1 } };
}

function beginsWith(field: string, prefixes: readonly string[]): Clause {
  const should = [...new Set(prefixes.map(sent))].map((value) => ({ prefix: { [field]: { value } } }));
  return should.length === 0 ? NOTHING : { bool: { should, minimum_should_match: 1 } };
}

/** SQLite stores half of a surrogate pair as U+FFFD too. */
function sent<T extends string | number>(value: T): T {
  if (typeof value !== 'string') return value;
  if (value.length > VALUE_CHARACTERS_MAX) throw new NotTranslatable('the value of a filter is too long');
  return value.toWellFormed() as T;
}
