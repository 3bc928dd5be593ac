/** Starts Node programs that do not outlive the process that starts them. */
import { spawn } from 'node:child_process';

const END_WITH_PARENT = new URL('./end-with-parent.mjs', import.meta.url).href;

/**
 * Starts a script under Node so that it gets SIGTERM when this process ends, SIGKILL included.
 * @param {string} node path of Node's program
 * @param {readonly string[]} args the script and its arguments
 * @param {import('node:child_process').SpawnOptions & { stdio: import('node:child_process').StdioOptions }} options `stdio`: a word for all three, or three
 */
export function spawnTied(node, args, { stdio, env = process.env, ...options }) {
  const three = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  const child = spawn(node, ['--import', END_WITH_PARENT, ...args], {
    ...options,
    stdio: [...three, 'pipe'],
    env: { ...env, FILINGLAKE_TIED: '1' },
  });
  const pipe = child.stdio[3];
  pipe?.on('error', () => {});
  // It keeps nobody: whoever waits, waits for the child.
  pipe?.unref?.();
  return child;
}
