/** Results of a query as Arrow, JSON, CSV and Parquet: CPU and time for the rows of `documents`, Parquet read and all. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { csvText, jsonText, type Lake, openLake } from '../src/lake/index.ts';

export const summary = 'a query as Arrow, JSON, CSV and Parquet: [ROWS]';

const ROWS_PER_PART = 25_000;
const SQL = 'SELECT * FROM documents';

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const rows = Number(args[0] ?? 1_000_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'filinglake-bench-'));
  try {
    const lake = await filled(path.join(folder, 'lake'), rows);
    const ways: [string, (lake: Lake) => Promise<number>][] = [
      ['count alone', async (one) => bytesOf(jsonText(await one.stream(`SELECT count(d) FROM (${SQL}) d`)))],
      ['arrow', async (one) => bytesOf((await one.stream(SQL)).arrow())],
      ['csv', async (one) => bytesOf(csvText(await one.stream(SQL)))],
      ['json', async (one) => bytesOf(jsonText(await one.stream(SQL)))],
      ['parquet', (one) => one.writeParquet(SQL, path.join(folder, 'out.parquet')).then(() => 0)],
    ];
    const measured = [];
    for (const [way, work] of ways) {
      const cpuBefore = process.cpuUsage();
      const startedAt = performance.now();
      const bytes = await work(lake);
      const { user, system } = process.cpuUsage(cpuBefore);
      const cpu_seconds = (user + system) / 1e6;
      measured.push({ way, rows, seconds: (performance.now() - startedAt) / 1000, cpu_seconds, mb: bytes / 1e6 });
    }
    await lake.close();
    if (json) process.stdout.write(`${JSON.stringify(measured)}\n`);
    else {
      const shown = measured.map((one) => ({
        ...one,
        seconds: one.seconds.toFixed(2),
        cpu_seconds: one.cpu_seconds.toFixed(2),
        mb: one.mb.toFixed(0),
      }));
      process.stdout.write(formatTable(shown, ['way', 'rows', 'seconds', 'cpu_seconds', 'mb']));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function filled(folder: string, rows: number): Promise<Lake> {
  const lake = await openLake(folder, { create: true });
  for (let from = 0; from < rows; from += ROWS_PER_PART) {
    const writer = lake.openStaging('bench', `b${from}`, 1);
    for (let n = from; n < Math.min(rows, from + ROWS_PER_PART); n++) {
      const accession_number = `${String((n * 7919) % 9973).padStart(10, '0')}-24-${String(n % 1_000_000).padStart(6, '0')}`;
      writer.append('documents', {
        document_id: `${accession_number}-${n}`,
        accession_number,
        sequence: n % 9,
        filename: `d${((n * 48271) % 0x7fffffff).toString(36)}.htm`,
        description: n % 4 === 0 ? null : `EXHIBIT ${n % 99} OF ${((n * 69621) % 0x7fffffff).toString(36)}`,
        type: n % 3 === 0 ? 'GRAPHIC' : 'EX-99.1',
        size: n * 7,
      });
    }
    const segment = await writer.seal();
    const base_version = await lake.currentVersion();
    await lake.commitBatch({ run_id: 'bench', batch_id: `b${from}`, base_version, segments: [segment!] });
  }
  await lake.dropStaging('bench');
  return lake;
}

async function bytesOf(parts: AsyncIterable<string | Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const part of parts) bytes += part.length;
  return bytes;
}
