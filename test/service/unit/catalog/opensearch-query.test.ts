/** Queries in OpenSearch's language. That they find the same is shown with a real one: test/service/slow/catalog/opensearch.test.ts. */
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../src/service/catalog/fulltext/query.ts';
import { OpenSearch } from '../../../../src/service/catalog/opensearch/client.ts';
import { NotTranslatable, textClause } from '../../../../src/service/catalog/opensearch/translate.ts';

const clauseOf = (query: string) => textClause(parseQuery(query, 'query_string').node);
const word = (value: string) => ({ term: { text: { value } } });
const places = (text: string) => ({ span_term: { text } });
const near = (slop: number, ...clauses: object[]) => ({ span_near: { clauses, slop, in_order: false } });

describe('a query in the language of OpenSearch', () => {
  it.each([
    ['Café', word('cafe')],
    ['"risk factors"', { match_phrase: { text: 'risk factors' } }],
    ['ris*', { prefix: { text: { value: 'ris' } } }],
    ['a OR b', { bool: { should: [word('a'), word('b')], minimum_should_match: 1 } }],
    ['a -b', { bool: { must: [word('a')], must_not: [word('b')] } }],
    ['NEAR(a b, 3)', near(3, places('a'), places('b'))],
    // Between the first and the last word are the others: FTS5 counts them, Lucene does not.
    ['NEAR(a b c, 3)', near(2, places('a'), places('b'), places('c'))],
    ['NEAR(a a b, 3)', near(3, places('a'), places('b'))],
    ['NEAR(a a, 3)', word('a')],
  ])('says %j', (query, clause) => {
    expect(clauseOf(query)).toEqual(clause);
  });

  it.each(['NEAR(a b "c d", 3)', `${'x'.repeat(101)}*`])('does not say %j', (query) => {
    expect(() => clauseOf(query)).toThrow(NotTranslatable);
  });
});

describe('the address of an index', () => {
  it('has a name for messages without the password', () => {
    expect(new OpenSearch('opensearch+https://me:secret@search.example:9200/filings').name).toBe(
      'https://search.example:9200/filings',
    );
  });

  it.each([
    'https://search.example/filings',
    'opensearch+https://search.example',
    'opensearch+https://me:secret@h/a/b',
    'x',
  ])('is not %s, and the message repeats nothing of it', (place) => {
    expect(() => new OpenSearch(place)).toThrow(
      expect.objectContaining({ code: 'setting-invalid', message: expect.not.stringContaining('secret') }),
    );
  });
});
