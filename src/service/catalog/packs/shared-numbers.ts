/** Numbers that all threads of a process share. */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Threads inherit the environment data of the one that starts them, and with it this memory. */
export function sharedNumbers(name: string, count: number): BigInt64Array {
  const shared = getEnvironmentData(name) as unknown as BigInt64Array | undefined;
  if (shared !== undefined) return shared;
  const made = new BigInt64Array(new SharedArrayBuffer(count * BigInt64Array.BYTES_PER_ELEMENT));
  setEnvironmentData(name, made as never);
  return made;
}
