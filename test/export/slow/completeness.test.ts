/** Nothing is lost and nothing doubled: 250,000 filings, a day of 40,000, pages cut at 64 KiB, and filings that arrive while it is read. */
import { writeFileSync } from 'node:fs';
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
import type { LookupRequest } from '../../../src/export/windows/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { RegisterService } from '../../support/register-service.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { runCommand } from '../../support/test-stack.ts';

const KEY = 'fl_completeness';
const BUSY = { day: '2024-02-14', filings: 40_000 };
const PAGE_BYTES = 64 * 1024;

describe.skipIf(!temporalExecutable)('an export of a large register', () => {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home });
  let session: TemporalSession;
  let worker: RunningWorker;

  beforeAll(async () => {
    session = await ensureTemporal(settings);
    worker = await startWorker(session, { apiKey: KEY, log: openLog(settings, 'worker', [KEY]) });
  });
  afterAll(async () => {
    await worker?.stop();
    await session?.release();
  });

  const definitionOf = (name: string, url: string, tables = 'filings') => `name: ${name}
service: { base_url: ${url} }
select: {}
tables: [${tables}]`;

  async function exported(name: string, service: RegisterService, tables?: string) {
    const { definition } = parseExportDefinition(definitionOf(name, service.url, tables), name, {});
    const lake = join(folder, name);
    const runs = await ExportRuns.of(session);
    const { handle } = await runs.start(definition, lake, KEY);
    return { lake, ...(await runs.result(handle)) };
  }

  /** Compares the lake's filings with the register, and checks the windows' records. */
  async function held(folder: string, service: RegisterService) {
    const lake = await openLake(folder);
    const rows = await lake.query('SELECT accession_number, form_type, entity_name, size FROM filings');
    const inLake = new Map(rows.map((row) => [String(row.accession_number), row]));
    const lost: string[] = [];
    const different: string[] = [];
    for (const { accession_number, form_type, entity_name, size } of service.register.records()) {
      const row = inLake.get(accession_number);
      if (!row) lost.push(accession_number);
      else if (row.form_type !== form_type || row.entity_name !== entity_name || Number(row.size) !== size) {
        different.push(accession_number);
      }
      inLake.delete(accession_number);
    }
    const [windows] = await lake.query(
      `SELECT count(*)::INTEGER AS windows, sum(expected)::INTEGER AS promised, sum(found)::INTEGER AS found,
              count(*) FILTER (NOT proven)::INTEGER AS unproven FROM export_windows`,
    );
    await lake.close();
    const { promised, found, ...told } = windows as Record<'windows' | 'promised' | 'found' | 'unproven', number>;
    return { rows: rows.length, lost, different, strangers: [...inLake.keys()], promised, found, ...told };
  }

  it('exports each filing once, and proves every window, although pages are cut and filings arrive meanwhile', async () => {
    await using service = await RegisterService.start({ filings: 250_000, busy: BUSY, maxResponseBytes: PAGE_BYTES });
    const { register } = service;
    const arrivals: string[] = [];
    // At the first position of the current reading, so that everything after it moves; and after everything, until the last window
    // is read: several are read at once, and what arrives after it is the next run's. A window has up to 60 pages here, and a
    // reading proves it if no filing arrives meanwhile: of five, one begins just after an arrival.
    let lastIsRead = false;
    service.meanwhile = (asked, n) => {
      lastIsRead ||= asked.date_from !== undefined && asked.date_to === undefined;
      if (n % 100 === 0) arrivals.push(register.arrive(arrivalInto(asked, n)));
      if (n % 70 === 0 && !lastIsRead) arrivals.push(register.arrive({ filing_date: '2026-06-30' }));
    };
    const { lake, progress } = await exported('large', service);
    expect(arrivals.length).toBeGreaterThan(20);
    const { filings } = register;
    expect(await held(lake, service)).toMatchObject({
      rows: filings,
      lost: [],
      different: [],
      strangers: [],
      promised: filings,
      found: filings,
      unproven: 0,
    });
    expect(service.truncated).toBeGreaterThan(1_500);
    expect(progress).toMatchObject({ windows_unproven: 0, failures: 0, requests: service.requests });
  });

  it('reads several windows at once, and repeats only the requests in flight when their worker is killed', async () => {
    await using service = await RegisterService.start({
      filings: 60_000,
      maxResponseBytes: 4 * PAGE_BYTES,
      delayMs: 30,
    });
    await worker.stop();
    const begin = () => runCommand(['worker', '--json'], { FILINGLAKE_HOME: home, FILINGLAKE_API_KEY: KEY });
    let victim = begin();
    let kills = 0;
    const times = new Map<string, number>();
    service.meanwhile = (asked, n) => {
      const text = JSON.stringify(asked);
      times.set(text, (times.get(text) ?? 0) + 1);
      if (n % 35 !== 30 || kills === 3) return;
      kills++;
      victim.process.kill('SIGKILL');
      victim = begin();
    };
    const { lake, progress } = await exported('killed', service);
    victim.process.kill('SIGTERM');
    await victim.ended;
    worker = await startWorker(session, { apiKey: KEY, log: openLog(settings, 'worker', [KEY]) });
    expect(await held(lake, service)).toMatchObject({
      rows: 60_000,
      lost: [],
      different: [],
      strangers: [],
      promised: 60_000,
      found: 60_000,
      unproven: 0,
    });
    const repeated = [...times.values()].reduce((sum, n) => sum + n - 1, 0);
    console.info(
      'killed while listing',
      JSON.stringify({ requests: service.requests, repeated, most: service.mostInFlight }),
    );
    expect([kills, progress.windows_unproven, progress.failures]).toEqual([3, 0, 0]);
    expect(service.mostInFlight).toBeGreaterThan(1);
    expect(repeated).toBeLessThanOrEqual(kills * 8);
  });

  it('requests companies by several requests at once, and repeats only those in flight when their worker is killed', async () => {
    await using service = await RegisterService.start({ filings: 20_000, delayMs: 60 });
    await worker.stop();
    const begin = () => runCommand(['worker', '--json'], { FILINGLAKE_HOME: home, FILINGLAKE_API_KEY: KEY });
    let victim = begin();
    let kills = 0;
    service.onEntities = (n) => {
      if (n % 20 !== 15 || kills === 3) return;
      kills++;
      victim.process.kill('SIGKILL');
      victim = begin();
    };
    const { lake: place, progress } = await exported('companies', service, 'filings, entities');
    victim.process.kill('SIGTERM');
    await victim.ended;
    worker = await startWorker(session, { apiKey: KEY, log: openLog(settings, 'worker', [KEY]) });
    const lake = await openLake(place);
    const [counts] = await lake.query(
      `SELECT count(*)::INT AS rows, count(DISTINCT cik)::INT AS ciks,
              (SELECT count(DISTINCT cik)::INT FROM filings) AS needed,
              count(*) FILTER (cik NOT IN (SELECT cik FROM filings) OR name != 'Company ' || cik)::INT AS wrong FROM entities`,
    );
    await lake.close();
    const { rows, needed } = counts as Record<'rows' | 'ciks' | 'needed' | 'wrong', number>;
    expect(counts).toEqual({ rows: needed, ciks: needed, needed, wrong: 0 });
    const asked = [...service.entityRequests].flatMap(([list, n]) => list.split(',').map(() => n));
    const repeated = asked.reduce((sum, n) => sum + n, 0) - rows;
    console.info(
      'killed while companies are requested',
      JSON.stringify({ rows, repeated, most: service.mostInFlight }),
    );
    expect([kills, progress.failures]).toEqual([3, 0]);
    expect(service.mostInFlight).toBeGreaterThan(4);
    // A hundred in each of eight requests.
    expect(repeated).toBeLessThanOrEqual(kills * 800);
  });

  it('leaves a window unproven while filings keep arriving in it, and exports the rest next time', async () => {
    await using service = await RegisterService.start({ filings: 2_000, maxResponseBytes: PAGE_BYTES });
    const { register } = service;
    service.meanwhile = () => void register.arrive({ filing_date: '1993-01-04' });
    const first = await command('restless', service);
    expect(first).toMatchObject({ code: 3, done: { state: 'completed', failures: 0 } });
    const restless = await held(join(folder, 'restless'), service);
    expect(restless).toMatchObject({ different: [], strangers: [], windows: 1, unproven: 1 });
    expect(restless.found).toBe(restless.rows);
    expect(restless.promised).toBeGreaterThan(restless.rows);

    service.meanwhile = () => {};
    const second = await command('restless', service);
    expect(second).toMatchObject({ code: 0, done: { state: 'completed', failures: 0 } });
    expect(await held(join(folder, 'restless'), service)).toMatchObject({
      rows: register.filings,
      lost: [],
      strangers: [],
      windows: 2,
      unproven: 1,
    });
  });

  /** `filinglake export`, to its exit code and its last event. */
  async function command(name: string, service: RegisterService) {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, definitionOf(name, service.url));
    const { events, ended, stderr } = runCommand(['export', file, '--lake', join(folder, name), '--json'], {
      FILINGLAKE_HOME: home,
      FILINGLAKE_API_KEY: KEY,
    });
    const code = await ended;
    return { code, done: events.at(-1), stderr: stderr() };
  }
});

/** A filing that a correct search must show, as near to its beginning as possible. */
function arrivalInto({ date_from, date_to, form_types, entity_query }: LookupRequest, n: number) {
  return {
    filing_date: date_from ?? date_to ?? '1993-01-04',
    form_type: form_types?.[0] ?? `NEW FORM ${n}`,
    entity_name: (entity_query?.name_includes ?? ['Z']).join(' '),
  };
}
