/**
 * `npm run demo [-- --from DIR | --edgar] [-- --out DIR]`: the main job from end to end, with the commands that a user would type.
 * Everything except the lake is in .filinglake/ of the checkout. Ends what it started, also on Ctrl-C.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { spawnTied } from '../bin/tied.mjs';
import { colours, errorColours } from '../src/cli/terminal/colours.ts';
import { CHECKOUT } from './steps.ts';

const SAMPLE_FILINGS = 240;
const SAMPLE_SEED = 1;
/** Of a company whose fiscal years since 2022 are in the sample. */
const SAMPLE_TICKER = 'SSAAA';
const EDGAR_TICKERS = ['AAPL', 'MSFT'];
const MAIN = join(CHECKOUT, 'src/cli/main.ts');
const WORKSHOP = join(CHECKOUT, '.filinglake');
/** Records the source of a lake: the demo replaces its own lake of another source, but never anybody else's. */
const MARKER = 'made-by-demo.json';

const QUESTIONS: [string, string][] = [
  [
    'Which forms are there, how many, how large?',
    `SELECT form_type, count(*) AS filings, min(filing_date) AS first, max(filing_date) AS last, round(avg(size) / 1000) AS avg_kb
FROM filings GROUP BY ALL ORDER BY filings DESC, form_type LIMIT 8`,
  ],
  [
    'Whose annual reports say most about risk?',
    `SELECT f.entity_name, f.filing_date, length(s.text) AS characters, left(trim(regexp_replace(s.text, '\\s+', ' ', 'g')), 60) AS begins
FROM section_contents s JOIN filings f USING (accession_number)
WHERE s.section = '1A' AND f.form_type LIKE '10-K%' ORDER BY characters DESC LIMIT 5`,
  ],
  [
    'What do companies report on Form 8-K?',
    `SELECT item, any_value(title) AS title, count(*) AS filings, count(DISTINCT cik) AS companies
FROM items_8k JOIN filings USING (accession_number) GROUP BY item ORDER BY filings DESC, item LIMIT 6`,
  ],
];

const { values: options } = parseArgs({
  options: {
    edgar: { type: 'boolean' },
    from: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (options.help) {
  process.stdout.write(`npm run demo [-- --from DIR | --edgar] [-- --out DIR]

  --from DIR  EDGAR files to use (default: a sample corpus of ${SAMPLE_FILINGS} filings, made here)
  --edgar     annual and quarterly reports of ${EDGAR_TICKERS.join(' and ')} of the last year, from EDGAR itself. Set FILINGLAKE_EDGAR_AGENT
              to your name and e-mail first
  --out DIR   the lake (default: ./lake)
`);
  process.exit(0);
}

const children = new Set<ChildProcess>();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true;
    // From a terminal the children have the signal already; a second one would make them end at once.
    for (const child of children) if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
  });
}

class Failed extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

