/**
 * The service over HTTP: `filing_info` and rare words beside a bare handler in the same run, and memory in a mix of operations. Server and
 * client are separate processes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSample } from '../src/cli/sample/index.ts';
import { printJson } from '../src/cli/terminal/terminal.ts';
import type { FilingEnvelope } from '../src/filings/api/index.ts';
import { KeyRegister, loadPlans } from '../src/service/accounts/index.ts';
import { ingest } from '../src/service/catalog/index.ts';
import { show } from './recording/measuring.ts';
import { measureFairness } from './service-sides/fair.ts';
import { measureMemory } from './service-sides/mix.ts';
import { multiply } from './service-sides/multiplied.ts';
import { compareRareWords } from './service-sides/rare-words.ts';
import { askJson, inTurns, type Server, startBare, startService, timed } from './service-sides/server.ts';

export const summary =
  'requests of the /v2 service beside a bare handler, memory in a mix, fairness [--catalog DIR] [--filings N] [--copies N] [--seconds S] [--only NAME,…]';

const CONNECTIONS = 16;

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      catalog: { type: 'string' },
      filings: { type: 'string' },
      copies: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const seconds = Number(values.seconds ?? 4);
  const made = values.catalog === undefined ? mkdtempSync(join(tmpdir(), 'filinglake-bench-')) : null;
  try {
    const catalog = values.catalog ?? (await makeCatalog(made!, Number(values.filings ?? 10_500)));
    if (made !== null && values.copies !== undefined) multiply(catalog, Number(values.copies));
    const only = values.only?.split(',');
    const results: Record<string, object[]> = {};
    const part = async (name: string, measureIt: () => Promise<object[]>) => {
      if (only !== undefined && !only.includes(name)) return;
      const rows = await measureIt();
      if (!json) show(rows, false, {});
      results[name] = rows;
    };
    await part('compared_with_bare', () => compareWithBare(catalog, seconds));
    await part('rare_words', () => compareRareWords(catalog));
    await part('memory', async () => [await measureMemory(catalog, seconds * 2)]);
    // It says little of a catalog in which nothing takes long.
    if (values.copies !== undefined || only?.includes('fairness'))
      await part('fairness', () => measureFairness(catalog, seconds * 2));
    if (json) printJson({ connections: CONNECTIONS, seconds, ...results });
  } finally {
    if (made !== null) rmSync(made, { recursive: true, force: true });
  }
}

async function makeCatalog(folder: string, filings: number): Promise<string> {
  await writeSample({ out: join(folder, 'files'), filings, seed: 1 });
  await ingest([join(folder, 'files')], join(folder, 'catalog'));
  return join(folder, 'catalog');
}

interface Compared {
  plan: string;
  requests_per_cpu_second: number;
  bare_requests_per_cpu_second: number;
  ratio: number;
}

/** `filing_info` of random filings: the median of the turns, with a key without limits and with one that is counted exactly. */
async function compareWithBare(catalog: string, seconds: number): Promise<Compared[]> {
  const accounts = KeyRegister.open(catalog, loadPlans());
  const service = await startService(catalog, CONNECTIONS);
  const bare = await startBare(catalog, CONNECTIONS);
  try {
    const compared: Compared[] = [];
    for (const plan of ['unlimited', 'institution']) {
      const { api_key } = accounts.createKey(plan);
      const page = await askJson<FilingEnvelope>(service.pool, `/v2/filing_lookup?api_key=${api_key}&to=10000`);
      const numbers = page.filings.map((filing) => filing.accession_number);
      const path = (i: number) =>
        `/v2/filing_info?api_key=${api_key}&accession_number=${numbers[(i * 7919) % numbers.length]}`;
      const [ours, theirs] = await inTurns(
        () => rateOf(service, path, seconds),
        () => rateOf(bare, path, seconds),
      );
      compared.push({
        plan,
        requests_per_cpu_second: Math.round(ours),
        bare_requests_per_cpu_second: Math.round(theirs),
        ratio: Math.round((ours / theirs) * 100) / 100,
      });
      accounts.revokeKey(api_key);
    }
    return compared;
  } finally {
    accounts.close();
    await Promise.all([service.stop(), bare.stop()]);
  }
}

/** Requests for each second of the server's CPU. */
async function rateOf({ pool, cpu }: Server, path: (index: number) => string, seconds: number): Promise<number> {
  const before = cpu();
  const until = performance.now() + seconds * 1_000;
  let requests = 0;
  const one = async () => {
    while (performance.now() < until) await timed(pool, path(requests++));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return (requests * 1_000) / (cpu() - before);
}
