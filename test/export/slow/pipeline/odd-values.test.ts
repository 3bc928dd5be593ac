/** One odd record never ends a run: any value in a record, or in a header, costs at most that record. */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FilingClient } from '../../../../src/export/client/index.ts';
import { PASSES } from '../../../../src/export/index.ts';
import type { RunReference, WindowRead } from '../../../../src/export/pipeline/index.ts';
import { ENTITIES, FILINGS } from '../../../../src/export/pipeline/lookup/paged-lookups.ts';
import { readPages } from '../../../../src/export/pipeline/lookup/read-pages.ts';
import { PagesReadLast } from '../../../../src/export/pipeline/staging/staged-files.ts';
import type { ExportWindow } from '../../../../src/export/windows/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { StillClock } from '../../../support/client/scripted-service.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { accessionOf, type Oddity, type OddOperation, OddService, WELL_FORMED } from '../../../support/odd-service.ts';
import { oddHeader, oddMemberOf } from '../../../support/odd-values.ts';
import {
  definitionOf,
  fetchDriven,
  openDriven,
  planDriven,
  runOf,
} from '../../../support/pipeline/activity-harness.ts';

const FILED = 40;
/** Oddities of one run: each in the answers about another filing. */
const ODD = 25;
const RUNS = Number(process.env.FILINGLAKE_ODD_RUNS ?? 1);
const TABLES = [
  'filings, documents, parties, sections, items_8k, exhibits_8k, section_contents, document_contents, entities',
].join(', ');
const OF_FILINGS = TABLES.split(', ').filter((table) => table !== 'entities');
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const WINDOW: ExportWindow = { id: 'w', filter: {}, today: '2024-06-30', inexact: null };
const OF_ENTITIES: ExportWindow = { ...WINDOW, id: 'e', of: 'entities' };

let service: OddService;
let expected: Record<string, unknown[]>;
beforeAll(async () => {
  service = await OddService.start(FILED);
  expected = (await exported(new Map())).rows;
});
afterAll(() => service[Symbol.asyncDispose]());

interface Exported {
  rows: Record<string, unknown[]>;
  read: WindowRead;
  readOfEntities: WindowRead;
}

/** A whole export, activity by activity, into a new lake. */
async function exported(oddities: Map<number, Oddity>, envelope: OddService['envelope'] = null): Promise<Exported> {
  service.oddities = oddities;
  service.envelope = envelope;
  const folder = temporaryFolder();
  const lake = await openDriven(folder);
  const clock = new StillClock();
  const client = new FilingClient({ baseUrl: service.url, apiKey: 'key', clock });
  try {
    const more = `documents: { types: [all] }\nservice: { base_url: "${service.url}" }`;
    const run = runOf(definitionOf('odd', TABLES, more), 'r', lake);
    const readOfEntities = await readAndPlan(lake, run, client, OF_ENTITIES);
    const read = await readAndPlan(lake, run, client, WINDOW);
    for (const pass of PASSES) await fetchDriven(lake, run, pass, await lake.currentVersion(), client);
    expect((await checkLake(lake)).problems).toEqual([]);
    for (const waitMs of clock.waits) expect(waitMs).toBeLessThanOrEqual(62 * 86_400_000);
    return { rows: await rowsOf(lake), read, readOfEntities };
  } finally {
    await client.close();
    await lake.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readAndPlan(lake: Lake, run: RunReference, client: FilingClient, window: ExportWindow) {
  const reader = { lake, run, client, pages: new PagesReadLast() };
  const read = window.of ? await readPages(reader, window, ENTITIES) : await readPages(reader, window, FILINGS);
  const { id, of } = window;
  // No record of that of the entities: this one is of no query that a check could repeat.
  const record = of ? null : { window, read };
  if (read.split === null)
    await planDriven(lake, run, { window: id, pages: read.pages, record, ...(of ? { of } : {}) });
  return read;
}

async function rowsOf(lake: Lake): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of OF_FILINGS) rows[table] = await lake.query(`SELECT * FROM ${table} ORDER BY ALL`);
  for (const table of ['entity_tickers', 'entity_addresses'])
    rows[table] = await lake.query(`SELECT * FROM ${table} ORDER BY ALL`);
  for (const table of ['entities', 'coverage'])
    rows[table] = await lake.query(`SELECT * EXCLUDE (fetched_at) FROM ${table} ORDER BY ALL`);
  rows.export_failures = await lake.query('SELECT step, subject, accession_number, code FROM export_failures');
  return rows;
}

const arrangement = (operations: readonly OddOperation[]) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: FILED }), { minLength: ODD, maxLength: ODD })
    .chain((numbers) =>
      fc
        .tuple(...numbers.map(() => oddityOf(operations)))
        .map((oddities) => new Map(oddities.map((oddity, i) => [numbers[i]!, oddity]))),
    );

function oddityOf(operations: readonly OddOperation[]): fc.Arbitrary<Oddity> {
  return fc
    .constantFrom(...operations)
    .chain((operation) => oddMemberOf(WELL_FORMED[operation]).map((member) => ({ operation, member })));
}

