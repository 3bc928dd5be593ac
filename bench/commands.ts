/**
 * The commands that a person waits for, as published, on a lake of a few filings: wall time, and CPU of all processes that they start
 * and end. The first export starts Temporal, which stays; the others find it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSample } from '../src/cli/sample/index.ts';
import { KeyRegister, loadPlans } from '../src/service/accounts/index.ts';
import { ingest } from '../src/service/catalog/index.ts';
import { median, hundredths as round, show } from './recording/measuring.ts';
import { bundle, PUBLISHED } from './recording/published.ts';

export const summary =
  'export, the same again, status, sql and panel on a small lake: [FILINGS] [RUNS] (default 240 5)';

const MAIN = join(PUBLISHED, 'src/cli/main.js');
const TABLES =
  'entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents, fundamentals, fundamental_sources, fundamental_checks';

interface Cost {
  wall: number;
  cpu: number;
}

export async function run([filings = '240', runs = '5']: string[], { json }: { json: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-'));
  const catalog = join(folder, 'catalog');
  const env = { ...process.env, TEMPORAL_ADDRESS: '', NODE_COMPILE_CACHE: join(folder, 'compiled') };
  let service: ReturnType<typeof spawn> | null = null;
  try {
    bundle();
    await writeSample({ filings: Number(filings), seed: 1, out: join(folder, 'corpus') });
    await ingest([join(folder, 'corpus')], catalog, {});
    const keys = KeyRegister.open(catalog, loadPlans());
    const { api_key } = keys.createKey('unlimited');
    keys.close();
    service = spawn(process.execPath, [MAIN, 'serve', '--catalog', catalog, '--port', '0', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(service.stdout!, 'data')) as [Buffer];
    const definition = join(folder, 'bench.yaml');
    const { url } = JSON.parse(line.toString()) as { url: string };
    writeFileSync(
      definition,
      `name: bench\nservice: { base_url: ${url} }\nselect: {}\ntables: [${TABLES}]\ndocuments: { types: [all], xml: raw }\n`,
    );
    const costs = new Map<string, Cost[]>();
    // One more than counted: the first fills the cache of compiled code.
    for (let i = 0; i <= Number(runs); i++) {
      const lake = join(folder, `lake-${i}`);
      const given = { ...env, FILINGLAKE_API_KEY: api_key, FILINGLAKE_HOME: join(folder, `home-${i}`) };
      for (const [what, args] of commandsOf(definition, lake)) {
        const cost = timed(args, given);
        if (i > 0) costs.set(what, [...(costs.get(what) ?? []), cost]);
      }
      // Ends the Temporal of this round.
      timed(['status'], { ...given, FILINGLAKE_LINGER: '0' });
    }
    const rows = [...costs].map(([what, of]) => ({
      what,
      wall_seconds: round(median(of.map(({ wall }) => wall))),
      cpu_seconds: round(median(of.map(({ cpu }) => cpu))),
    }));
    show(rows, json, { filings: Number(filings), runs: Number(runs), rows });
  } finally {
    service?.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    rmSync(PUBLISHED, { recursive: true, force: true });
  }
}

function commandsOf(definition: string, lake: string): [string, string[]][] {
  return [
    ['export, Temporal not running', ['export', definition, '--lake', lake]],
    ['the same again, nothing new', ['export', definition, '--lake', lake]],
    ['status', ['status']],
    ['sql', ['sql', 'SELECT count(*) FROM filings', '--lake', lake]],
    ['panel', ['panel', '--items', 'revenue,net_income', '--lake', lake]],
  ];
}

/** Wall time, and CPU of the command with the processes that it waited for: bash tells both. */
function timed(args: string[], env: NodeJS.ProcessEnv): Cost {
  const out = join(env.FILINGLAKE_HOME!, '..', 'printed.txt');
  const script = 'TIMEFORMAT="%R %U %S"; { time "$@" >"$OUT" 2>"$OUT.err"; } 2>&1 || { cat "$OUT.err" >&2; exit 1; }';
  const command = ['-c', script, 'bash', process.execPath, MAIN, ...args];
  const told = execFileSync('bash', command, { env: { ...env, OUT: out }, encoding: 'utf8' });
  const [wall, user, system] = told.trim().split(' ').map(Number) as [number, number, number];
  return { wall, cpu: user + system };
}
