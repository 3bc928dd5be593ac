import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FulltextHit, FulltextSearchParameters } from '../../../../src/filings/api/index.ts';
import { PASSAGE_LENGTH_MAX, PassageFinder } from '../../../../src/service/catalog/fulltext/passages.ts';
import { parseQuery } from '../../../../src/service/catalog/fulltext/query.ts';
import { fold, foldInPlace, wordsOf } from '../../../../src/service/catalog/fulltext/words.ts';
import { Catalog, ingest, QueryError } from '../../../../src/service/catalog/index.ts';
import {
  type MadeUpSubmission,
  temporaryFolder,
  txtOf,
  writeFiles,
} from '../../../support/catalog/synthetic-filings.ts';
import { runs } from '../../../support/property-runs.ts';

const WORDS = ['ant', 'bee', 'cat', 'cats', 'dog', 'dogma', 'eel'];

/** Documents over a tiny vocabulary, so that queries hit many and ties are common. */
function world(): { submissions: MadeUpSubmission[]; texts: Map<string, string> } {
  let seed = 11;
  const next = (n: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  const texts = new Map<string, string>();
  const submissions = Array.from({ length: 60 }, (_, i): MadeUpSubmission => {
    const accession = `${String(100 - i).padStart(10, '0')}-20-${String(i).padStart(6, '0')}`;
    const documents = Array.from({ length: 1 + next(3) }, (_, d) => {
      const content = Array.from({ length: 1 + next(12) }, () => WORDS[next(WORDS.length)]!).join(next(2) ? ' ' : ', ');
      texts.set(`${accession}-${d === 2 ? 12 : d + 1}`, content);
      return { content, sequence: d === 2 ? 12 : d + 1, type: d === 0 ? '8-K' : `EX-99.${d}` };
    });
    const date = `2020-03-0${1 + next(4)}`;
    return {
      accession,
      form: '8-K',
      date,
      parties: [{ cik: String(1 + next(5)), name: 'Some Company', sic: '3571' }],
      documents,
    };
  });
  return { submissions, texts };
}

describe('fulltext search', () => {
  const folder = join(temporaryFolder(), 'catalog');
  const { submissions, texts } = world();
  let catalog: Catalog;

  beforeAll(async () => {
    const files = temporaryFolder();
    writeFiles(files, Object.fromEntries(submissions.map((s) => [`${s.accession}.txt`, txtOf(s)])));
    await ingest([files], folder, { threads: 0, batchFilings: 13 });
    catalog = Catalog.open(folder);
  });
  afterAll(() => catalog.close());

  const search = (p: FulltextSearchParameters) => catalog.fulltextSearch(p);
  const ids = (hits: FulltextHit[]) => hits.map((hit) => hit.id);
  const tokens = (id: string) => texts.get(id)!.split(/[ ,]+/);

  /** What a query means, by looking at every text. */
  type Meaning = { query: string; matches: (words: string[]) => boolean; positive: boolean };
  const word = fc
    .constantFrom(...WORDS)
    .map((w): Meaning => ({ query: w, matches: (t) => t.includes(w), positive: true }));
  const prefix = fc
    .constantFrom('ca', 'dog', 'be', 'ee')
    .map((p): Meaning => ({ query: `${p}*`, matches: (t) => t.some((w) => w.startsWith(p)), positive: true }));
  const phrase = fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 3 }).map(
    (p): Meaning => ({
      query: `"${p.join(' ')}"`,
      matches: (t) => t.some((_, i) => p.every((w, k) => t[i + k] === w)),
      positive: true,
    }),
  );
  const near = fc
    .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS), fc.integer({ min: 1, max: 4 }))
    .filter(([a, b]) => a !== b)
    .map(
      ([a, b, n]): Meaning => ({
        query: `NEAR(${a} ${b}, ${n})`,
        // At most n words between the two.
        matches: (t) => t.some((x, i) => x === a && t.some((y, k) => y === b && Math.abs(i - k) - 1 <= n)),
        positive: true,
      }),
    );
  const { expression } = fc.letrec<{ atom: Meaning; all: Meaning; any: Meaning; expression: Meaning }>((tie) => ({
    atom: fc.oneof(
      { maxDepth: 3 },
      word,
      word,
      prefix,
      phrase,
      near,
      tie('expression').map((m) => ({ ...m, query: `(${m.query})` })),
    ),
    all: fc
      .tuple(
        fc.array(tie('atom'), { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(tie('atom'), fc.boolean()), { maxLength: 2 }),
      )
      .map(
        ([members, without]): Meaning => ({
          query: [
            ...members.map((m) => m.query),
            ...without.map(([m, dash]) => (dash ? `-${m.query}` : `NOT ${m.query}`)),
          ].join(' '),
          matches: (t) => members.every((m) => m.matches(t)) && !without.some(([m]) => m.matches(t)),
          positive: true,
        }),
      ),
    any: fc.array(tie('all'), { minLength: 1, maxLength: 3 }).map(
      (members): Meaning => ({
        query: members.map((m) => m.query).join(' OR '),
        matches: (t) => members.some((m) => m.matches(t)),
        positive: true,
      }),
    ),
    expression: fc.oneof({ maxDepth: 2 }, tie('any'), tie('all')),
  }));

  it('finds exactly the matching documents', () => {
    fc.assert(
      fc.property(expression, ({ query, matches }) => {
        const page = search({ query, query_type: 'query_string', to: 10_000 });
        const expected = [...texts.keys()].filter((id) => matches(tokens(id)));
        expect(new Set(ids(page.hits)), query).toEqual(new Set(expected));
        expect(page.total).toBe(expected.length);
      }),
      { numRuns: runs(150) },
    );
  });

  it('orders by filing date, then accession number, then sequence as a number, and cuts pages out of that', () => {
    const rows = submissions.flatMap((s) =>
      s.documents.map((d) => ({ ...s, sequence: d.sequence!, id: `${s.accession}-${d.sequence}` })),
    );
    for (const [query, order] of [
      ['ant', 'desc'],
      ['bee', 'asc'],
      ['cat*', 'desc'],
    ] as const) {
      const expected = rows
        .filter((row) => tokens(row.id).some((w) => (query.endsWith('*') ? w.startsWith('cat') : w === query)))
        .sort((a, b) => {
          if (a.date !== b.date) return (a.date < b.date ? -1 : 1) * (order === 'asc' ? 1 : -1);
          return a.accession === b.accession ? a.sequence - b.sequence : a.accession < b.accession ? -1 : 1;
        })
        .map((row) => row.id);
      const p = { query, query_type: 'query_string', sort_order: order } as const;
      expect(ids(search({ ...p, to: 10_000 }).hits)).toEqual(expected);
      for (const [from, to] of [
        [0, 5],
        [5, 6],
        [7, 31],
        [40, 90],
        [3, 3],
      ] as const) {
        const page = search({ ...p, from, to });
        expect(ids(page.hits)).toEqual(expected.slice(from, to));
        expect(page.total).toBe(expected.length);
      }
    }
  });

  it('orders by score with a total order under it, in pages that fit together', () => {
    const whole = search({ query: 'dog eel', sort_by: '_score', to: 10_000 }).hits;
    for (let i = 1; i < whole.length; i++) {
      const [a, b] = [whole[i - 1]!, whole[i]!];
      expect(a.score! >= b.score!).toBe(true);
      if (a.score === b.score) expect(a.filing_date! >= b.filing_date!).toBe(true);
    }
    const pieces = [0, 3, 6, 9].flatMap(
      (from) => search({ query: 'dog eel', sort_by: '_score', from, to: from + 3 }).hits,
    );
    expect(ids(pieces)).toEqual(ids(whole.slice(0, 12)));
    expect(whole.every((hit) => hit.score! > 0)).toBe(true);
  });

  it('narrows by filing, party, accession number, document type and date', () => {
    const all = search({ query: 'ant OR bee', query_type: 'query_string', to: 10_000 }).hits;
    const narrowed = (p: Omit<FulltextSearchParameters, 'query'>) => {
      const page = search({ query: 'ant OR bee', query_type: 'query_string', to: 10_000, ...p });
      expect(page.total).toBe(page.hits.length);
      return new Set(ids(page.hits));
    };
    const those = (keep: (hit: FulltextHit) => boolean) => new Set(ids(all.filter(keep)));
    expect(narrowed({ ciks: ['2' as never] })).toEqual(those((hit) => hit.ciks.includes('2')));
    expect(narrowed({ entity_query: { ciks: ['3' as never] } })).toEqual(those((hit) => hit.ciks.includes('3')));
    expect(narrowed({ date_from: '2020-03-02', date_to: '2020-03-03' })).toEqual(
      those((hit) => hit.filing_date! >= '2020-03-02' && hit.filing_date! <= '2020-03-03'),
    );
    expect(narrowed({ document_types: ['ex-99*'] })).toEqual(those((hit) => hit.document_type!.startsWith('EX-99')));
    expect(narrowed({ document_types: ['8-k', 'EX-99.2'] })).toEqual(
      those((hit) => ['8-K', 'EX-99.2'].includes(hit.document_type!)),
    );
    expect(narrowed({ form_types: ['10-K'] })).toEqual(new Set());
    const [one] = all;
    expect(narrowed({ accession_numbers: [one!.accession_number] })).toEqual(
      those((hit) => hit.accession_number === one!.accession_number),
    );
    const filer = one!.accession_number.slice(0, 10);
    expect(narrowed({ accession_numbers: [filer, `${filer}-20`] })).toEqual(
      those((hit) => hit.accession_number.startsWith(filer)),
    );
    expect(() => search({ query: 'ant', accession_numbers: ['not a number'] })).toThrow(QueryError);
  });

  it('writes hits by the contract, with the parties of the page each once', () => {
    const page = search({ query: 'ant', include_text: true, to: 50 });
    for (const hit of page.hits) {
      expect(hit.text_content?.trim()).toBe(texts.get(hit.id));
      expect(hit.highlights.join(' ')).toContain('<mark>ant</mark>');
      expect(hit.sics).toEqual(['3571']);
      // The line end before </TEXT> is the document's.
      expect(hit.size).toBe(texts.get(hit.id)!.length + 1);
    }
    expect(page.entities.map((e) => e.cik).sort()).toEqual([...new Set(page.hits.flatMap((hit) => hit.ciks))].sort());
    expect(page.entities[0]!.name).toBe('Some Company');
    expect(search({ query: 'ant', to: 50 }).hits[0]!.text_content).toBeNull();
  });

  it('ends the page before it grows too long', () => {
    const page = search({ query: 'ant', to: 50 });
    const bytes = Buffer.byteLength(JSON.stringify(page.hits.slice(0, 4)));
    const short = catalog.fulltextSearch({ query: 'ant', to: 50 }, { maxBytes: bytes });
    expect([short.hits.length, short.truncated, short.total]).toEqual([4, true, page.total]);
    expect(catalog.fulltextSearch({ query: 'ant', to: 50 }, { maxBytes: 1 }).hits.length).toBe(1);
  });
});