/** What ended runs once, or was written as something else. */
const KNOWN: Record<OddOperation, readonly [path: string, text: string][]> = {
  filing_lookup: [
    ['acceptance_datetime', '"2024-03-01T10:00:00+24:30"'],
    ['entity_name', DEEP],
    ['size', DEEP],
    ['documents.0.sequence', '{"toString":1,"valueOf":null}'],
  ],
  entity_lookup: [
    ['addresses', '{"__proto__":{"zip":1e400}}'],
    ['fiscal_year_end', '1e400'],
    ['tickers', DEEP],
  ],
  filing_info: [
    ['acceptance_datetime', '"2024-03-01T10:00:00+24:30"'],
    ['parties.0.sic', DEEP],
    ['items_8k.0.item', '1e400'],
  ],
  filing_sections: [['sections.0.html', DEEP]],
  document: [
    ['content', DEEP],
    ['content', '{"toString":1}'],
    ['sequence', DEEP],
  ],
};

function knownOf(operation: OddOperation): Map<number, Oddity> {
  const oddities = KNOWN[operation].map(([path, text], i): [number, Oddity] => {
    // Only every second filing has sections.
    return [2 * i + 2, { operation, member: { path: path.split('.'), how: 'replace', text, name: '' } }];
  });
  return new Map(oddities);
}

const isAbout = (row: unknown, numbers: readonly number[]) => {
  const { accession_number: number, cik } = row as { accession_number?: string; cik?: string };
  return numbers.some((n) => (number === undefined ? cik === String(n) : number === accessionOf(n)));
};

/** Filings without an oddity have the same rows as without any oddities. */
function expectOthersWhole({ rows }: Exported, odd: readonly number[]): void {
  for (const [table, wanted] of Object.entries(expected)) {
    if (table === 'export_failures') continue;
    const others = rows[table]!.filter((row) => !isAbout(row, odd));
    const known = others.filter((row) => isAbout(row, everyNumber));
    expect(known, table).toEqual(wanted.filter((row) => !isAbout(row, odd)));
  }
}
const everyNumber = Array.from({ length: FILED }, (_, i) => i + 1);

/** An odd filing has its row, or a failure that explains its absence. */
function expectNothingSilent({ rows, read }: Exported, odd: readonly number[]): void {
  const failures = rows.export_failures as { accession_number: string | null; step: string; subject: string }[];
  const missing = odd.filter((n) => !rows.filings!.some((row) => isAbout(row, [n])));
  const named = missing.filter((n) => failures.some((failure) => failure.subject === accessionOf(n)));
  if (missing.length > named.length) {
    const unidentified = failures.filter(({ accession_number }) => accession_number === null);
    expect(unidentified.length, JSON.stringify(failures)).toBeGreaterThan(0);
    expect(read.proven).toBe(false);
  }
}

describe('odd values', () => {
  it.each<[OddOperation]>([['filing_lookup'], ['filing_info'], ['filing_sections'], ['document'], ['entity_lookup']])(
    'in the records of %s cost those records, and no others',
    async (operation) => {
      await fc.assert(
        fc.asyncProperty(arrangement([operation]), async (oddities) => {
          const result = await exported(oddities);
          const odd = [...oddities.keys()];
          expectOthersWhole(result, odd);
          expectNothingSilent(result, odd);
        }),
        { numRuns: RUNS, examples: [[knownOf(operation)]] },
      );
    },
    900_000,
  );

  it('in the headers about a record cost that record, and no others', async () => {
    // The reader of HTTP gives no code for some of them.
    const oddLength = (text: string): Oddity => ({ operation: 'document', header: ['Content-Length', text] });
    const header = fc
      .constantFrom<OddOperation>('filing_info', 'filing_sections', 'document')
      .chain((operation) => oddHeader.map((value): Oddity => ({ operation, header: value })));
    const some = fc.uniqueArray(fc.integer({ min: 1, max: FILED }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(some, fc.array(header, { minLength: 3, maxLength: 3 }), async (odd, headers) => {
        const result = await exported(new Map(odd.map((n, i) => [n, headers[i]!])));
        expectOthersWhole(result, odd);
      }),
      {
        // One of them is the example.
        numRuns: RUNS + 1,
        examples: [[[1, 2, 3], ['-1', 'abc', '5, 10'].map(oddLength)]],
      },
    );
  }, 900_000);

  it('around the records of a lookup cost no record that came', async () => {
    const member = oddMemberOf({ count: 1, filings: '', truncated: false });
    await fc.assert(
      fc.asyncProperty(member, async (odd) => {
        service.oddities = new Map();
        service.envelope = odd;
        const lake = await openDriven();
        const client = new FilingClient({ baseUrl: service.url, apiKey: 'key', clock: new StillClock() });
        const more = `service: { base_url: "${service.url}" }`;
        const read = await readAndPlan(lake, runOf(definitionOf('odd', 'filings', more), 'r', lake), client, WINDOW);
        await client.close();
        const filings = await lake.query('SELECT accession_number FROM filings');
        await lake.close();
        // A count of more than can be read is believed: the window is cut.
        if (read.split !== null) return;
        const isOfMember = odd.path[0] === 'count' || odd.path[0] === 'truncated';
        if (isOfMember || read.proven) expect(filings).toHaveLength(FILED);
      }),
      { numRuns: RUNS * 10 },
    );
  }, 900_000);
});
