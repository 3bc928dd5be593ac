/**
 * `npm run soak -- --service [--minutes 60] [--rate 25] [--idle 10000] [--filings 2000] [--commit-every 1] [--json]`: a service with
 * ordinary users and attackers, while filings are committed, one each second. Prints, for each twelfth of the time, the users' latencies beside those of a bare handler, memory, descriptors, and what
 * the machine's host took of its processors. The idle connections come after a sixth of the time, and leave after five sixths. Exit
 * code 1 if an ordinary request failed, latencies or memory grew, descriptors stay, the log has the key, or filings are missing. Linux only: it reads /proc.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeSample } from '../src/cli/sample/index.ts';
import { printTable } from '../src/cli/terminal/terminal.ts';
import { KeyRegister, loadPlans } from '../src/service/accounts/index.ts';
import { ingest } from '../src/service/catalog/index.ts';
import type { Attacks } from './soak-service/attack.ts';
import type { OrdinaryWindow } from './soak-service/ordinary.ts';

const { values } = parseArgs({
  options: {
    service: { type: 'boolean' },
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '25' },
    idle: { type: 'string', default: '10000' },
    filings: { type: 'string', default: '2000' },
    'commit-every': { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const WINDOWS = 12;
const windowMs = (Number(values.minutes) * 60_000) / WINDOWS;
const [IDLE_FROM, IDLE_TO] = [2, 10];
/** After the last attacker has left: longer than any limit of a connection. */
const REST_MS = 90_000;
const SAMPLE_MS = 2_000;
const MEMORY_GROWTH_MAX = 1.25;
/** Of a p99, from the first third of the time to the last. Both are medians of their windows, since one window may be disturbed. */
const P99_GROWTH_MAX = 1.5;
const DESCRIPTORS_MORE_MAX = 50;

const folder = mkdtempSync(join(tmpdir(), 'filinglake-soak-'));
const catalog = join(folder, 'catalog');
const log = join(folder, 'service.log');
const here = import.meta.dirname;
const say = (line: string) => process.stderr.write(`${line}\n`);
const children: ChildProcess[] = [];

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  });
}

interface Window {
  minute: number;
  requests: number;
  failures: string;
  info_p99: number;
  bare_p99: number;
  lookup_p99: number;
  document_p99: number;
  search_p99: number;
  rss_mb: number;
  descriptors: number;
  idle: number;
  attacks: number;
  /** Share of the machine's processors that its host gave to others: latencies then say little about the service */
  stolen_percent: number;
  /** Filings that were committed one by one */
  committed: number;
}

