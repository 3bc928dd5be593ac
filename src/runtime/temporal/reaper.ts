/** Programs that can't watch for the death of the process that started them. */
import { spawn } from 'node:child_process';

/** Reads a line or the end of its input; that end comes when this process dies, and only then is the other one ended. */
const SCRIPT = `if read -r word; then exit 0; fi
kill -TERM "$1" 2>/dev/null || exit 0
for second in 1 2 3 4 5; do sleep 1; kill -0 "$1" 2>/dev/null || exit 0; done
kill -KILL "$1" 2>/dev/null`;

/**
 * Has a process ended (SIGTERM, five seconds later SIGKILL) when this one dies without having done so, SIGKILL included: a shell waits
 * for that in a session of its own. Without /bin/sh nothing is done.
 * @returns to be called when the other process has ended
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
