/** Look-ups on the main thread: the answer is that of a reader thread, and the work has a bound. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/service/catalog/index.ts';
import { READER_OPERATIONS } from '../../../src/service/operations/index.ts';
import type { ReaderOperation } from '../../../src/service/operations/operation.ts';
import { QuickLookUps, type QuickRequest } from '../../../src/service/readers/quick-look-ups.ts';
import { TooManyRows, WorkBudget } from '../../../src/service/readers/work-budget.ts';
import { readParameters } from '../../../src/service/requests/parameters.ts';
import { readQueryString } from '../../../src/service/requests/query-string.ts';
import { ANNUAL, makeSmallCatalog, OWNERSHIP, type SmallCatalog } from '../../support/service/small-catalog.ts';

let files: SmallCatalog;
let catalog: Catalog;
let quick: QuickLookUps;
/** How often the catalog calls for each row of a filter */
let callsPerRow = 1;
let calls = 0;
beforeAll(async () => {
  files = await makeSmallCatalog(40);
  const budget = new WorkBudget();
  const stillWanted = () => {
    calls++;
    for (let i = 0; i < callsPerRow; i++) budget.spend();
  };
  catalog = Catalog.open(files.folder, { neverWait: true, stillWanted });
  quick = new QuickLookUps(catalog, budget, 1_000_000);
});
afterAll(() => {
  catalog.close();
  files.remove();
});

function request(operation: QuickRequest['operation'], query: string): QuickRequest {
  return { operation, parameters: readParameters(operation, readQueryString(query), {}) };
}

const NARROW: [QuickRequest['operation'], string][] = [
  ['document', `accession_number=${ANNUAL}`],
  ['document', `document_id=${OWNERSHIP}-1`],
  ['entity_lookup', 'ciks=100001,100002'],
  ['filing_lookup', 'entity_query.ciks=100001&to=20'],
  ['filing_lookup', 'form_types=10-K&form_types=8-K&to=20&sort_order=asc'],
  ['filing_lookup', 'date_from=2024-04-01&to=100&exclude_amendments=true'],
];

describe('a narrow look-up', () => {
  it.each(NARROW)('%s with %s is answered on the main thread, as a reader thread answers it', (operation, query) => {
    const { outcome, units } = quick.answer(request(operation, query));
    const { parameters } = request(operation, query);
    const reader = READER_OPERATIONS[operation] as ReaderOperation<typeof operation>;
    const context = { accept: undefined, takesZstd: false, maxResponseBytes: 1_000_000, ifNoneMatch: undefined };
    const read = reader.answer(parameters, { ...context, headOnly: false, store: catalog, requireLaneFor: () => {} });
    expect({ ...outcome, body: Buffer.from(outcome!.body).toString() }).toEqual({
      ...read,
      body: Buffer.from(read.body).toString(),
    });
    expect(units).toBeLessThan(64);
  });
});

describe('a look-up that may be long', () => {
  it.each<[QuickRequest['operation'], string]>([
    ['document', `document_id=${OWNERSHIP}-1&output_format=json`],
    ['entity_lookup', 'name_includes=widget'],
    ['entity_lookup', `ciks=${Array.from({ length: 11 }, (_, i) => i + 1).join(',')}`],
    ['filing_lookup', 'form_types=10-K'],
    ['filing_lookup', 'form_types=10-K&to=101'],
    ['filing_lookup', 'form_types=10-K&to=20&sort_by=size'],
    ['filing_lookup', 'to=20'],
    ['filing_lookup', 'items=2.02&to=20'],
    ['filing_lookup', 'excluded_form_types=4&to=20'],
    ['filing_lookup', 'entity_query.states=DE&to=20'],
  ])('%s with %s is left to a reader thread without any work', (operation, query) => {
    calls = 0;
    expect(quick.answer(request(operation, query))).toEqual({ outcome: null, units: 1 });
    expect(calls).toBe(0);
  });

  it('is ended at its bound, and tried only once with any window', () => {
    callsPerRow = 100_000;
    try {
      calls = 0;
      const { outcome, units } = quick.answer(request('filing_lookup', 'entity_query.ciks=100002&to=20'));
      expect([outcome, calls]).toEqual([null, 1]);
      expect(units).toBeGreaterThan(4);
      const again = quick.answer(request('filing_lookup', 'entity_query.ciks=100002&from=10&to=30'));
      expect([again, calls]).toEqual([{ outcome: null, units: 1 }, 1]);
    } finally {
      callsPerRow = 1;
    }
    // The catalog works as before.
    expect(quick.answer(request('filing_lookup', 'entity_query.ciks=100001&to=20')).outcome).not.toBeNull();
  });

  it('has a budget of its own', () => {
    const budget = new WorkBudget();
    const spend = (times: number) => () => {
      for (let i = 0; i < times; i++) budget.spend();
    };
    budget.within(2, spend(2));
    expect(budget.spent).toBe(2);
    expect(() => budget.within(2, spend(3))).toThrow(TooManyRows);
    budget.within(2, spend(2));
    // Other reads of the same catalog have no bound.
    spend(10)();
  });
});
