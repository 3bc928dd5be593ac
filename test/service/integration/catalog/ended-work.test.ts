/** Work that is ended half-way leaves nothing behind: the next caller of the same look-up gets its answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSample } from '../../../../src/cli/sample/index.ts';
import { Catalog, ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';

class Ended extends Error {}
const folder = temporaryFolder();
let catalog: Catalog;
/** How many more times the work is wanted when asked */
let wanted = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  await writeSample({ out: `${folder}/files`, filings: 300, seed: 3 });
  await ingest([`${folder}/files`], `${folder}/catalog`);
  catalog = Catalog.open(`${folder}/catalog`, {
    stillWanted: () => {
      if (--wanted < 0) throw new Ended();
    },
  });
});
afterAll(() => catalog.close());

const LOOK_UPS: Record<string, () => unknown> = {
  filing_lookup: () => catalog.filingLookup({ date_from: '1990-01-01', to: 300 }),
  entity_lookup: () => catalog.entityLookup({ name_excludes: ['nothing'], to: 300 }),
  fulltext_search: () => catalog.fulltextSearch({ query: 'the', to: 50 }),
  'fulltext_search by score': () => catalog.fulltextSearch({ query: 'the', sort_by: '_score', to: 50 }),
};

describe.each(Object.entries(LOOK_UPS))('%s', (_name, lookUp) => {
  it('answers as before, wherever the look-up before it was ended', () => {
    const expected = JSON.stringify(lookUp());
    let isEnded = true;
    for (let times = 0; isEnded; times = Math.ceil((times + 1) * 1.5)) {
      wanted = times;
      isEnded = false;
      try {
        lookUp();
      } catch (error) {
        expect(error).toBeInstanceOf(Ended);
        isEnded = true;
      }
      wanted = Number.POSITIVE_INFINITY;
      expect(JSON.stringify(lookUp())).toBe(expected);
    }
  });
});