const env: NodeJS.ProcessEnv = {
  ...process.env,
  FILINGLAKE_HOME: process.env.FILINGLAKE_HOME ?? join(WORKSHOP, 'home'),
};
const startedAt = performance.now();
try {
  await (options.edgar ? edgarDemo() : demo());
} catch (error) {
  if (!(error instanceof Failed)) throw error;
  if (!interrupted) process.stderr.write(`${errorColours.red('the demo stopped:')} ${error.message}\n`);
  process.exitCode = interrupted ? 130 : error.exitCode;
} finally {
  for (const child of children) child.kill('SIGTERM');
  for (const child of children) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function demo(): Promise<void> {
  const from = options.from === undefined ? null : resolve(options.from);
  if (from !== null && !existsSync(from)) throw new Failed(`--from: there is no ${from}`, 2);
  const source = from === null ? `sample-${SAMPLE_FILINGS}-${SAMPLE_SEED}` : `folder-${folderFingerprint(from)}`;
  const lake = resolve(options.out ?? join(CHECKOUT, 'lake'));
  const shownLake = relative(process.cwd(), lake) || '.';
  makeWay(lake, source);

  const corpus = from ?? join(WORKSHOP, source);
  if (from === null) {
    title('1', 'a sample corpus: EDGAR-shaped files of our own making');
    await run('sample', '--filings', String(SAMPLE_FILINGS), '--seed', String(SAMPLE_SEED), '--out', corpus);
  } else {
    title('1', `the EDGAR files in ${options.from}`);
  }

  title('2', 'into a catalog');
  const catalog = join(WORKSHOP, `${source}-catalog`);
  await run('ingest', corpus, '--catalog', catalog);
  const key = keyFor(catalog) ?? (await makeKey(catalog));
  env.FILINGLAKE_API_KEY = key;

  title('3', 'served at /v2');
  const { url, service } = await serve(catalog);
  env.FILINGLAKE_BASE_URL = url;

  title('4', 'exported into a lake, by Temporal workflows');
  const definition = join(WORKSHOP, 'demo.yaml');
  writeFileSync(
    definition,
    `name: demo
select: {}
tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents, fundamentals, fundamental_sources, fundamental_checks]
documents: { types: [all], graphics: true, xml: raw }
`,
  );
  // An earlier demo that was interrupted may have left a run behind, whose service is gone.
  const leftBehind = await goingOnIn(lake);
  if (leftBehind !== null) await run('cancel', leftBehind);
  const exportedAt = performance.now();
  await run('export', definition, '--lake', lake);
  const exportSeconds = (performance.now() - exportedAt) / 1000;

  title('5', 'checked');
  await run('lake', 'check', '--lake', lake);
  service.kill('SIGTERM');

  title('6', 'asked');
  for (const [question, sql] of QUESTIONS) {
    process.stdout.write(`\n${colours.bold(question)}\n`);
    await run('sql', sql, '--lake', lake);
  }
  process.stdout.write(`\n${colours.bold('How did companies do, year by year, and where does a figure stand?')}\n`);
  await run('panel', '--items', 'revenue,net_income,total_assets', '--lake', lake);
  if (from === null) await run('fundamentals', SAMPLE_TICKER, 'revenue', '2024', '--explain', '--lake', lake);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(`
${colours.green('Done')} in ${seconds} s, without the installation (the export command: ${exportSeconds.toFixed(1)} s). The lake is ${shownLake}: ask it yourself.

  npx filinglake sql "SELECT * FROM filings LIMIT 5" --lake ${shownLake}
  npx filinglake schema
  duckdb -c "SET VARIABLE lake = '${shownLake}'" -c ".read ${shownLake}/lake.sql" -c "FROM filings"
  python -c "import deltalake; print(deltalake.DeltaTable('${shownLake}/filings').to_pandas())"   # pip install 'deltalake[pyarrow]' pandas

To export more of it, straight from its catalog, without service or key:

  npx filinglake init earnings-releases
  npx filinglake export earnings-releases.yaml --set service.catalog=${shown(catalog)} --lake my-lake
`);
}

/** From EDGAR itself: one definition, one command. */
async function edgarDemo(): Promise<void> {
  if (options.from !== undefined) throw new Failed('--edgar and --from exclude each other', 2);
  if (!process.env.FILINGLAKE_EDGAR_AGENT) {
    throw new Failed('set FILINGLAKE_EDGAR_AGENT="Your Name you@your.domain" first: SEC asks for both', 2);
  }
  const lake = resolve(options.out ?? join(CHECKOUT, 'lake'));
  const shownLake = relative(process.cwd(), lake) || '.';
  makeWay(lake, `edgar-${EDGAR_TICKERS.join('-')}`);
  mkdirSync(WORKSHOP, { recursive: true });

  title('1', 'what you want, in a file');
  const definition = join(WORKSHOP, 'edgar-demo.yaml');
  const text = `name: edgar-demo
service: { catalog: ${JSON.stringify(join(WORKSHOP, 'edgar-catalog'))}, edgar: { max_filings: 200 } }
select:
  entity_query: { tickers: [${EDGAR_TICKERS.join(', ')}] }
  form_types: [10-K, 10-Q]
  date_from: -1y
tables: [entities, entity_tickers, filings, parties, documents, sections, section_contents]
`;
  writeFileSync(definition, text);
  process.stdout.write(colours.dim(text));

  title('2', 'from EDGAR into a lake, by Temporal workflows');
  await run('export', definition, '--lake', lake);

  title('3', 'checked');
  await run('lake', 'check', '--lake', lake);

  title('4', 'asked');
  for (const [question, sql] of QUESTIONS.slice(0, 2)) {
    process.stdout.write(`\n${colours.bold(question)}\n`);
    await run('sql', sql, '--lake', lake);
  }
  process.stdout.write(
    `\n${colours.green('Done')}. The lake is ${shownLake}. Tomorrow the same export fetches only what is new.\n`,
  );
}

function title(step: string, text: string): void {
  process.stdout.write(`\n${colours.bold(colours.cyan(`${step}  ${text}`))}\n`);
}

/** Shows a command as a user would type it, and runs it. @throws Failed */
async function run(...args: string[]): Promise<void> {
  process.stdout.write(`${colours.dim(`$ npx filinglake ${args.map(shown).join(' ')}`)}\n`);
  const child = start(args, 'inherit');
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (interrupted) throw new Failed('interrupted', 130);
  if (code !== 0) throw new Failed(`filinglake ${args[0]} ended with ${signal ?? `exit code ${code}`}`, code ?? 1);
}

async function output(...args: string[]): Promise<string> {
  const child = start(args, 'pipe');
  let text = '';
  child.stdout!.on('data', (data: Buffer) => {
    text += data.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Failed(`filinglake ${args[0]} ended with exit code ${code}`, code ?? 1);
  return text;
}

function start(
  args: string[],
  stdout: 'inherit' | 'pipe',
  stderr: 'inherit' | 'pipe' = 'inherit',
  detached = false,
): ChildProcess {
  if (interrupted) throw new Failed('interrupted', 130);
  const child = spawnTied(process.execPath, [MAIN, ...args], { env, stdio: ['inherit', stdout, stderr], detached });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function shown(argument: string): string {
  const path = argument.startsWith('/') ? relative(process.cwd(), argument) || '.' : argument;
  return /^[\w./:=-]+$/.test(path) ? path : `"${path.replace(/\s+/g, ' ')}"`;
}

async function serve(catalog: string): Promise<{ url: string; service: ChildProcess }> {
  process.stdout.write(`${colours.dim(`$ npx filinglake serve --catalog ${shown(catalog)} &`)}\n`);
  // In its own process group: Ctrl-C is for the export, which ends more cleanly while its service answers.
  const service = start(['serve', '--catalog', catalog, '--json'], 'pipe', 'pipe', true);
  let errors = '';
  service.stderr!.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const url = await new Promise<string>((settle, reject) => {
    let text = '';
    service.stdout!.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.includes('\n')) settle((JSON.parse(text.slice(0, text.indexOf('\n'))) as { url: string }).url);
    });
    service.once('exit', (code) =>
      reject(new Failed(`filinglake serve ended with exit code ${code}\n${errors}`, code ?? 1)),
    );
  });
  process.stdout.write(`${url}\n`);
  return { url, service };
}

/** Id of a demo's active run that writes to a lake; null if there is none. */
async function goingOnIn(lake: string): Promise<string | null> {
  const runs = JSON.parse(await output('status', '--json')) as Record<'id' | 'name' | 'lake' | 'state', string>[];
  const open = ['running', 'paused', 'waiting_for_quota'];
  return runs.find((r) => r.name === 'demo' && r.lake === lake && open.includes(r.state))?.id ?? null;
}

/** The demo's own key, stored beside the catalog for the next time. */
function keyFor(catalog: string): string | null {
  const file = `${catalog}.key`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

async function makeKey(catalog: string): Promise<string> {
  const { api_key } = JSON.parse(
    await output('keys', 'create', '--plan', 'unlimited', '--catalog', catalog, '--json'),
  ) as {
    api_key: string;
  };
  writeFileSync(`${catalog}.key.new`, `${api_key}\n`, { mode: 0o600 });
  renameSync(`${catalog}.key.new`, `${catalog}.key`);
  return api_key;
}

/** Deletes a lake that an earlier demo made from another source. @throws Failed for a lake or folder that is somebody else's */
function makeWay(lake: string, source: string): void {
  mkdirSync(WORKSHOP, { recursive: true });
  const marker = join(lake, MARKER);
  if (existsSync(marker)) {
    const made = JSON.parse(readFileSync(marker, 'utf8')) as { source: string };
    if (made.source === source) return;
    process.stdout.write(`${relative(process.cwd(), lake)} was made by an earlier demo from other files: made again\n`);
    rmSync(lake, { recursive: true });
  } else if (existsSync(lake) && readdirSync(lake).length > 0) {
    throw new Failed(`${lake} is not a demo's lake; name another folder: npm run demo -- --out DIR`, 2);
  }
  mkdirSync(lake, { recursive: true });
  writeFileSync(marker, `${JSON.stringify({ source })}\n`);
}

/** Changes when a file is added, deleted, or changed: then catalog and lake are made again from the folder. */
function folderFingerprint(folder: string): string {
  const hash = createHash('sha256').update(folder);
  const names = statSync(folder).isDirectory()
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    : [''];
  for (const name of names) {
    const { size, mtimeMs } = statSync(join(folder, name));
    hash.update(`${name}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}
