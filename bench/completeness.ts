/**
 * Whether an export loses or doubles anything at a critical size. The real service serves a catalog of sample filings, with a day
 * that has more filings than a lookup reaches. Pages are cut short, and an ingest runs during the export. A second export fetches
 * the filings added meanwhile.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { KeyRegister, loadPlans } from '../src/accounts/index.ts';
import { ingest } from '../src/catalog/index.ts';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { openLake } from '../src/lake/index.ts';
import { writeSample } from '../src/sample/index.ts';
import { startService } from '../src/service/index.ts';

export const summary =
  'an export of sample filings against the files they came from: [FILINGS] [ON ONE DAY] [KIB A PAGE] (default 250,000 40,000 64)';

const DAY = '2024-02-14';
/** Samples of different years and days, so that no accession number is in two of them. */
const BEFORE_THE_DAY = '2023-12-31';
const LATE = { from: '2025-02-03', to: '2025-03-31' };
const LATE_FILINGS = 500;

interface Done {
  state: string;
  requests: number;
  bytes: number;
  failures: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const [filings = 250_000, onTheDay = 40_000, kibibytes = 64] = args.map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-'));
  const say = (text: string) => process.stderr.write(`${text}\n`);
  try {
    const corpus = (name: string) => join(folder, name);
    const catalogFolder = join(folder, 'catalog');
    say(`making ${filings} filings, ${onTheDay} of them on ${DAY}`);
    await writeSample({ filings: filings - onTheDay, seed: 11, to: BEFORE_THE_DAY, out: corpus('years') });
    await writeSample({ filings: onTheDay, seed: 12, from: DAY, to: DAY, out: corpus('day') });
    await writeSample({ filings: LATE_FILINGS, seed: 13, ...LATE, out: corpus('late') });
    say('ingesting them');
    const made = [...accessionNumbers(corpus('years')), ...accessionNumbers(corpus('day'))];
    const late = accessionNumbers(corpus('late'));
    for (const name of ['years', 'day']) {
      await ingest([corpus(name)], catalogFolder, {});
      rmSync(corpus(name), { recursive: true });
    }
    const accounts = KeyRegister.open(catalogFolder, loadPlans());
    const { api_key } = accounts.createKey('unlimited');
    accounts.close();
    const limits = { maxResponseBytes: kibibytes * 1024 };
    const service = await startService({ catalogFolder, port: 0, limits });
    const definition = join(folder, 'all.yaml');
    writeFileSync(definition, `name: all\nservice: { base_url: ${service.url} }\nselect: {}\ntables: [filings]\n`);
    const lakeFolder = join(folder, 'lake');
    const exported = (during: () => Promise<unknown>) =>
      runExport(definition, lakeFolder, { FILINGLAKE_HOME: join(folder, 'home'), FILINGLAKE_API_KEY: api_key }, during);
    const rows: Record<string, unknown>[] = [];
    for (const [what, during, whole] of [
      ['export, an ingest meanwhile', () => ingest([corpus('late')], catalogFolder, {}), made],
      ['the same again', async () => {}, [...made, ...late]],
    ] as const) {
      say(what);
      const { seconds, code, done } = await exported(during);
      rows.push({ what, seconds, exit: code, ...done, ...(await held(lakeFolder, new Set(whole))) });
    }
    await service.close();
    if (json) process.stdout.write(`${JSON.stringify({ filings: made.length, late: late.length, runs: rows })}\n`);
    else {
      const columns = [
        'what',
        'seconds',
        'exit',
        'requests',
        'bytes',
        'failures',
        'rows',
        'lost',
        'windows',
        'unproven',
      ];
      process.stdout.write(
        `${made.length} filings, ${late.length} more during the export\n${formatTable(rows, columns)}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** From the names of a sample's files. */
function accessionNumbers(corpus: string): string[] {
  const names = readdirSync(corpus, { recursive: true, encoding: 'utf8' });
  return [...new Set(names.flatMap((name) => /(\d{10}-\d{2}-\d{6})\.(txt|nc)$/.exec(name)?.[1] ?? []))];
}

async function runExport(
  definition: string,
  lake: string,
  env: Record<string, string>,
  during: () => Promise<unknown>,
): Promise<{ seconds: number; code: number; done: Done }> {
  const main = resolve(import.meta.dirname, '../src/cli/main.ts');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [main, 'export', definition, '--lake', lake, '--json'], {
    env: { ...process.env, TEMPORAL_ADDRESS: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close') as Promise<[number]>;
  let last = '{}';
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    last = line;
  });
  await Promise.race([once(lines, 'line'), ended]);
  await during();
  const [code] = await ended;
  const { state, requests, bytes, failures } = JSON.parse(last) as Done;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { seconds, code, done: { state, requests, bytes, failures } };
}

/** @param whole the minimum that must be in the lake */
async function held(folder: string, whole: ReadonlySet<string>): Promise<Record<string, unknown>> {
  const lake = await openLake(folder);
  try {
    const rows = await lake.query('SELECT accession_number FROM filings');
    const inLake = new Set(rows.map((row) => String(row.accession_number)));
    if (inLake.size !== rows.length) throw new Error('a filing is in the lake twice');
    const [windows] = await lake.query(
      'SELECT count(*) AS windows, count(*) FILTER (NOT proven) AS unproven FROM export_windows',
    );
    const lost = [...whole].filter((accession) => !inLake.has(accession)).length;
    return { rows: rows.length, lost, windows: Number(windows?.windows), unproven: Number(windows?.unproven) };
  } finally {
    await lake.close();
  }
}
