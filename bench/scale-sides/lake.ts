/**
 * The cost of a lake's commits as its versions and parts grow: real commits of a row for each table, with compactions and without.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lake, openLake } from '../../src/lake/index.ts';
import { TABLES } from '../../src/tables/index.ts';

/** Three tables are enough: the cost is the same for each. */
const TABLE_NAMES = ['filings', 'section_contents', 'coverage'];
const tables = TABLES.filter(({ name }) => TABLE_NAMES.includes(name));
/** The number of commits in an average, a Delta checkpoint and a snapshot among them. */
const AVERAGED = 50;

export interface LakeAtVersion {
  version: number;
  /** Of one table */
  live_parts: number;
  /** Mean of the 50 commits up to here, and the slowest of them */
  commit_ms: number;
  commit_ms_max: number;
  commit_cpu_ms: number;
  commit_bytes: number;
  snapshot_bytes: number;
  lake_sql_bytes: number;
  /** One Delta checkpoint, of one table */
  checkpoint_bytes: number;
  /** Opening the lake again, and reading coverage for one window's filings */
  open_ms: number;
  coverage_ms: number;
  rss_mb: number;
  heap_mb: number;
}

/**
 * @param stops versions at which to measure, ascending
 * @param compactEvery versions between compactions; null: never
 */
export async function lakeByVersions(stops: readonly number[], compactEvery: number | null): Promise<LakeAtVersion[]> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-scale-'));
  const lake = await openLake(folder, { create: true, tables });
  const measured: LakeAtVersion[] = [];
  let n = 0;
  try {
    for (const stop of stops) {
      let timed: Timed[] = [];
      for (let version = await lake.currentVersion(); version < stop; ) {
        if (compactEvery !== null && n > 0 && n % compactEvery === 0) await lake.compact();
        timed = [...timed.slice(1 - AVERAGED), await commitOne(lake, n++)];
        version = await lake.currentVersion();
      }
      measured.push(await measure(folder, lake, timed));
    }
    return measured;
  } finally {
    await lake.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Timed {
  wall: number;
  cpu: number;
}

async function commitOne(lake: Lake, n: number): Promise<Timed> {
  const accession_number = accessionOf(n);
  const writer = lake.openStaging('scale', `batch-${n}`, 1);
  writer.append('filings', { accession_number, cik: '1', form_type: '10-K', filing_date: '2024-03-01' });
  writer.append('section_contents', { accession_number, section: '1A', html: '<p>x</p>', text: 'x' });
  writer.append('coverage', {
    ...{ accession_number, step: 'filing', selector: 'filings', revision: '0', status: 'done' },
    fetched_at: '2024-03-01T00:00:00Z',
  });
  const segment = await writer.seal();
  const base_version = await lake.currentVersion();
  const cpu = process.cpuUsage();
  const at = performance.now();
  await lake.commitBatch({ run_id: 'scale', batch_id: `batch-${n}`, base_version, segments: [segment!] });
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - at, cpu: (user + system) / 1000 };
}

async function measure(folder: string, lake: Lake, timed: readonly Timed[]): Promise<LakeAtVersion> {
  globalThis.gc?.();
  const snapshot = await lake.snapshot();
  const commit = `${String(snapshot.version).padStart(20, '0')}.json`;
  const opening = performance.now();
  const fresh = await openLake(folder, { tables });
  await fresh.snapshot();
  const open_ms = performance.now() - opening;
  const window = Array.from({ length: 7_000 }, (_, i) => accessionOf(i)).join(',');
  const asking = performance.now();
  await fresh.query(
    `SELECT accession_number FROM coverage WHERE accession_number IN (SELECT unnest(string_split('${window}', ',')))`,
    { tables: ['coverage'] },
  );
  const coverage_ms = performance.now() - asking;
  await fresh.close();
  const mean = (value: (one: Timed) => number) => timed.reduce((sum, one) => sum + value(one), 0) / timed.length;
  return {
    version: snapshot.version,
    live_parts: snapshot.tables.get('filings')?.parts.size ?? 0,
    commit_ms: round(mean(({ wall }) => wall)),
    commit_ms_max: round(Math.max(...timed.map(({ wall }) => wall))),
    commit_cpu_ms: round(mean(({ cpu }) => cpu)),
    commit_bytes: statSync(join(folder, '_lake', commit)).size,
    snapshot_bytes: newest(join(folder, '_lake'), '.snapshot.json'),
    lake_sql_bytes: statSync(join(folder, 'lake.sql')).size,
    checkpoint_bytes: newest(join(folder, 'filings', '_delta_log'), '.checkpoint.parquet'),
    open_ms: round(open_ms),
    coverage_ms: round(coverage_ms),
    rss_mb: round(process.memoryUsage().rss / 1e6),
    heap_mb: round(process.memoryUsage().heapUsed / 1e6),
  };
}

/** Bytes of the last file with the given ending. */
function newest(folder: string, ending: string): number {
  const file = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .at(-1);
  return file === undefined ? 0 : statSync(join(folder, file)).size;
}

function accessionOf(n: number): string {
  return `0000000001-24-${String(n).padStart(6, '0')}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