try {
  const everyS = Number(values['commit-every']);
  const later = everyS > 0 ? Math.ceil((Number(values.minutes) * 60) / everyS) : 0;
  await writeSample({ out: join(folder, 'files'), filings: Number(values.filings) + later, seed: 1 });
  setAside(join(folder, 'files'), join(folder, 'later'), later);
  await ingest([join(folder, 'files')], catalog);
  const accounts = KeyRegister.open(catalog, loadPlans());
  const key = accounts.createKey('unlimited').api_key;
  const attackersKey = accounts.createKey('institution').api_key;
  accounts.close();
  const service = await server([
    resolve(here, '../src/cli/main.ts'),
    'serve',
    '--catalog',
    catalog,
    '--port',
    '0',
    '--json',
    '--log',
    log,
    // The attackers' addresses are their own words.
    '--max-connections',
    String(Number(values.idle) + 4_096),
    '--trust-proxy',
    'loopback',
  ]);
  const bare = await server([resolve(here, '../bench/service-sides/bare.ts'), catalog]);
  const atRest = descriptorsOf(service.pid);
  say(`a service under attack for ${values.minutes} min, ${values.rate} ordinary requests a second`);

  const windows: Window[] = [];
  const samples = { rss: 0, descriptors: 0, idle: 0 };
  const attacked: Attacks = {};
  const sampler = setInterval(() => {
    samples.rss = Math.max(samples.rss, memoryOf(service.pid));
    samples.descriptors = Math.max(samples.descriptors, descriptorsOf(service.pid));
  }, SAMPLE_MS);
  const ordinary = fork(resolve(here, 'soak-service/ordinary.ts'), [
    service.url,
    bare.url,
    key,
    values.rate,
    String(windowMs),
  ]);
  const attackers = fork(resolve(here, 'soak-service/attack.ts'), [service.url, attackersKey, values.idle]);
  const commits = fork(resolve(here, 'soak-service/commits.ts'), [
    join(folder, 'later'),
    catalog,
    String(everyS * 1_000),
  ]);
  children.push(ordinary, attackers, commits);
  const committing = once(commits, 'exit');
  let committed = 0;
  let committedBefore = 0;
  commits.on('message', () => committed++);
  let attacks = 0;
  let processors = processorTimes();
  attackers.on('message', ({ 'idle connections now': idle = 0, ...counts }: Attacks) => {
    samples.idle = Math.max(samples.idle, idle);
    for (const [name, times] of Object.entries(counts)) {
      attacked[name] = (attacked[name] ?? 0) + times;
      attacks += times;
    }
  });
  const failed: Record<string, number> = {};
  for (let i = 1; i <= WINDOWS; i++) {
    const [window] = (await once(ordinary, 'message')) as [OrdinaryWindow];
    for (const [name, times] of Object.entries(window.failures)) failed[name] = (failed[name] ?? 0) + times;
    const { p99 } = window;
    const before = processors;
    processors = processorTimes();
    const stolen = (processors.stolen - before.stolen) / (processors.all - before.all);
    windows.push({
      minute: Math.round((i * windowMs) / 6_000) / 10,
      requests: window.requests,
      failures:
        Object.entries(window.failures)
          .map(([name, times]) => `${times} × ${name}`)
          .join(', ') || '0',
      info_p99: p99.filing_info ?? 0,
      bare_p99: p99.bare ?? 0,
      lookup_p99: p99.filing_lookup ?? 0,
      document_p99: p99.document ?? 0,
      search_p99: p99.fulltext_search ?? 0,
      rss_mb: samples.rss,
      descriptors: samples.descriptors,
      idle: samples.idle,
      attacks,
      stolen_percent: Math.round(stolen * 100),
      committed: committed - committedBefore,
    });
    committedBefore = committed;
    Object.assign(samples, { rss: 0, descriptors: 0, idle: 0 });
    attacks = 0;
    say(JSON.stringify(windows.at(-1)));
    if (i === IDLE_FROM) attackers.send({ idle: true });
    if (i === IDLE_TO) attackers.send({ idle: false });
  }
  clearInterval(sampler);
  if (commits.connected) commits.send('end');
  const left = [ordinary, attackers].map((child) => once(child, 'exit'));
  ordinary.disconnect();
  attackers.disconnect();
  await Promise.all([...left, committing]);
  await pause(REST_MS);
  const after = { rss_mb: memoryOf(service.pid), descriptors: descriptorsOf(service.pid) };
  const highest = (part: readonly Window[]) => Math.max(...part.map(({ rss_mb }) => rss_mb));
  const growth = highest(windows.slice(-2)) / highest(windows.slice(1, IDLE_FROM + 1));
  const third = WINDOWS / 3;
  const p99Growth = Object.fromEntries(
    (['info_p99', 'lookup_p99', 'document_p99'] as const).map((name) => {
      const times = windows.map((window) => window[name]);
      return [name, Math.round((median(times.slice(-third)) / median(times.slice(0, third))) * 100) / 100];
    }),
  );
  const filings = Number(values.filings) + committed;
  const { count } = await answerOf<{ count: number }>(`${service.url}/v2/filing_lookup?to=0&api_key=${key}`);
  const keysInLog = readFileSync(log, 'utf8').match(new RegExp(`${key}|${attackersKey}`, 'g'))?.length ?? 0;
  const problems = [
    ...Object.entries(failed).map(([name, times]) => `${times} ordinary requests failed: ${name}`),
    ...(growth > MEMORY_GROWTH_MAX ? [`memory grew by ${Math.round((growth - 1) * 100)} %`] : []),
    ...Object.entries(p99Growth)
      .filter(([, times]) => !(times <= P99_GROWTH_MAX))
      .map(([name, times]) => `${name} grew to ${times} times`),
    ...(after.descriptors > atRest + DESCRIPTORS_MORE_MAX
      ? [`${after.descriptors - atRest} descriptors were not freed`]
      : []),
    ...(count === filings ? [] : [`the service has ${count} filings; ${filings} were committed`]),
    ...(keysInLog > 0 ? [`the log has a key ${keysInLog} times`] : []),
  ];
  const result = {
    windows,
    attacked,
    at_rest: { descriptors: atRest },
    after,
    filings,
    growth,
    p99_growth: p99Growth,
    problems,
  };
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else {
    printTable(windows as unknown as Record<string, unknown>[], Object.keys(windows[0]!));
    say(
      `attacks: ${Object.entries(attacked)
        .map(([name, times]) => `${name} ${times}`)
        .sort()
        .join(', ')}`,
    );
    say(`after: ${after.rss_mb} MB, ${after.descriptors} descriptors (${atRest} at the start)`);
    say(problems.join('\n') || 'no ordinary request failed; latencies, memory and descriptors are flat');
  }
  if (problems.length > 0) process.exitCode = 1;
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  rmSync(folder, { recursive: true, force: true });
}

/** Moves the last filings of a sample out of it. */
function setAside(files: string, to: string, count: number): void {
  mkdirSync(to);
  const filings = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((file) => /-\d{6}\.\w+$/.test(file));
  // By their sequence numbers: of many companies and years.
  filings.sort((a, b) => (a.slice(-10) < b.slice(-10) ? -1 : 1));
  for (const file of filings.slice(filings.length - count)) renameSync(join(files, file), join(to, basename(file)));
}

async function answerOf<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

async function server(args: string[]): Promise<{ url: string; pid: number }> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      FILINGLAKE_CHROMIUM: 'none',
      FILINGLAKE_BILLING_SECRET: 'soak',
      FILINGLAKE_BILLING_URL: 'http://127.0.0.1:9',
    },
  });
  children.push(child);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { url: (JSON.parse(line) as { url: string }).url, pid: child.pid! };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** Of all processors since the machine started, in ticks; `stolen` is what a virtual machine did not get. */
function processorTimes(): { stolen: number; all: number } {
  const [, times = ''] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
  const ticks = times.split(' ').map(Number);
  // The last two, of guests, are part of the first two.
  return { stolen: ticks[7] ?? 0, all: ticks.slice(0, 8).reduce((sum, one) => sum + one, 0) };
}

/** Megabytes */
function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
