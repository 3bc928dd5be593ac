/** Steps of the checkout's commands: each runs a program in the terminal and reports the outcome. */
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { spawnTied } from '../bin/tied.mjs';

export const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

/** Path of a tool's program in node_modules: run by this Node, without npx's second search for it. */
export const TOOLS = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const;

/**
 * Runs a script under this Node in this terminal; its exit code, or 128 + 2 if Ctrl-C ended it. It does not outlive this process.
 */
export function runInTerminal(node: string, args: readonly string[]): Promise<number> {
  return new Promise((settle, fail) => {
    const child = spawnTied(node, args, { cwd: CHECKOUT, stdio: 'inherit' });
    // The terminal sends Ctrl-C to the child too: it ends, and its exit is reported here.
    const wait = () => {};
    const end = () => void child.kill('SIGTERM');
    process.on('SIGINT', wait);
    process.on('SIGTERM', end);
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      process.off('SIGINT', wait);
      process.off('SIGTERM', end);
      settle(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

export function runTool(tool: keyof typeof TOOLS, args: readonly string[]): Promise<number> {
  return runInTerminal(process.execPath, [TOOLS[tool], ...args]);
}

/**
 * Runs all steps, and prints a line for each; returns whether all succeeded.
 * @param options.atOnce all begin together; else one after the other
 */
export async function runSteps(
  steps: readonly { name: string; run: () => Promise<number> }[],
  { atOnce = false } = {},
): Promise<boolean> {
  const failed: string[] = [];
  const take = async ({ name, run }: (typeof steps)[number]) => {
    const startedAt = performance.now();
    const code = await run();
    if (code === 130) process.exit(130);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
    if (code !== 0) failed.push(name);
  };
  if (atOnce) await Promise.all(steps.map(take));
  else for (const step of steps) await take(step);
  if (failed.length > 0) process.stdout.write(`failed: ${failed.join(', ')}\n`);
  return failed.length === 0;
}
