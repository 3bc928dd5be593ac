/** What benchmarks measure with, and how they print. */
import { printJson, printTable } from '../../src/cli/terminal/terminal.ts';

/** CPU of all threads of this process for a task, DuckDB's too, and its time, in seconds: other processes may use the machine. */
export async function cost(work: () => unknown): Promise<{ wall: number; cpu: number }> {
  const before = process.cpuUsage();
  const from = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - from) / 1000, cpu: (user + system) / 1e6 };
}

/** As `cost`, of a task that doesn't wait. */
export function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** With two digits behind the point. */
export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Prints rows as a table, or with `json` an object that has them. */
export function show(rows: readonly object[], json: boolean, all: object): void {
  if (json) printJson(all);
  else printTable(rows as Record<string, unknown>[], Object.keys(rows[0] ?? {}));
}

/** Numbers with three digits, from 100 on with six. */
export function rounded(row: object): Record<string, unknown> {
  const short = (value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(value >= 100 ? 6 : 3)) : value;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, short(value)]));
}
