/** Steps of the checkout's commands: each runs a program in the terminal and says how it went. */
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

export const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

/** Where a tool's program lies in node_modules: run by this Node, without npx's second look for it. */
export const TOOLS = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const;

/** Runs a program in this terminal; its exit code, 128 + 2 where Ctrl-C ended it. */
export function runInTerminal(program: string, args: readonly string[]): Promise<number> {
  return new Promise((settle, fail) => {
    const child = spawn(program, args, { cwd: CHECKOUT, stdio: 'inherit' });
    // The terminal sends Ctrl-C to the child too: it ends, and we tell how it ended.
    const wait = () => {};
    process.on('SIGINT', wait);
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      process.off('SIGINT', wait);
      settle(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

export function runTool(tool: keyof typeof TOOLS, args: readonly string[]): Promise<number> {
  return runInTerminal(process.execPath, [TOOLS[tool], ...args]);
}

/** Runs steps one after the other, all of them, and prints a line for each; whether all went well. */
export async function runSteps(steps: readonly { name: string; run: () => Promise<number> }[]): Promise<boolean> {
  const failed: string[] = [];
  for (const { name, run } of steps) {
    const startedAt = performance.now();
    const code = await run();
    if (code === 130) process.exit(130);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) process.stdout.write(`failed: ${failed.join(', ')}\n`);
  return failed.length === 0;
}
