/** Who has a connection is found in /proc: on Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Command } from './test-stack.ts';

/** The worker whose connection has a port. */
export function workerOf(port: number, workers: readonly Command[]): Command | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const inode = lines.find(([, local]) => local?.endsWith(`:${hex}`))?.[9];
  const has = (pid: number | undefined) =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`;
      } catch {
        return false;
      }
    });
  return workers.find(
    ({ process: { pid, exitCode, signalCode } }) => exitCode === null && signalCode === null && has(pid),
  );
}
