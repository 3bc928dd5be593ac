/** Look-ups on the main thread: the answer is that of a reader thread, and the work has a bound. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
beforeEach(() => nextTurn());
afterAll(() => catalog.close());

function request(operation: QuickRequest['operation'], query: string): QuickRequest {
  return { operation, parameters: readParameters(operation, readQueryString(query), {}) };
}

const NARROW: [QuickRequest['operation'], string][] = [
  ['filing_info', `accession_number=${ANNUAL}`],
  ['document', `accession_number=${ANNUAL}`],
  ['document', `document_id=${OWNERSHIP}-1`],
  ['entity_lookup', 'ciks=100001,100002'],
  ['filing_lookup', 'entity_query.ciks=100001&to=20'],
  ['filing_lookup', 'form_types=10-K&form_types=8-K&to=20&sort_order=asc'],
  ['filing_lookup', 'date_from=2024-04-01&to=100&exclude_amendments=true'],
];

describe('a narrow look-up', () => {
  it.each(NARROW)('%s with %s is answered on the main thread, as a reader thread answers it', (operation, query) => {
    const outcome = quick.answer(request(operation, query));
    const { parameters } = request(operation, query);
    const reader = READER_OPERATIONS[operation] as ReaderOperation<typeof operation>;
    const context = { accept: undefined, takesZstd: false, maxResponseBytes: 1_000_000, ifNoneMatch: undefined };
    const read = reader.answer(parameters, { ...context, headOnly: false, store: catalog, requireLaneFor: () => {} });
    expect({ ...outcome, body: Buffer.from(outcome!.body).toString() }).toEqual({
      ...read,
      body: Buffer.from(read.body).toString(),
    });
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
    expect(quick.answer(request(operation, query))).toBeNull();
    expect(calls).toBe(0);
  });

  it('is ended at its bound, and tried only once with any window', async () => {
    callsPerRow = 100_000;
    try {
      calls = 0;
      const first = quick.answer(request('filing_lookup', 'entity_query.ciks=100002&to=20'));
      expect([first, calls]).toEqual([null, 1]);
      // In a turn of its own: the first one has used its turn up.
      await nextTurn();
      const again = quick.answer(request('filing_lookup', 'entity_query.ciks=100002&from=10&to=30'));
      expect([again, calls]).toEqual([null, 1]);
    } finally {
      callsPerRow = 1;
    }
    // The catalog works as before.
    expect(quick.answer(request('filing_lookup', 'entity_query.ciks=100001&to=20'))).not.toBeNull();
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

describe('the main thread', () => {
  it('does a bounded part of the work in a turn of the event loop', async () => {
    const ask = () => quick.answer(request('filing_info', `accession_number=${ANNUAL}`)) !== null;
    const answered = () => Array.from({ length: 100 }, ask).filter(Boolean).length;
    const first = answered();
    expect(first).toBeGreaterThan(10);
    expect(first).toBeLessThan(65);
    expect(ask()).toBe(false);
    await nextTurn();
    expect(answered()).toBe(first);
  });

  it('leaves look-ups to reader threads for a while if they are slow and read from a disk', async () => {
    const budget = new WorkBudget();
    let reads = 0;
    let workMs = 4;
    const stillWanted = () => {
      budget.spend();
      for (const until = performance.now() + workMs; performance.now() < until; );
    };
    const onDisk = Catalog.open(files.folder, { neverWait: true, stillWanted });
    try {
      const slow = new QuickLookUps(onDisk, budget, 1_000_000, () => ++reads);
      const ask = () => slow.answer(request('filing_lookup', 'form_types=10-K&to=20')) !== null;
      expect(ask()).toBe(true);
      const before = performance.now();
      await nextTurn();
      const again = ask();
      // A machine that stops here for a quarter of a second tries the next one again.
      if (performance.now() - before < 250) expect(again).toBe(false);
      workMs = 0;
      await expect.poll(ask, { interval: 50 }).toBe(true);
    } finally {
      await pause(1);
      onDisk.close();
    }
  });
});
