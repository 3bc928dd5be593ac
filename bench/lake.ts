/** The lake: rows written, against a bare DuckDB COPY of the same NDJSON. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { openLake } from '../src/lake/index.ts';
import { type Row, TABLES } from '../src/lake/tables/index.ts';
import { cost, median, rounded, show } from './recording/measuring.ts';

export const summary = 'rows in against a bare DuckDB COPY: [ROWS] [TEXT_MB]';

const RUNS = 3;

type Cost = Awaited<ReturnType<typeof cost>>;

interface Ingest {
  table: string;
  rows: number;
  ndjson_mb: number;
  /** Of appending, sealing and committing, medians. */
  rows_per_cpu_second: number;
  mb_per_cpu_second: number;
  copy_rows_per_cpu_second: number;
  commit_cpu_times_copy: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const rows = Number(args[0] ?? 200_000);
  const textMb = Number(args[1] ?? 60);
  const ingest = [
    await measureIngest('filings', rows, filingRow),
    await measureIngest('documents', rows, documentRow),
    await measureIngest('section_contents', Math.ceil((textMb * 1e6) / 120_000), sectionRow),
  ];
  show(ingest.map(rounded), json, { ingest });
}

async function measureIngest(table: string, rows: number, row: (n: number) => Row): Promise<Ingest> {
  const made = Array.from({ length: rows }, (_, n) => row(n));
  const runs: { append: Cost; commit: Cost; copy: Cost; mb: number }[] = [];
  for (let i = 0; i < RUNS; i++) {
    const folder = mkdtempSync(path.join(tmpdir(), 'filinglake-bench-'));
    const lake = await openLake(folder, { create: true });
    const writer = lake.openStaging('bench', 'batch', 1);
    const segments: { name: string }[] = [];
    let bytes = 0;
    const append = await cost(async () => {
      for (const one of made) {
        writer.append(table, one);
        // A segment for each 16 MB, as in an export.
        if (writer.bytes > 16e6) segments.push((await writer.seal())!);
      }
      const last = await writer.seal();
      if (last) segments.push(last);
    });
    for (const segment of await lake.sealedSegments('bench', 'batch')) bytes += segment.tables[table]?.bytes ?? 0;
    const batch = { run_id: 'bench', batch_id: 'batch', base_version: -1, segments };
    const commit = await cost(() => lake.commitBatch(batch));
    await lake.close();
    runs.push({ append, commit, copy: await bareCopy(folder, table), mb: bytes / 1e6 });
    rmSync(folder, { recursive: true });
  }
  const middle = (of: (run: (typeof runs)[number]) => number) => median(runs.map(of));
  const cpu = middle(({ append, commit }) => append.cpu + commit.cpu);
  return {
    table,
    rows,
    ndjson_mb: runs[0]!.mb,
    rows_per_cpu_second: rows / cpu,
    mb_per_cpu_second: runs[0]!.mb / cpu,
    copy_rows_per_cpu_second: rows / middle(({ copy }) => copy.cpu),
    commit_cpu_times_copy: middle(({ commit, copy }) => commit.cpu / copy.cpu),
  };
}

/** The minimum: the same files through read_json with explicit columns into one zstd Parquet file. */
async function bareCopy(folder: string, table: string): Promise<Cost> {
  const { columns } = TABLES.find(({ name }) => name === table)!;
  const typed = columns.map(({ name, type }) => `"${name}": '${type}'`).join(', ');
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const files = path.join(folder, '_staging', 'bench', 'batch', '*', `${table}.ndjson`);
  return cost(async () => {
    const engine = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
    const connection = await engine.connect();
    await connection.run(
      `COPY (SELECT ${names} FROM read_json('${files}', format = 'newline_delimited', columns = {${typed}}))
       TO '${path.join(folder, 'bare.parquet')}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE_BYTES '16MB')`,
    );
    connection.closeSync();
    engine.closeSync();
  });
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
    acceptance_datetime: `2024-01-02T${String(n % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:05`,
    entity_name: `COMPANY ${(n * 31) % 8000} INC`,
    report_date: n % 3 === 0 ? null : '2023-12-31',
    size: (n * 7919) % 5_000_000,
  };
}

function documentRow(n: number): Row {
  const filing = accession(n >> 2);
  return {
    document_id: `${filing}-${1 + (n % 4)}`,
    accession_number: filing,
    sequence: 1 + (n % 4),
    filename: `form${n % 4}-${(n * 7919) % 99991}.htm`,
    description: n % 2 === 0 ? 'EXHIBIT 99.1' : null,
    type: ['10-K', 'EX-99.1', 'EX-31.1', 'GRAPHIC'][n % 4]!,
    size: (n * 104_729) % 2_000_000,
  };
}

const WORDS = 'the company risk factors may adversely affect our results of operations and financial condition '.split(
  ' ',
);

function sectionRow(n: number): Row {
  let state = n + 1;
  const words = Array.from({ length: 9000 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % 7 === 0 ? String(state % 100_000) : WORDS[state % WORDS.length]!;
  });
  const text = words.join(' ');
  const section = ['1', '1A', '7', '8'][n % 4]!;
  return { accession_number: accession(n >> 2), section, title: 'Risk Factors', html: `<p>${text}</p>`, text };
}
