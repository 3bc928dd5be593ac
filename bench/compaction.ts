/**
 * Compaction: the cost of merging many parts into few, the gain for readers, and its memory in relation to the size of the table.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { openLake, type Row } from '../src/lake/index.ts';

export const summary = 'small parts into large ones, and what readers gain: [PARTS] [TEXT_MB]';

const RUNS = 3;
const ROWS_PER_NARROW_PART = 100;
const ROWS_PER_TEXT_PART = 250;
const TEXT_CHARACTERS = 60_000;

interface Measured {
  table: string;
  parts_before: number;
  parts_after: number;
  parquet_mb_before: number;
  parquet_mb_after: number;
  wall_seconds: number;
  cpu_seconds: number;
  mb_per_cpu_second: number;
  rss_mb_before: number;
  rss_mb_peak: number;
  count_ms_before: number;
  count_ms_after: number;
  point_ms_before: number;
  point_ms_after: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const parts = Number(args[0] ?? 300);
  const textMb = Number(args[1] ?? 300);
  const textParts = Math.ceil((textMb * 1e6) / TEXT_CHARACTERS / ROWS_PER_TEXT_PART);
  const measured = [
    await measure('filings', parts, ROWS_PER_NARROW_PART, filingRow),
    await measure('section_contents', textParts, ROWS_PER_TEXT_PART, sectionRow),
  ];
  if (json) process.stdout.write(`${JSON.stringify(measured)}\n`);
  else for (const one of measured) process.stdout.write(`${formatTable(lines(one), ['what', 'value'])}\n`);
}

async function measure(table: string, parts: number, rowsPerPart: number, row: (n: number) => Row): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), 'filinglake-bench-'));
  const filled = await openLake(folder, { create: true });
  for (let part = 0; part < parts; part++) {
    const writer = filled.openStaging('bench', `b${part}`, 1);
    for (let n = 0; n < rowsPerPart; n++) writer.append(table, row(part * rowsPerPart + n));
    const segment = await writer.seal();
    const base_version = await filled.currentVersion();
    await filled.commitBatch({ run_id: 'bench', batch_id: `b${part}`, base_version, segments: [segment!] });
  }
  await filled.close();
  const lake = await openLake(folder);
  const wanted = row((parts * rowsPerPart) >> 1).accession_number;
  const count = () => medianMs(() => lake.query(`SELECT count(*) FROM ${table}`));
  const point = () => medianMs(() => lake.query(`SELECT * FROM ${table} WHERE accession_number = '${wanted}'`));
  const [countBefore, pointBefore] = [await count(), await point()];

  const rssBefore = process.memoryUsage.rss();
  let rssPeak = rssBefore;
  const sampling = setInterval(() => {
    rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
  }, 20);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const report = await lake.compact();
  const wall = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  clearInterval(sampling);

  const done = report.tables[table]!;
  const measured = {
    table,
    parts_before: done.parts_before,
    parts_after: done.parts_after,
    parquet_mb_before: done.bytes_before / 1e6,
    parquet_mb_after: done.bytes_after / 1e6,
    wall_seconds: wall,
    cpu_seconds: (user + system) / 1e6,
    mb_per_cpu_second: done.bytes_before / (user + system),
    rss_mb_before: rssBefore / 1e6,
    rss_mb_peak: rssPeak / 1e6,
    count_ms_before: countBefore,
    count_ms_after: await count(),
    point_ms_before: pointBefore,
    point_ms_after: await point(),
  };
  await lake.close();
  rmSync(folder, { recursive: true });
  return measured;
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return times.sort((a, b) => a - b)[RUNS >> 1]!;
}

function lines(measured: Measured): { what: string; value: unknown }[] {
  return Object.entries(measured).map(([what, value]) => ({
    what,
    value: typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  }));
}

function accession(n: number): string {
  return `${String((n * 7919) % 9973).padStart(10, '0')}-24-${String(n).padStart(6, '0')}`;
}

function filingRow(n: number): Row {
  return {
    accession_number: accession(n),
    cik: String((n * 31) % 8000),
    form_type: ['10-K', '10-Q', '8-K', '4', '424B2'][n % 5]!,
    filing_date: `2024-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
    entity_name: `COMPANY ${(n * 31) % 8000} INC`,
    size: (n * 7919) % 5_000_000,
  };
}

/** Words that zstd compresses about as well as prose: 2,000 of them, in random order. */
function sectionRow(n: number): Row {
  let seed = (n + 1) % 0x7fffffff;
  let text = '';
  while (text.length < TEXT_CHARACTERS) {
    seed = (seed * 48271) % 0x7fffffff;
    text += `${((seed % 2000) * 7_368_787).toString(36)} `;
  }
  return { accession_number: accession(n), section: '1A', title: 'Risk Factors', text };
}
