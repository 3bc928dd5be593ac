/** A lake doesn't depend on the spelling of a service: made with each variant of the contract, it equals the plain service's. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import {
  ExportRuns,
  ensureTemporal,
  type RunningWorker,
  startWorker,
  type TemporalSession,
} from '../../../src/export/runtime/index.ts';
import { LiberalFront, type Liberties } from '../../support/dialect-proxy.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

const LIBERTIES: Record<string, Liberties> = {
  'counts the page': { countOfPage: true },
  'cuts pages anywhere': { cutPages: true },
  'cuts pages anywhere and counts them': { cutPages: true, countOfPage: true },
  'writes numbers as strings': { numbersAsStrings: true },
  'pads ids, and leaves dashes out': { paddedCiks: true, plainAccessionNumbers: true },
  'says "" for what has no value': { noValue: 'empty' },
  'leaves out what has no value': { noValue: 'missing' },
  'has other names for members': { camelCase: true },
  'puts filing and filer of filing_info apart': { nestedInfo: true },
  'says more than is known': { strangers: true },
  'has times behind dates': { timesBehindDates: true },
  'gives documents as bytes': { documentsAsBytes: true },
  'explains no 404': { empty404: true },
  'is behind a proxy with web pages': { webPages: true },
  'refuses bursts without a word on when to come again': { bursts: true },
};
const ALL = Object.assign({}, ...Object.values(LIBERTIES), { noValue: 'missing', keyRefusedAs400: true }) as Liberties;

/** For a definition that doesn't set them. */
const CONNECTIONS = 8;

describe.skipIf(!temporalExecutable)('an export from a service that', () => {
  let road: Road;
  let session: TemporalSession;
  let worker: RunningWorker;
  let apiKey: string;
  let plain: Awaited<ReturnType<typeof exported>>;
  /** Two requests of which the service knows nothing, in every run: a document's and a filing's sections. */
  let absent: RegExp;

  beforeAll(async () => {
    road = await buildRoad(20);
    apiKey = road.createKey('unlimited');
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
    session = await ensureTemporal(settings);
    worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]) });
    absent = await someAbsent(road.service.url, apiKey);
    plain = await exported('plain', {});
  });
  afterAll(async () => {
    await worker?.stop();
    await session?.release();
    await road?.stop();
  });

  function definitionOf(name: string, url: string): string {
    const file = road.definition(name, 'documents: { types: [all], graphics: true, xml: raw }');
    // Several pages: of one page the count is that of all.
    // As published, the key is a parameter.
    const service = `base_url: ${url}, page_size: 7, key: parameter`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(`base_url: ${road.proxy.url}, key: bearer`, service));
    return file;
  }

  async function exported(name: string, liberties: Liberties) {
    await using front = await LiberalFront.start(road.service.url, liberties, absent);
    const file = definitionOf(name, front.url);
    const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
    const runs = await ExportRuns.of(session);
    const lake = join(road.folder, name);
    const { handle } = await runs.start(definition, lake, apiKey);
    const { progress } = await runs.result(handle);
    return { progress, faults: front.faults, altered: front.altered, lake: withoutWords(await contentsOf(lake)) };
  }

  it('that is plain gives every table', () => {
    for (const table of ['entities', 'filings', 'documents', 'sections', 'section_contents', 'document_contents']) {
      expect(plain.lake[table]!.length).toBeGreaterThan(0);
    }
    expect(plain.lake.filings).toHaveLength(20);
    // The document, and the sections that filing_info lists all the same.
    expect(plain.lake.export_failures).toHaveLength(2);
    expect(plain.progress).toMatchObject({ windows_unproven: 0, retries: 0 });
    expect(plain.altered).toBe(0);
  });

  it.concurrent.each(Object.entries(LIBERTIES))('%s: the lake is the same', async (name, liberties) => {
    const { lake, progress, faults, altered } = await exported(name.replace(/[^a-z]+/gi, '-'), liberties);
    expect(lake).toEqual(plain.lake);
    expect(altered + faults.page + faults.burst).toBeGreaterThan(0);
    expect(progress.windows_unproven).toBe(0);
    // The first web pages among documents that are bytes are requested twice, by all connections at a time at most.
    const doubted = progress.retries - faults.page - faults.burst;
    expect(doubted).toBeGreaterThanOrEqual(0);
    expect(doubted).toBeLessThanOrEqual(liberties.documentsAsBytes ? CONNECTIONS : 0);
    if (liberties.webPages) expect(faults.page).toBeGreaterThan(3);
    if (liberties.bursts) expect(faults.burst).toBeGreaterThan(3);
  });

  it.concurrent('does all of it at once: the lake is the same', async () => {
    const { lake, progress } = await exported('all-at-once', ALL);
    expect(lake).toEqual(plain.lake);
    expect(progress.windows_unproven).toBe(0);
  });

  it('reports a refused key as a bad request: the command says that the key is refused, with exit code 4', async () => {
    await using front = await LiberalFront.start(road.service.url, ALL);
    const file = definitionOf('refused', front.url);
    const { ended, stderr } = runCommand(['export', file, '--lake', join(road.folder, 'refused')], {
      FILINGLAKE_HOME: road.home,
      FILINGLAKE_API_KEY: 'fl_nobodys',
    });
    expect(await ended).toBe(4);
    expect(stderr()).toContain('key');
  });
});

/** What differs between two runs that failed of the same, or whose window was read otherwise. */
function withoutWords(contents: Record<string, unknown[]>): Record<string, unknown[]> {
  const export_failures = (contents.export_failures as Record<string, unknown>[]).map(
    ({ export: _export, message: _message, failed_at: _at, ...rest }) => rest,
  );
  return { ...contents, export_failures };
}

/** The main document of one filing and the sections of another. */
async function someAbsent(url: string, apiKey: string): Promise<RegExp> {
  const answer = await fetch(`${url}/v2/filing_lookup?api_key=${apiKey}`);
  const { filings } = (await answer.json()) as { filings: { form_type: string; accession_number: string }[] };
  const annual = filings.filter(({ form_type }) => form_type === '10-K' || form_type === '10-Q');
  const other = filings.find(({ form_type }) => !form_type.startsWith('10-'))!;
  return new RegExp(
    `/filing_sections.*${annual[0]!.accession_number}|/document\\?.*document_id=${other.accession_number}-1&`,
  );
}
