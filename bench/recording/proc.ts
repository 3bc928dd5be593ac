/** What the system says of other processes. It loads nothing of ours: sides of benchmarks, whose own start is measured, use it. */
import { readFileSync } from 'node:fs';

/** User and system time of a process; 0 where the system doesn't say. */
export function cpuSecondsOf(pid: number): number {
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  // In ticks of 10 ms.
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** A file of a process in /proc; empty if it has ended, or the system has no /proc. */
export function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
