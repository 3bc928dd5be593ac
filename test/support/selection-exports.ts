/** Exports by every way of selecting, from one service, by one worker. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { readDefinitions } from '../../src/cli/terminal/definition-file.ts';
import { openLog, readSettings } from '../../src/core/environment/index.ts';
import { FilinglakeError } from '../../src/core/index.ts';
import { FilingClient } from '../../src/export/client/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  planOf,
  type RunningWorker,
  startWorker,
  type TemporalSession,
} from '../../src/export/runtime/index.ts';
import type { Filing } from '../../src/filings/api/index.ts';
import { openLake } from '../../src/lake/index.ts';
import { temporalNamespace } from './temporal.ts';
import { buildRoad, type Command, contentsOf, type Road, runCommand } from './test-stack.ts';

export const FILINGS = 40;
export const ALL =
  'tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]';

export interface Done {
  code: number | null;
  /** Paths that were asked, without their queries */
  asked: string[];
  state: string;
  tables: Record<string, { rows_new: number; rows_replaced: number; rows_total: number }>;
  stderr: string;
}

export class SelectionExports {
  road!: Road;
  env!: Record<string, string>;
  temporal!: TemporalSession;
  runs!: ExportRuns;
  client!: FilingClient;
  filings!: Filing[];
  /** A lake of all filings, by the lookup. */
  whole!: string;
  /** The worker, if it is a process: a test may kill it. */
  process: Command | null = null;
  #worker: RunningWorker | null = null;

  async start(worker: 'inside' | 'process'): Promise<void> {
    this.road = await buildRoad(FILINGS);
    const apiKey = this.road.createKey('unlimited');
    this.env = { FILINGLAKE_HOME: this.road.home, FILINGLAKE_API_KEY: apiKey, ...(await temporalNamespace()) };
    const settings = readSettings({ ...process.env, ...this.env });
    this.temporal = await ensureTemporal(settings);
    this.runs = await ExportRuns.of(this.temporal);
    if (worker === 'process') await this.startProcess();
    else this.#worker = await startWorker(this.temporal, { apiKey, log: openLog(settings, 'worker', [apiKey]) });
    this.client = new FilingClient({ baseUrl: this.road.service.url, apiKey });
    this.filings = (await this.client.filingLookup({})).value.filings;
    this.whole = join(this.road.folder, 'lake-whole');
    expect(await this.run(this.write('whole', `select: {}\n${ALL}`), this.whole)).toMatchObject({ code: 0 });
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.#worker?.stop();
    this.process?.process.kill('SIGTERM');
    await this.process?.ended;
    await this.temporal.release();
    await this.road.stop();
  }

  async startProcess(): Promise<void> {
    this.process = runCommand(['worker', '--json'], this.env);
    await this.process.event((event) => 'task_queue' in event);
  }

  write(name: string, yaml: string): string {
    const file = join(this.road.folder, `${name}.yaml`);
    writeFileSync(file, `name: ${name}\nservice: { base_url: ${this.road.proxy.url}, connections: 4 }\n${yaml}\n`);
    return file;
  }

  /** As `filinglake export FILE --set …`, of a file's one export or of each in turn, by the worker. */
  async run(file: string, lake: string, ...set: string[]): Promise<Done> {
    const before = this.road.proxy.asked.length;
    const done: Done = { code: 0, asked: [], state: '', tables: {}, stderr: '' };
    try {
      for (const { definition } of await readDefinitions(file, [], { set })) {
        const { handle } = await this.runs.start({ ...definition, lake }, lake, this.env.FILINGLAKE_API_KEY!);
        const { progress, finished } = await this.runs.result(handle);
        const isWhole = finished.failures === 0 && progress.windows_unproven === 0;
        Object.assign(done, { code: isWhole ? done.code : 3, state: progress.state, tables: progress.tables });
      }
    } catch (error) {
      if (!(error instanceof FilinglakeError)) throw error;
      Object.assign(done, { code: error.exitCode, stderr: error.message });
    }
    done.asked = this.road.proxy.asked.slice(before).map((path) => path.replace(/\?.*/, ''));
    return done;
  }

  async planned(file: string, lake: string) {
    const before = this.road.proxy.asked.length;
    const { definition } = (await readDefinitions(file))[0]!;
    const signal = new AbortController().signal;
    const plan = await planOf({ definition, apiKey: this.env.FILINGLAKE_API_KEY!, lake, sample: null, signal });
    return { ...plan, cost: this.road.proxy.asked.length - before };
  }

  async query(lake: string, sql: string): Promise<Record<string, unknown>[]> {
    await using opened = await openLake(lake);
    return await opened.query(sql);
  }

  /** Rows that a run wrote, but for those about this.runs. */
  written({ tables }: Done): number {
    const about = new Set([
      'export_windows',
      'export_runs',
      'export_failures',
      'export_plans',
      'export_passes',
      'export_unknown',
    ]);
    return Object.entries(tables)
      .filter(([name]) => !about.has(name))
      .reduce((sum, [, { rows_new, rows_replaced }]) => sum + rows_new + rows_replaced, 0);
  }

  /** Rows of these filings equal those of a lake filled by a lookup, except values that only the lookup has. */
  async expectSameRows(lake: string, numbers: readonly string[]): Promise<void> {
    const [mine, theirs] = [await contentsOf(lake), await contentsOf(this.whole)];
    const about = new Set(numbers);
    for (const table of [
      'parties',
      'documents',
      'sections',
      'section_contents',
      'items_8k',
      'exhibits_8k',
      'document_contents',
      'filings',
    ]) {
      const of = (rows: unknown[]) =>
        (rows as { accession_number: string; size?: unknown }[])
          .filter(({ accession_number }) => about.has(accession_number))
          .map((row) => (table === 'filings' ? { ...row, size: null } : row));
      expect(mine[table], table).toEqual(of(theirs[table]!));
      expect(of(mine[table]!).length, table).toBe(mine[table]!.length);
    }
    const ciks = new Set((mine.filings as { cik: string }[]).map(({ cik }) => cik));
    expect((mine.entities as { cik: string }[]).map(({ cik }) => cik).sort()).toEqual([...ciks].sort());
  }
}

/** For the `describe` that it is called in. */
export function selectionExports(worker: 'inside' | 'process'): SelectionExports {
  const given = new SelectionExports();
  beforeAll(() => given.start(worker));
  afterAll(() => given.stop());
  return given;
}
