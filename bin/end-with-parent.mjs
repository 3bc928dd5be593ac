/**
 * Loaded first (`--import`) into a program that `tied.mjs` started: it ends when the process that started it does, however that died.
 * That one holds the other end of a pipe, and the system closes it. Runs on Linux, macOS and Windows.
 */
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** File descriptor of the pipe; `tied.mjs` counts on it. */
const PIPE = 3;
/** A run that is asked to end seals what it has: half of this at most. */
const END_MS = 30_000;

if (isMainThread && process.env.FILINGLAKE_TIED) {
  // Whatever this process starts has another parent, and another third descriptor.
  delete process.env.FILINGLAKE_TIED;
  const pipe = new Socket({ fd: PIPE, readable: true, writable: false });
  pipe.on('error', () => {});
  pipe.once('close', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(143), END_MS).unref();
  });
  pipe.resume();
  pipe.unref();
}
