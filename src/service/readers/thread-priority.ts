/** The priority of a thread: long searches must not take the processor from the main thread and from short look-ups. */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Below the rest of the process */
const NICENESS = 5;
const NICENESS_MAX = 19;

/** Lowers the priority of the calling thread. Only Linux has priorities for threads; elsewhere nothing changes. */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    // `PID/task/THREAD`: a synchronous call runs on the thread that makes it.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(NICENESS_MAX, getPriority(thread) + NICENESS));
  } catch {
    // Without /proc the threads share one priority.
  }
}
