/** Ends programs that can't notice the death of the process that started them. */
import { spawn } from 'node:child_process';

/** Waits for a line or the end of its input. The input ends when this process dies; only then the script ends the other one. */
const SCRIPT = `if read -r word; then exit 0; fi
kill -TERM "$1" 2>/dev/null || exit 0
for second in 1 2 3 4 5; do sleep 1; kill -0 "$1" 2>/dev/null || exit 0; done
kill -KILL "$1" 2>/dev/null`;

/**
 * Ends a process (SIGTERM, five seconds later SIGKILL) if this one dies first, even by SIGKILL: a shell in a separate session waits
 * for that. Without /bin/sh it does nothing.
 * @returns call it when the other process has ended
 */
export function endWithThisProcess(pid: number): () => void {
  const reaper = spawn('/bin/sh', ['-c', SCRIPT, 'filinglake-reaper', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  reaper.on('error', () => {});
  reaper.stdin.on('error', () => {});
  reaper.unref();
  return () => void reaper.stdin.end('\n');
}