describe('a query', () => {
  const position = (query: string) => {
    try {
      parseQuery(query, 'query_string');
    } catch (error) {
      if (error instanceof QueryError) return [error.position, error.message];
      throw error;
    }
    return 'read';
  };

  it.each([
    ['"risk factors', 0],
    ['risk (factors', 5],
    ['risk factors)', 12],
    ['OR risk', 0],
    ['risk OR', 5],
    ['risk OR OR factors', 8],
    ['risk NOT', 5],
    ['risk - factors', 5],
    ['AND risk', 0],
    ['risk AND', 5],
    ['NOT risk', 0],
    ['-risk -factors', 0],
    ['loss (NOT risk)', 6],
    ['risk r*', 6],
    ['risk *', 5],
    ['ri*sk', 2],
    ['NEAR(risk)', 0],
    ['NEAR(risk factors, 0)', 18],
    ['NEAR(risk factors, 101)', 18],
    ['NEAR(risk factors', 0],
    ['risk ()', 5],
  ])('that is wrong is refused with the place: %s', (query, at) => {
    const refused = position(query);
    expect(refused).not.toBe('read');
    expect(refused[0]).toBe(at);
    expect(refused[1]).toMatch(new RegExp(`^query is invalid at ${at}: `));
  });

  it('without a word is refused as missing', () => {
    for (const type of ['match', 'match_phrase', 'query_string'] as const) {
      for (const query of ['', '  ', '!?', '()"']) expect(() => parseQuery(query, type)).toThrow('query is required');
    }
  });

  it('is never FTS5’s own language', () => {
    const expressions = [
      parseQuery('text: ^risk + {a} "b', 'match').expression,
      parseQuery('text:risk NEAR near AND or', 'query_string').expression,
    ];
    for (const expression of expressions) expect(expression.replace(/"[^"]*"/g, '')).toMatch(/^[ ()ANDORT*]*$/);
  });

  it('of any characters is read or refused, and FTS5 accepts every one that is read', () => {
    const db = new DatabaseSync(':memory:');
    db.exec("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2')");
    const find = db.prepare('SELECT rowid FROM t WHERE t MATCH ?');
    const pieces = fc.constantFrom(
      'a',
      'bc',
      'é',
      '한국',
      '"',
      '(',
      ')',
      '-',
      '*',
      ' ',
      ' OR ',
      ' NOT ',
      ' AND ',
      'NEAR(',
      ', 5)',
      ':',
      '^',
      '中',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 14 }).map((p) => p.join('')),
        (query) => {
          let expression: string;
          try {
            expression = parseQuery(query, 'query_string').expression;
          } catch (error) {
            expect(error).toBeInstanceOf(QueryError);
            return;
          }
          expect(() => find.all(expression), `${query} → ${expression}`).not.toThrow();
        },
      ),
      { numRuns: runs(1_000) },
    );
    const long = Array.from({ length: 660 }, (_, i) => (i % 2 ? 'or' : 'ab')).join(' ');
    expect(() => find.all(parseQuery(long, 'query_string').expression)).not.toThrow();
    expect(() => find.all(parseQuery(`${'('.repeat(20)}ab${')'.repeat(20)}`, 'query_string').expression)).not.toThrow();
    expect(() => parseQuery(`${'('.repeat(21)}ab${')'.repeat(21)}`, 'query_string')).toThrow('nested');
    expect(() => find.all(parseQuery(`ab ${'-cd '.repeat(300)}`, 'query_string').expression)).not.toThrow();
    db.close();
  });
});

