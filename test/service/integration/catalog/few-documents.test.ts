/** A search within a few companies gives the same hits, scores and order by a list of their documents as by looking at each hit's filing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../src/core/index.ts';
import type { Cik, FulltextSearchParameters } from '../../../../src/filings/api/index.ts';
import { parseQuery } from '../../../../src/service/catalog/fulltext/query.ts';
import { Catalog } from '../../../../src/service/catalog/index.ts';
import { withFewDocuments } from '../../../../src/service/catalog/queries/few-documents.ts';
import {
  countHits,
  documentConditions,
  hitSource,
  hitsByDate,
  hitsByScore,
} from '../../../../src/service/catalog/queries/fulltext-hits.ts';
import { Statements } from '../../../../src/service/catalog/rows/statements.ts';
import {
  DOCUMENTS_A_DAY,
  FILINGS_A_DAY,
  openToRead,
  openToWrite,
} from '../../../../src/service/catalog/store/schema.ts';
import { temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';
import { seeded } from '../../../support/seeded-chance.ts';

const folder = temporaryFolder();
const DAYS = 30;
const DOCUMENTS_OF_A_DAY = 100;
const DOCUMENTS = DAYS * DOCUMENTS_OF_A_DAY;
const FIRST = dayNumber('2020-01-01');
/** Company 5 has a filing in 1,500, company 1 one in 600, company 2 one in 200, company 3 one in 20, company 4 all the others. */
const companyOf = (n: number) => (n % 1_500 === 0 ? 5 : n % 600 === 0 ? 1 : n % 200 === 0 ? 2 : n % 20 === 0 ? 3 : 4);
let statements: Statements;
let close: () => void;

/** Word `wN` is in each N-th text. Two filings in three have two documents. */
beforeAll(() => {
  const db = openToWrite(folder);
  const filing = db.prepare(
    `INSERT INTO filings (id, accession, form_type, form_key, amendment, filing_date, size, dialect, corrected, has_series, sha256)
     VALUES (?, ?, ?, ?, 0, ?, 1, 'txt', 0, 0, zeroblob(32))`,
  );
  const document = db.prepare(
    `INSERT INTO documents (id, filing, sequence, type, type_key, content_type, size, sha256, pack, offset, length, searched, text_offset, text_length)
     VALUES (?, ?, ?, ?, ?, 'text/plain', 1, zeroblob(32), 1, 0, 0, 1, 0, 0)`,
  );
  const party = db.prepare("INSERT INTO filing_parties VALUES (?, ?, 'filer', ?, '1000')");
  const entity = db.prepare("INSERT INTO entities VALUES (?, ?, '1000', 'DE', 'operating', '{}', '{}')");
  const item = db.prepare('INSERT INTO filing_items VALUES (?, ?)');
  const text = db.prepare('INSERT INTO document_texts (rowid, text) VALUES (?, ?)');
  for (const statement of [text, entity]) statement.setReadBigInts(true);
  db.exec('BEGIN');
  for (const cik of [1, 2, 3, 4, 5]) entity.run(cik, `COMPANY ${cik}`);
  for (let n = 1; n <= DOCUMENTS; n++) {
    const day = FIRST + Math.floor((n - 1) / DOCUMENTS_OF_A_DAY);
    const [form, date] = [n % 3 === 0 ? '10-K' : '8-K', new Date(day * 86_400_000).toISOString().slice(0, 10)];
    const id = day * FILINGS_A_DAY + n;
    // Accession numbers do not grow as ids do.
    filing.run(id, String((n * 7_919) % 99_991).padStart(20, '0'), form, form, date);
    party.run(id, 1, companyOf(n));
    // A filing of two companies is found once.
    if (n % 7 === 0) party.run(id, 2, 1 + (n % 3));
    if (n % 40 === 0) item.run('2.02', id);
    for (const sequence of n % 3 === 0 ? [1] : [1, 2]) {
      const of = day * DOCUMENTS_A_DAY + n * 2 + sequence;
      document.run(of, id, sequence, sequence === 1 ? form : 'EX-99', sequence === 1 ? form : 'EX-99');
      const words = Array.from({ length: 12 }, (_, k) => (n % (k + 1) === 0 ? `w${k + 1}` : `zz${n % 999}`));
      text.run(of, `${words.join(' ')} w1 w2x ${'w1 '.repeat(n % 5)}`);
    }
  }
  db.exec('COMMIT');
  db.close();
  const reading = openToRead(folder);
  statements = new Statements(reading);
  close = () => reading.close();
});
afterAll(() => close());

