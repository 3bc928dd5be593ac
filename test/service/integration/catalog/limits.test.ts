import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cik, MAX_ARRAY_VALUES } from '../../../../src/filings/api/index.ts';
import { Catalog, ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder, txtOf } from '../../../support/catalog/synthetic-filings.ts';

let catalog: Catalog;
beforeAll(async () => {
  const folder = temporaryFolder();
  const submission = txtOf({
    accession: '0000000001-20-000001',
    form: '8-K',
    date: '2020-01-02',
    items: ['Other Events'],
    parties: [{ cik: '1', name: 'Acme Widgets & Gadgets Inc', sic: '7372', state: 'DE' }],
    documents: [{ type: '8-K', filename: 'a.txt', content: 'widgets and gadgets' }],
  });
  writeFileSync(join(folder, 'a.txt'), submission);
  await ingest([join(folder, 'a.txt')], join(folder, 'catalog'), { threads: 0 });
  catalog = Catalog.open(join(folder, 'catalog'));
});
afterAll(() => catalog.close());

const many = (make: (i: number) => string, last: string) => [
  ...Array.from({ length: MAX_ARRAY_VALUES - 1 }, (_, i) => make(i)),
  last,
];
/** Each array of the contract at its limit, with one value that the filing has. */
const ENTITY = {
  ciks: many((i) => String(i + 2), '1') as Cik[],
  sics: many((i) => String(i + 1), '7372'),
  states: many(() => 'NY', 'DE'),
  name_includes: many((i) => ['ACME', 'widgets', 'a', '&'][i % 4]!, 'inc'),
  name_excludes: many((i) => `no such name ${i}`, 'nor this'),
  entity_types: many(() => 'OTHER', 'OPERATING') as ('OTHER' | 'OPERATING')[],
};
const OF_THE_FILING = {
  form_types: many((i) => `FORM ${i}`, '8-K'),
  excluded_form_types: many((i) => `FORM ${i}`, '10-K'),
};
const accession_numbers = many((i) => `0000000002-20-${String(i).padStart(6, '0')}`, '0000000001');

describe('an array with as many values as the contract allows', () => {
  it.each(Object.keys(ENTITY))('entity_lookup by %s', (name) => {
    const filter = { [name]: ENTITY[name as keyof typeof ENTITY] };
    expect(catalog.entityLookup(filter).count).toBe(1);
    expect(catalog.filingLookup({ entity_query: filter }).count).toBe(1);
  });

  it('all of entity_lookup and filing_lookup at once', () => {
    expect(catalog.entityLookup(ENTITY).count).toBe(1);
    const tickers = { tickers: many((i) => `T${i}`, 'ACME') };
    expect(catalog.entityLookup({ ...ENTITY, ...tickers }).count).toBe(0);
    expect(catalog.filingLookup({ entity_query: ENTITY, ...OF_THE_FILING }).count).toBe(1);
    const items = many((i) => `1.${i}`, '8.01');
    expect(catalog.filingLookup({ entity_query: ENTITY, ...OF_THE_FILING, items }).count).toBe(1);
  });

  it.each([
    ['whole', many((i) => `EX-${i}`, '8-K')],
    ['beginnings', many((i) => `EX-${i}*`, '8*')],
  ])('fulltext_search by document types: %s, alone and with all others', (_name, document_types) => {
    expect(catalog.fulltextSearch({ query: 'widgets', document_types }).total).toBe(1);
    const all = { document_types, accession_numbers, entity_query: ENTITY, ciks: ENTITY.ciks, ...OF_THE_FILING };
    expect(catalog.fulltextSearch({ query: 'widgets', ...all }).total).toBe(1);
    expect(catalog.fulltextSearch({ query: 'widgets', sort_by: '_score', ...all }).hits).toHaveLength(1);
  });

  it.each(['a ', '"a b" ', 'ab* ', '-a b ', '(a OR b) '])('fulltext_search for 2,000 characters of `%s`', (piece) => {
    const query = `gadgets OR ${piece.repeat(Math.floor(1_980 / piece.length))}`;
    const ask = () => catalog.fulltextSearch({ query, query_type: 'query_string' });
    try {
      expect(ask().total).toBe(1);
    } catch (error) {
      expect(error).toMatchObject({ code: 'query-invalid' });
    }
  });
});
