/**
 * Planning a window of many filings with many documents each: peak memory and CPU of the plan, of reading its work list, and of the
 * plan of a second run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseExportDefinition } from '../src/export/definition/parse.ts';
import { planWindows } from '../src/export/pipeline/plan/plan-windows.ts';
import { PagesReadLast, PlansReadLast, stagePage } from '../src/export/pipeline/staging/staged-files.ts';
import { WorkQueue } from '../src/export/pipeline/staging/work-list.ts';
import { revisionOf } from '../src/export/revisions/index.ts';
import type { Filing } from '../src/filings/api/index.ts';
import { openLake } from '../src/lake/index.ts';
import { cost, rounded, show } from './recording/measuring.ts';

export const summary = 'plan a window of 10,000 filings of 300 documents each, twice: peak memory and CPU';

/** An answer of the service is cut at 16 MB: about this many documents. */
const DOCUMENTS_A_PAGE = 110_000;

type Dependencies = Parameters<typeof planWindows>[0];

export async function run(
  [filings = '10000', documents = '300']: string[],
  { json }: { json: boolean },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-plans-'));
  try {
    const results = await measure(join(folder, 'lake'), Number(filings), Number(documents));
    show(results.map(rounded), json, results);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  what: string;
  cpu_s: number;
  /** Largest resident size during the run, checked every 20 ms. */
  rss_mb: number;
  note: string;
}

async function measure(folder: string, filings: number, documents: number): Promise<Measured[]> {
  const yaml = 'name: bench\nselect: {}\ntables: [filings, document_contents]\ndocuments: { types: [all] }';
  const { definition } = parseExportDefinition(yaml, 'bench.yaml', {});
  const lake = await openLake(folder, { create: true });
  const results: Measured[] = [];
  const perPage = Math.max(1, Math.min(filings, Math.floor(DOCUMENTS_A_PAGE / documents)));
  const pages = Math.ceil(filings / perPage);
  const recordsOf = (page: number) =>
    Array.from({ length: Math.min(perPage, filings - page * perPage) }, (_, i) =>
      filingOf(page * perPage + i, documents),
    );
  const stage = async (run_id: string) => {
    for (let page = 0; page < pages; page++) {
      const records = recordsOf(page);
      const verbatim = { member: 'filings', body: Buffer.from(JSON.stringify({ count: filings, filings: records })) };
      await stagePage(lake, run_id, 'w', page, { state: null, records, violations: [], verbatim });
    }
  };
  const plan = (run_id: string) => {
    const run = { run_id, workflow_id: 'export/bench', definition, lake: lake.root };
    const dependencies = {
      attempt: 1,
      lakes: { at: async () => lake },
      pages: new PagesReadLast(),
    } as unknown as Dependencies;
    const windows = [{ window: 'w', pages, plan: 1, record: null }];
    return planWindows(dependencies, { run, batch_id: 'plan-w-1', windows });
  };
  const timed = async (what: string, work: () => Promise<string>) => {
    globalThis.gc?.();
    let peak = process.memoryUsage.rss();
    const looking = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    let note = '';
    const { cpu } = await cost(async () => {
      note = await work();
    }).finally(() => clearInterval(looking));
    results.push({ what, cpu_s: cpu, rss_mb: Math.round(peak / 2 ** 20), note });
  };

  await stage('first');
  await timed('the first plan', async () => {
    const { windows } = await plan('first');
    return `${windows[0]!.pending.documents.requests} requests planned`;
  });
  await timed('its work list, read', async () => {
    const plans = new PlansReadLast();
    const { stretches } = await plans.read(lake, 'first', 'w', 1);
    const queue = new WorkQueue(stretches, 0, definition, 'documents', (one) => plans.stretch(lake, 'first', 'w', one));
    let steps = 0;
    for (let line = await queue.take(); line; line = await queue.take()) steps += line.steps.length;
    return `${steps} steps`;
  });
  await timed('coverage of all, committed', async () => {
    for (let page = 0; page < pages; page++) {
      const staging = lake.openStaging('first', `b${page}`, 1);
      for (const filing of recordsOf(page)) {
        const { accession_number, documents: list } = filing;
        const of = { accession_number, selector: 'raw', revision: revisionOf(filing), status: 'done', run_id: 'first' };
        for (const { document_id } of list)
          staging.append('coverage', { ...of, step: `document:${document_id}`, fetched_at: '2024-03-01T00:00:00Z' });
      }
      const segment = await staging.seal();
      const base_version = await lake.currentVersion();
      await lake.commitBatch({ run_id: 'first', batch_id: `b${page}`, base_version, segments: [segment!] });
    }
    return `${filings * documents} rows`;
  });
  await stage('second');
  await timed('the plan of a second run', async () => {
    const { windows } = await plan('second');
    return `${windows[0]!.known} filings known, ${windows[0]!.pending.documents.requests} requests planned`;
  });
  await lake.close();
  return results;
}

function filingOf(n: number, documents: number): Filing {
  const accession_number = `0000000001-24-${String(n).padStart(6, '0')}`;
  return {
    accession_number,
    cik: String(n % 1_000),
    form_type: '10-K',
    filing_date: '2024-03-01',
    acceptance_datetime: '2024-03-01T10:00:00',
    entity_name: `COMPANY ${n % 1_000}`,
    report_date: '2023-12-31',
    size: 1_000_000 + n,
    documents: Array.from({ length: documents }, (_, i) => ({
      document_id: `${accession_number}-${i + 1}`,
      sequence: i + 1,
      filename: `a${n}ex${i + 1}.htm`,
      description: null,
      type: i === 0 ? '10-K' : `EX-${i + 1}`,
    })),
  };
}
