/** A small quota makes whole filings, newest first; in the order `breadth`, one kind of request for all of them. */
import { describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { PASSES } from '../../../../src/export/index.ts';
import {
  commitBatches,
  fetchBatch,
  openRun,
  PlansReadLast,
  planWindows,
  type RunReference,
  readWindows,
} from '../../../../src/export/pipeline/index.ts';
import { firstWindows } from '../../../../src/export/windows/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { dependenciesOf, jobOf, runOf } from '../../../support/pipeline/activity-harness.ts';
import { BudgetAlone } from '../../../support/pipeline/budget-alone.ts';
import { ChangingService, heldFiling } from '../../../support/pipeline/changing-service.ts';

const FILINGS = 201;
const DAY_MS = 86_400_000;
const dateOf = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * DAY_MS).toISOString().slice(0, 10);

/** A run up to its first stop: how many filings have how many steps, besides the lookup's. */
async function stopped(
  tables: string,
  {
    left = null as number | null,
    more = '',
    connections = 4,
    namesDocuments = true,
    select = 'date_to: 2024-12-31',
  } = {},
) {
  // The number of a filing is its age: the service lists the oldest first, as it is asked to.
  const held = Array.from({ length: FILINGS }, (_, i) => heldFiling(i + 1, { filing_date: dateOf(i) }));
  await using service = await ChangingService.start(...held);
  await using lake = await openLake(temporaryFolder(), { create: true });
  const yaml = `name: e\nselect: { ${select} }\nservice: { base_url: '${service.url}/v2', connections: ${connections} }\ntables: [${tables}]\n${more}`;
  const { definition } = parseExportDefinition(yaml, 'e.yaml', {});
  const run: RunReference = { ...runOf(definition, 'r', lake), definition, started_at: '2024-12-31T00:00:00Z' };
  const plans = new PlansReadLast();
  const budget = Object.assign(new BudgetAlone(), {
    leave: async () => {},
    block: async () => {},
    unblock: async () => {},
  });
  const shared = { budget, plans, apiKey: 'key', leaving: new AbortController().signal, batchMs: 60_000 };
  const job = () => dependenciesOf(lake, { ...shared, ...jobOf() });
  await openRun(job(), run);
  service.left = left;
  service.namesDocuments = namesDocuments;
  const [window] = firstWindows(definition, '2024-12-31');
  const [read] = (await readWindows(job(), { run, unread: [window!] })).reads;
  const record = { window: window!, read: read! };
  const planned = await planWindows(job(), {
    run,
    batch_id: 'plan',
    windows: [{ window: window!.id, ...(window!.of && { of: window!.of }), pages: read!.pages, plan: 1, record }],
  });
  const { base_version } = planned.windows[0]!;
  for (const pass of PASSES) {
    const batch_id = `batch-${pass}`;
    const fetched = await fetchBatch(job(), {
      run,
      window: window!.id,
      plan: 1,
      pass,
      batch_id,
      from: 0,
      record_refusals: false,
    });
    await commitBatches(job(), { run, base_version, batches: [{ batch_id, segments: fetched.segments }] });
    if (fetched.stop !== null) break;
  }
  const rows = await lake.query(
    `SELECT f.filing_date::VARCHAR AS day, count(*)::INTEGER AS steps FROM coverage c JOIN filings f USING (accession_number)
     WHERE c.step <> 'filing' GROUP BY ALL ORDER BY day DESC`,
    { tables: ['coverage', 'filings'] },
  );
  return { steps: rows.map(({ day, steps }) => [String(day), Number(steps)] as const), asked: service.asked };
}

const newest = (n: number, steps: number) =>
  Array.from({ length: n }, (_, i) => [dateOf(FILINGS - 1 - i), steps] as const);

describe('a month of 100 requests and 201 filings of two requests each', () => {
  it('makes 49 whole filings, the newest', async () => {
    const { steps, asked } = await stopped('filings, parties, section_contents', { left: 100 });
    expect(asked.filter((one) => one === 'filing_lookup')).toHaveLength(1);
    expect(steps.filter(([, n]) => n === 2)).toEqual(newest(49, 2));
    expect(steps.length).toBeLessThanOrEqual(50);
    expect(asked).toHaveLength(100);
  });

  it('makes none in the order breadth', async () => {
    const more = 'budget: { order: breadth }';
    const { steps } = await stopped('filings, parties, section_contents', { left: 100, more });
    expect(steps).toEqual(newest(99, 1));
  });

  it("makes as many with a budget of the run's own", async () => {
    const more = 'budget: { max_requests: 100 }';
    const { steps } = await stopped('filings, parties, section_contents', { more });
    expect(steps.filter(([, n]) => n === 2)).toEqual(newest(49, 2));
  });

  it('wastes nothing if a filing needs more than is left', async () => {
    const { steps, asked } = await stopped('filings, parties, section_contents, document_contents', { left: 4 });
    expect(asked).toHaveLength(4);
    expect(steps).toEqual(newest(1, 3));
  });
});

const { accession_number } = heldFiling(FILINGS).filing;
it.each([
  ['found by a lookup', 'date_to: 2024-12-31', ['filing_lookup']],
  ['listed by its number', `accession_numbers: [${accession_number}]`, []],
])(
  'keeps sections and documents of a filing %s of which only filing_info names documents, and that needs more than is left',
  async (_, select, before) => {
    const asked = [...before, 'filing_info', 'filing_sections', 'document'];
    const stop = await stopped('filings, section_contents, document_contents', {
      left: asked.length,
      connections: 1,
      namesDocuments: false,
      more: 'documents: { types: [all] }',
      select,
    });
    expect(stop.asked.map((one) => one.split(' ')[0])).toEqual(asked);
    // Not filing_info: its row would stand for all documents.
    expect(stop.steps).toEqual(newest(1, 2));
  },
);

it('fetches every filing with all its steps without a quota', async () => {
  const { steps } = await stopped('filings, parties, section_contents');
  expect(steps).toEqual(newest(FILINGS, 2));
});
