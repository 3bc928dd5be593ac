/** Programs that end with the process that started them, however that died. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { identityOf } from '../../../../src/export/runtime/temporal/leases.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../../..');
const PASS_ON = pathToFileURL(join(CHECKOUT, 'bin/pass-on.mjs')).href;
const PATIENT = { timeout: 120_000, interval: 50 };

let folder: string;
let started: ChildProcess[];
beforeEach(() => {
  folder = temporaryFolder();
  started = [];
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** A launcher in place of a script, as bin/filinglake.mjs under an older Node. @returns both, and the script's pid */
async function launched(script: string): Promise<{ launcher: ChildProcess; pid: number }> {
  const file = join(folder, 'script.mjs');
  writeFileSync(file, `console.log(process.pid);\n${script}`);
  const launch = `import(${JSON.stringify(PASS_ON)}).then(({ passOn }) => passOn(process.execPath, [${JSON.stringify(file)}], process.env))`;
  const launcher = spawn(process.execPath, ['-e', launch], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(launcher);
  const [line] = (await once(createInterface({ input: launcher.stdout! }), 'line')) as [string];
  return { launcher, pid: Number(line) };
}

const isGone = (pid: number) => identityOf(pid) === null;

describe('a program under a fetched Node', () => {
  it('ends when its launcher is killed', async () => {
    const { launcher, pid } = await launched('setInterval(() => {}, 1000);');
    expect(isGone(pid)).toBe(false);
    launcher.kill('SIGKILL');
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), PATIENT);
  });

  it('ends cleanly if it would do so on a signal', async () => {
    const left = join(folder, 'left');
    const { launcher, pid } = await launched(`
      import { writeFileSync } from 'node:fs';
      const alive = setInterval(() => {}, 1000);
      process.once('SIGTERM', () => setTimeout(() => { writeFileSync(${JSON.stringify(left)}, 'in order'); clearInterval(alive); }, 200));`);
    launcher.kill('SIGKILL');
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), PATIENT);
    expect(readFileSync(left, 'utf8')).toBe('in order');
  });

  it('is left alone as long as its launcher lives, ends when it is done, and its own programs are not tied', async () => {
    const { launcher } = await launched(`
      import { fork } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      import { Worker } from 'node:worker_threads';
      new Worker('1', { eval: true }).once('exit', () => {
        const forked = fork(${JSON.stringify(join(folder, 'forked.mjs'))});
        forked.once('message', (text) => { process.exitCode = text === 'free' ? 7 : 1; });
      });
      writeFileSync(${JSON.stringify(join(folder, 'forked.mjs'))}, "process.send(process.env.FILINGLAKE_TIED ?? 'free', () => process.disconnect())");`);
    const [code] = (await once(launcher, 'exit')) as [number];
    expect(code).toBe(7);
  });

  it('gets the signals of its launcher', async () => {
    const { launcher, pid } = await launched('setInterval(() => {}, 1000);');
    launcher.kill('SIGTERM');
    const [, signal] = (await once(launcher, 'exit')) as [number | null, string];
    expect(signal).toBe('SIGTERM');
    expect(isGone(pid)).toBe(true);
  });
});
