/**
 * XBRL facts of many companies in a bucket: bytes that engines read for one company, one concept and one quarter, before and
 * after a compaction. The facts are made up; a report has some hundred of them, and parts lie in the order of filing.
 */
import { execFile } from 'node:child_process';
import { closeSync, globSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { readSettings } from '../src/core/environment/index.ts';
import { adoptPart, buildPart } from '../src/lake/commit/parts.ts';
import { openLake } from '../src/lake/index.ts';
import { applyCommit, nextCommit, type Part, tableState } from '../src/lake/log/log.ts';
import { openStorage } from '../src/lake/state/places.ts';
import { LakeState } from '../src/lake/state/state.ts';
import { readLakeFile } from '../src/lake/storage/lake-file.ts';
import { commitPath } from '../src/lake/storage/layout.ts';
import { putOnce } from '../src/lake/storage/put-once.ts';
import { duckdbWith, pythonReaders } from '../test/support/lake/python-readers.ts';
import { cost, show } from './recording/measuring.ts';

export const summary =
  'facts in a bucket, what engines read of them: [ROWS] [COMPANIES] [PARTS] (default 18,500,000 6,000 120; FILINGLAKE_FACTS_ENGINES=duckdb,polars,daft,spark)';

const QUARTERS = 60;
const TABLE = 'xbrl_facts';

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const [rows = 18_500_000, companies = 6_000, parts = 120] = args.map(Number);
  const folder = mkdtempSync(join(process.env.FILINGLAKE_BENCH_FOLDER ?? tmpdir(), 'filinglake-facts-'));
  try {
    const place = join(folder, 'lake');
    await makeLake(place, rows, companies, parts);
    const measured = await measure(place, 'as committed');
    const lake = await openLake(place);
    let report = {};
    const { cpu } = await cost(async () => {
      report = (await lake.compact({ tables: [TABLE] })).tables[TABLE]!;
    });
    await lake.close();
    process.stderr.write(`compacted: ${JSON.stringify({ ...report, cpu_seconds: cpu })}\n`);
    measured.push(...(await measure(place, 'compacted')));
    show(measured, json, { rows, companies, parts, measured });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Parts in the order of filing: each has all companies' reports of half a quarter, as an export over the years leaves them. */
async function makeLake(place: string, rows: number, companies: number, parts: number): Promise<void> {
  await (await openLake(place, { create: true })).close();
  const storage = openStorage(place);
  const lake = new LakeState(storage, (await readLakeFile(storage))!, {});
  const table = lake.tables.get(TABLE)!;
  const connection = await (await lake.engines.writer()).connect();
  const add: Part[] = [];
  const each = Math.floor(rows / parts);
  // Facts of a report; a fifth of them are of the year before.
  const facts = Math.max(1, Math.floor(each / (companies / (parts / QUARTERS))));
  const values: Record<string, string> = {
    accession_number: `printf('%010d-%02d-%06d', cik, (2010 + quarter // 4) % 100, report % 1000000)`,
    file: `'report.htm'`,
    position: `place::INTEGER`,
    fact_id: `printf('f-%d', place)`,
    concept: `CASE WHEN place % 7 = 0 THEN printf('c%d:Own%d', cik, place % 40) ELSE printf('us-gaap:Concept%d', (place * 31 + cik % 5) % 1500) END`,
    concept_namespace: `'http://fasb.org/us-gaap/2024'`,
    context_id: `printf('c-%d', place % 60)`,
    entity_cik: `cik::VARCHAR`,
    period_start: `CASE WHEN place % 3 = 0 THEN NULL ELSE end_of - INTERVAL 89 DAY END`,
    period_end: `CASE WHEN place % 5 = 0 THEN end_of - INTERVAL 1 YEAR ELSE end_of END`,
    unit: `CASE WHEN place % 40 = 39 THEN NULL ELSE 'USD' END`,
    decimals: `CASE WHEN place % 40 = 39 THEN NULL ELSE '-3' END`,
    // One in forty is a text block, here of 2 kB.
    value: `CASE WHEN place % 40 = 39 THEN repeat(md5(report || '-' || place), 64) ELSE (hash(report, place) % 1000000000)::VARCHAR || '000' END`,
    value_number: `CASE WHEN place % 40 = 39 THEN NULL ELSE (hash(report, place) % 1000000000)::DOUBLE * 1000 END`,
    is_nil: 'false',
    is_text_block: 'place % 40 = 39',
    dimensions: `CASE WHEN place % 2 = 0 THEN '{}' ELSE printf('{"us-gaap:StatementBusinessSegmentsAxis":"c%d:Segment%d"}', cik, place % 6) END`,
    footnotes: `'[]'`,
    is_hidden: 'false',
    start_index: 'place * 900',
    end_index: 'place * 900 + 400',
  };
  for (let part = 0; part < parts; part++) {
    // In the order of filing, which is not that of companies.
    const reports = `SELECT ${part}::BIGINT * 1000000 + n AS report, ${Math.floor((part * QUARTERS) / parts)} AS quarter,
      1000 + (n * ${Math.ceil(parts / QUARTERS)} + ${part} % ${Math.ceil(parts / QUARTERS)}) * 37 % ${companies} * 3 AS cik,
      DATE '2010-03-31' + to_months(3 * ${Math.floor((part * QUARTERS) / parts)}) AS end_of
      FROM range(${Math.ceil(each / facts)}) t(n)`;
    const columns = table.columns.map(({ name, type }) => `(${values[name] ?? 'NULL'})::${type} AS "${name}"`);
    const select = `SELECT ${columns.join(', ')} FROM (${reports}) r, range(${facts}) p(place)`;
    add.push(await adoptPart(storage, table, await buildPart(storage, connection, table, select), 'new'));
    if (part % 20 === 19) process.stderr.write(`${part + 1} of ${parts} parts\n`);
  }
  const snapshot = await lake.snapshot();
  const made = add.reduce((sum, part) => sum + part.rows, 0);
  const change = {
    add,
    remove: [],
    rows_new: made,
    rows_replaced: 0,
    rows_removed: 0,
    rows_dropped: 0,
    columns: table.columns.length,
    previous: tableState(snapshot, TABLE).version,
  };
  const commit = nextCommit(snapshot, lake.tables, { [TABLE]: change }, { run_id: 'bench', batch_id: 'bench' });
  await putOnce(storage, commitPath(commit.version), Buffer.from(`${JSON.stringify(commit)}\n`));
  await lake.publish(applyCommit(snapshot, commit), commit);
  connection.closeSync();
  await lake.engines.close();
  const bytes = add.reduce((sum, part) => sum + part.bytes, 0);
  process.stderr.write(`${made} rows, ${add.length} parts, ${Math.round(bytes / 1e6)} MB\n`);
}

const QUESTIONS = {
  company: `entity_cik = '4663'`,
  'company and concept': `entity_cik = '4663' AND concept = 'us-gaap:Concept31'`,
  concept: `concept = 'us-gaap:Concept31'`,
  quarter: `period_end = DATE '2019-12-31'`,
};

/** Of the Hadoop that Spark 4.0.1 carries. SPARK_JARS names files in its place. */
const S3A = 'org.apache.hadoop:hadoop-aws:3.4.1';
/** What S3 says of a path that is an object, and of each object. */
const NO_FOLDER = '<ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount></ListBucketResult>';
const OBJECT = { etag: '"0"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };

/** Each engine in a process of its own, over HTTP: the server counts. */
async function measure(place: string, state: string): Promise<Record<string, unknown>[]> {
  const [others, duckdb] = [pythonReaders(), duckdbWith('httpfs')];
  if ('missing' in others || 'missing' in duckdb) throw new Error('the readers of PyPI are not at hand');
  const { cacheFolder } = readSettings();
  let bytes = 0;
  let requests = 0;
  const files = globSync(`${TABLE}/*.parquet`, { cwd: place });
  const open = await openLake(place);
  const { tables } = await open.snapshot();
  const live = [...tables.get(TABLE)!.parts.keys()];
  await open.close();
  const names = files.map((file) => relative('.', file)).filter((file) => live.some((part) => file.endsWith(part)));
  // Not in memory: 185 million rows take gigabytes.
  const contents = new Map(
    names.map((name) => [
      `/${name}`,
      { fd: openSync(join(place, name), 'r'), length: statSync(join(place, name)).size },
    ]),
  );
  const total = [...contents.values()].reduce((sum, { length }) => sum + length, 0);
  const server = createServer(({ url = '', method, headers }, response) => {
    if (url.includes('list-type=2')) return void response.end(NO_FOLDER);
    // A path of a bucket `lake`, for Spark.
    const body = contents.get(url.replace(/^\/lake\//, '/'));
    if (!body) return void response.writeHead(404).end();
    const range = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '');
    const [, first = '', last = ''] = range ?? [];
    const from = first === '' && last !== '' ? Math.max(0, body.length - Number(last)) : Number(first);
    const to = first !== '' && last !== '' ? Math.min(body.length, Number(last) + 1) : body.length;
    const about = { 'accept-ranges': 'bytes', 'content-length': to - from, ...OBJECT };
    response.writeHead(
      range ? 206 : 200,
      range ? { ...about, 'content-range': `bytes ${from}-${to - 1}/${body.length}` } : about,
    );
    requests++;
    if (method === 'HEAD') return void response.end();
    bytes += to - from;
    const asked = Buffer.allocUnsafe(to - from);
    readSync(body.fd, asked, 0, asked.length, from);
    response.end(asked);
  });
  // Longer than an engine on a busy machine is silent: it would wait before it connects again.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as { port: number };
  const urls = names.map((name) => `http://127.0.0.1:${port}/${name}`);
  const found: Record<string, unknown>[] = [];
  try {
    for (const engine of (process.env.FILINGLAKE_FACTS_ENGINES ?? 'duckdb,polars').split(',')) {
      for (const [question, where] of Object.entries(QUESTIONS)) {
        bytes = 0;
        requests = 0;
        const script = join(import.meta.dirname, 'facts-sides/read.py');
        const python = engine === 'duckdb' ? duckdb : others;
        // Those of `npm run spark` and of test/library/slow/python/other-engines.
        const own = engine === 'spark' || engine === 'daft' ? join(cacheFolder, `python-${engine}`) : python.modules;
        const modules = [own, process.env.PYTHONPATH ?? ''].join(':');
        const { stdout } = await promisify(execFile)(
          python.command,
          [script, engine, question, where, JSON.stringify(urls), duckdb.files[0]!, S3A],
          { env: { ...process.env, PYTHONPATH: modules }, maxBuffer: 2 ** 26 },
        );
        const { rows, seconds } = JSON.parse(stdout) as { rows: number; seconds: number };
        const mb = Math.round(bytes / 1e4) / 100;
        const share = Math.round((bytes / total) * 1e4) / 1e4;
        found.push({
          state,
          engine,
          question,
          rows,
          parts: names.length,
          mb,
          share_of_table: share,
          requests,
          seconds,
        });
        process.stderr.write(`${JSON.stringify(found.at(-1))}\n`);
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
    for (const { fd } of contents.values()) closeSync(fd);
  }
  return found;
}
