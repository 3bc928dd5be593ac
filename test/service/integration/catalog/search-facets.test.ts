/** Forms, years and companies of a search: what the hits themselves say. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSample } from '../../../../src/cli/sample/index.ts';
import type { FulltextSearchParameters } from '../../../../src/filings/api/index.ts';
import { Catalog, type FacetValue, ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';

const folder = temporaryFolder();
let catalog: Catalog;
beforeAll(async () => {
  await writeSample({ out: `${folder}/files`, filings: 300, seed: 3 });
  await ingest([`${folder}/files`], `${folder}/catalog`);
  catalog = Catalog.open(`${folder}/catalog`);
});
afterAll(() => catalog.close());

function counted(values: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(values, (value) => value)].map(([value, { length }]) => [value, length]));
}
const asMap = (facet: readonly FacetValue[]) => new Map(facet.map(({ value, count }) => [value, count]));

describe('facets', () => {
  it.each<FulltextSearchParameters>([
    { query: 'the' },
    { query: 'stock' },
    { query: 'the', form_types: ['10-K', '4'] },
    { query: 'the of', date_from: '2012-01-01', date_to: '2016-06-30' },
    { query: 'of the', query_type: 'match_phrase', exclude_amendments: true },
    { query: 'nothing-like-this' },
  ])('count the hits of %j', (parameters) => {
    const { hits, total } = catalog.fulltextSearch({ ...parameters, to: 10_000 });
    const facets = catalog.searchFacets(parameters);
    expect(hits).toHaveLength(total);
    expect([facets.hits, facets.isWhole]).toEqual([total, true]);
    const years = counted(hits.map(({ filing_date }) => filing_date!.slice(0, 4)));
    expect(asMap(facets.years)).toEqual(years);
    for (const [facet, all] of [
      [facets.forms, counted(hits.map(({ form_type }) => form_type!))],
      [facets.companies, counted(hits.flatMap(({ ciks }) => ciks))],
    ] as const) {
      // The largest, largest first.
      expect(facet.map(({ count }) => count)).toEqual([...all.values()].sort((a, b) => b - a).slice(0, 8));
      for (const { value, count } of facet) expect([value, count]).toEqual([value, all.get(value)]);
    }
  });

  it('lead to as many hits as they say', () => {
    const facets = catalog.searchFacets({ query: 'stock' });
    const found = (more: FulltextSearchParameters) => catalog.fulltextSearch({ query: 'stock', to: 0, ...more }).total;
    expect(facets.forms.length * facets.companies.length * facets.years.length).toBeGreaterThan(0);
    for (const { value, count } of facets.forms) expect(found({ form_types: [value] })).toBe(count);
    for (const { value, count } of facets.companies) expect(found({ ciks: [value] as never })).toBe(count);
    for (const { value, count } of facets.years)
      expect(found({ date_from: `${value}-01-01`, date_to: `${value}-12-31` })).toBe(count);
  });
});