function randomSearch(random: () => number): FulltextSearchParameters {
  const pick = (count: number) => Math.floor(random() * count);
  const word = () =>
    ['w1', 'w2', 'w3', `w${pick(12)}`, `zz${pick(999)}`, 'w1*', '"w1 w2x"', 'NEAR(w1 w2x, 3)'][pick(8)]!;
  const words = Array.from({ length: 1 + pick(3) }, word);
  const without = pick(4) === 0 ? ` -w${1 + pick(12)}` : '';
  const company = 1 + pick(5);
  const filters: FulltextSearchParameters[] = [
    { ciks: [String(company) as Cik] },
    { ciks: [String(company), '3'] as Cik[], form_types: ['10-K'] },
    { entity_query: { name_includes: [`company ${company}`] } },
    {
      accession_numbers: [
        String((pick(DOCUMENTS) * 7_919) % 99_991)
          .padStart(20, '0')
          .slice(2),
      ],
    },
    { items: ['2.02'], document_types: ['EX*'] },
  ];
  return {
    query: words.join(pick(2) === 0 ? ' OR ' : ' ') + without,
    query_type: 'query_string',
    ...filters[pick(filters.length)]!,
    ...(pick(3) === 0 ? { date_from: `2020-01-${10 + pick(19)}` } : {}),
    ...(pick(4) === 0 ? { date_to: `2020-01-${10 + pick(19)}` } : {}),
  };
}

describe('a search within few documents', () => {
  it('has the hits, scores and order of the same search without the list: 200 random searches', () => {
    const random = seeded(11);
    const ways = { plain: 0, listed: 0, 'starts from the list': 0 };
    let hits = 0;
    for (let i = 0; i < 200; i++) {
      const p = randomSearch(random);
      const { expression } = parseQuery(p.query!, p.query_type);
      const [from, order] = [Math.floor(random() * 30), random() < 0.5 ? 'asc' : 'desc'] as const;
      statements.snapshot(() => {
        const plain = documentConditions(p, statements);
        const few = withFewDocuments(statements, expression, plain);
        ways[few.few === null ? 'plain' : few.few.isFewerThanHits ? 'starts from the list' : 'listed']++;
        const [all, some] = [plain, few].map((where) => {
          const { sql, values, id } = hitSource(expression, where, false);
          const ids = statements.prepareArrays(`SELECT ${id} FROM ${sql} ORDER BY ${id} DESC`).all(...values);
          return {
            ids,
            count: countHits(statements, expression, where),
            byDate: hitsByDate(statements, expression, where, order, from, from + 20),
            byScore: hitsByScore(statements, expression, where, order, from, from + 20),
          };
        });
        expect(some, JSON.stringify(p)).toEqual(all);
        expect(all!.ids).toHaveLength(all!.count);
        hits += all!.count;
      });
    }
    expect(Math.min(...Object.values(ways)), JSON.stringify(ways)).toBeGreaterThan(15);
    expect(hits).toBeGreaterThan(5_000);
  });

  it('sees what is committed between two searches', () => {
    const catalog = Catalog.open(folder);
    const search = () => catalog.searchFacets({ query: 'w1', ciks: ['1'] as Cik[] }).hits;
    const before = search();
    const db = openToWrite(folder);
    const day = FIRST + DAYS;
    db.exec(`INSERT INTO filings SELECT ${day * FILINGS_A_DAY + 1}, 'new', form_type, form_key, amendment, '2020-02-01', acceptance, size, name_key,
      dialect, corrected, has_series, sha256, readers FROM filings LIMIT 1`);
    db.exec(`INSERT INTO documents SELECT ${day * DOCUMENTS_A_DAY + 1}, ${day * FILINGS_A_DAY + 1}, sequence, type, type_key, filename, description,
      content_type, size, sha256, pack, offset, length, searched, text_offset, text_length FROM documents LIMIT 1`);
    db.exec(`INSERT INTO filing_parties VALUES (${day * FILINGS_A_DAY + 1}, 1, 'filer', 1, '1000')`);
    db.exec(`INSERT INTO document_texts (rowid, text) VALUES (${day * DOCUMENTS_A_DAY + 1}, 'w1')`);
    db.close();
    expect(search()).toBe(before + 1);
    catalog.close();
  });

  it('does not read all hits of a common word', () => {
    let calls = 0;
    const counting = Catalog.open(folder, { stillWanted: () => void calls++ });
    const callsOf = (cik: string) => {
      calls = 0;
      counting.searchFacets({ query: 'w1', ciks: [cik as Cik] });
      return calls;
    };
    // For each sixteenth row: of those that tell how common the word is, and of the company's own.
    expect(callsOf('5')).toBeLessThan(callsOf('4') / 2);
    counting.close();
  });
});