describe('words', () => {
  it('are FTS5’s own, for the scripts that filings are written in', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(`CREATE VIRTUAL TABLE t USING fts5(text, tokenize='unicode61 remove_diacritics 2');
             CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')`);
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    const terms = db.prepare('SELECT term FROM v ORDER BY offset');
    const characters = fc
      .oneof(
        fc.integer({ min: 0x20, max: 0x7e }),
        fc.integer({ min: 0xa0, max: 0x17f }),
        fc.integer({ min: 0x391, max: 0x3c9 }).filter((c) => c !== 0x3a2),
        fc.integer({ min: 0x410, max: 0x44f }),
        fc.constantFrom(0x2014, 0x201c, 0x2019, 0x300, 0x301, 0x20ac, 0x4e2d, 0xac00),
      )
      .map((c) => String.fromCodePoint(c));
    fc.assert(
      fc.property(
        fc.array(characters, { maxLength: 30 }).map((c) => `x${c.join('')}`),
        (text) => {
          db.exec('DELETE FROM t');
          insert.run(text);
          const theirs = terms.all().map((row) => row.term);
          expect(wordsOf(text).length).toBe(theirs.length);
        },
      ),
      { numRuns: runs(500) },
    );
    db.close();
  });

  it('keep their place when a text is folded', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }), (units) => {
        const text = String.fromCharCode(...units);
        expect(foldInPlace(text).length).toBe(text.length);
      }),
    );
    expect(foldInPlace('CAFÉ Ærø İstanbul')).toMatch(/^cafe ærø/);
    expect(fold('Éclair')).toBe('eclair');
  });
});

