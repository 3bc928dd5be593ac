/** A command's process ends with its exit code, although something in it would keep it alive, as threads of a failed worker do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CHECKOUT } from '../../support/test-stack.ts';

const LEFTOVER = 'data:text/javascript,setInterval(() => {}, 1_000_000)';

it.each([
  [['--version'], 0],
  [['sql'], 2],
] as const)('filinglake %j ends with %d', async (words, code) => {
  const main = path.join(CHECKOUT, 'src/cli/main.ts');
  const child = spawn(process.execPath, ['--import', LEFTOVER, main, ...words], { stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([code, null]);
});
