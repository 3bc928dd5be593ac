/** A server in a process of its own, with its CPU time and memory as the system counts them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Pool } from 'undici';
import { cpuSecondsOf, readProc } from '../recording/proc.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');

export interface Server {
  url: string;
  pool: Pool;
  pid: number;
  /** Of the server and its children, in milliseconds; 0 where the system doesn't say (no /proc) */
  cpu: () => number;
  /** Resident memory of the server and its children, in MB */
  megabytes: () => number;
  stop: () => Promise<void>;
}

/** `filinglake serve` on a catalog. */
export function startService(catalog: string, connections: number, options: readonly string[] = []): Promise<Server> {
  return startServer([MAIN, 'serve', '--catalog', catalog, '--port', '0', '--json', ...options], connections);
}

/** The bare handler on the same catalog. */
export function startBare(catalog: string, connections: number): Promise<Server> {
  return startServer([resolve(import.meta.dirname, 'bare.ts'), catalog], connections);
}

async function startServer(args: string[], connections: number): Promise<Server> {
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const pool = new Pool(url, { connections, allowH2: false });
  const pid = server.pid!;
  const all = () => [pid, ...childrenOf(pid)];
  return {
    url,
    pool,
    pid,
    cpu: () => all().reduce((sum, one) => sum + cpuSecondsOf(one) * 1_000, 0),
    megabytes: () => Math.round(all().reduce((sum, one) => sum + residentMegabytes(one), 0)),
    stop: async () => {
      await pool.close();
      server.kill('SIGTERM');
      await once(server, 'close');
    },
  };
}

export async function askJson<T>(pool: Pool, path: string): Promise<T> {
  const { statusCode, body } = await pool.request({ path, method: 'GET' });
  if (statusCode !== 200) throw new Error(`${statusCode}: ${await body.text()}`);
  return (await body.json()) as T;
}

/** One request, read to its end. @returns milliseconds */
export async function timed(pool: Pool, path: string): Promise<number> {
  const from = performance.now();
  const { statusCode, body } = await pool.request({ path, method: 'GET' });
  const answer = await body.arrayBuffer();
  if (statusCode !== 200) throw new Error(`${statusCode}: ${Buffer.from(answer)}`);
  return performance.now() - from;
}

/** The turn with the middle ratio of three, after one to warm up: other load on the machine affects both sides. */
export async function inTurns(
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<[ours: number, theirs: number]> {
  const turns: [number, number][] = [];
  for (let turn = 0; turn <= 3; turn++) turns.push([await ours(), await theirs()]);
  return turns.slice(1).sort(([a, b], [c, d]) => a / b - c / d)[1]!;
}

/** @param times sorted */
export function percentile(times: readonly number[], share: number): number {
  return Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]! * 100) / 100;
}

function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024;
}

function childrenOf(pid: number): number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => readProc(one, 'stat').split(') ')[1]?.split(' ')[1] === String(pid));
}