describe('passages', () => {
  const passages = (query: string, text: string) =>
    new PassageFinder(parseQuery(query, 'query_string').marked).passages(text);

  it('mark each matched word, whatever its case and accents, and escape the rest', () => {
    expect(passages('cafe', 'The CAFÉ & <b>bar</b>')).toEqual(['The <mark>CAFÉ</mark> &amp; &lt;b&gt;bar&lt;/b&gt;']);
    expect(passages('"risk factors"', 'our Risk\n  Factors, not risks')).toEqual([
      'our <mark>Risk</mark> <mark>Factors</mark>, not risks',
    ]);
    expect(passages('fact*', 'factory artefact')).toEqual(['<mark>factory</mark> artefact']);
    expect(passages('risk -loss', 'risk loss')).toEqual(['<mark>risk</mark> loss']);
  });

  it('are at most three, of at most 300 characters, from the places with most of the words', () => {
    const filler = 'lorem ipsum dolor '.repeat(40);
    const text = `${filler} alpha ${filler} alpha beta ${filler} beta ${filler} alpha gamma beta ${filler}`;
    const found = passages('alpha beta gamma', text);
    expect(found.length).toBe(3);
    expect(found.at(-1)).toContain('<mark>alpha</mark> <mark>gamma</mark> <mark>beta</mark>');
    for (const passage of found) expect(passage.length).toBeLessThanOrEqual(PASSAGE_LENGTH_MAX);
  });

  it('of one word are those of a search for the word among others', () => {
    const piece = fc.constantFrom(
      'risk',
      'RISK',
      'Rísk',
      'ri\u0301sk',
      'risky',
      'brisk',
      'risk𝔘',
      'risk1',
      ' ',
      '-',
      '’',
      'é',
      '\u0591',
      'x'.repeat(5_000),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        // The second word is never there. It makes the query take the general way.
        expect(passages('risk', text)).toEqual(passages('risk OR zzzzzz', text));
      }),
      { numRuns: runs(300) },
    );
  });

  it('find a phrase anywhere in a long text, once', () => {
    for (let at = 16_384 - 20; at < 16_384 + 6; at++) {
      const text = `${'a '.repeat(at >> 1)}${at % 2 ? 'b' : ''} risk factors ${'c '.repeat(9_000)}`;
      const found = passages('"risk factors"', text);
      expect(found.length, String(at)).toBe(1);
      expect(found[0]).toContain('<mark>risk</mark> <mark>factors</mark>');
      expect(passages('isk', text)).toEqual([]);
    }
  });

  it('hold a matched word and stay within bounds for any text', () => {
    const text = fc.array(
      fc.oneof(fc.constantFrom('risk', ' ', '<', '&', 'é', '\n', '𝔘'), fc.string({ maxLength: 30 })),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = `${pieces.join('')} risk.`;
        const found = passages('risk', whole);
        expect(found.length).toBeGreaterThan(0);
        for (const passage of found) {
          expect(passage.length).toBeLessThanOrEqual(PASSAGE_LENGTH_MAX);
          expect(passage).toMatch(/<mark>/);
          expect(passage.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
