import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeProcessLock } from '../../../../src/core/environment/process-lock.ts';
import {
  identityOf,
  isAlive,
  liveLeases,
  ownIdentity,
  takeLease,
} from '../../../../src/export/runtime/temporal/leases.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe('the identity of a process', () => {
  it('holds as long as the process lives', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const identity = identityOf(child.pid!)!;
    expect(isAlive(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(identity)).toBe(false);
    expect(identityOf(identity.pid)).toBeNull();
  });

  it('is not that of a later process with the same pid', () => {
    const earlier = { ...ownIdentity(), startedAt: 'an earlier boot/1' };
    expect(isAlive(earlier)).toBe(false);
    expect(isAlive(ownIdentity())).toBe(true);
  });
});

describe('a lease', () => {
  it('holds until it is released, once or twice', () => {
    const first = takeLease(folder, 'export');
    const second = takeLease(folder, 'up');
    expect(
      liveLeases(folder)
        .map((lease) => lease.command)
        .sort(),
    ).toEqual(['export', 'up']);
    first.release();
    first.release();
    expect(liveLeases(folder).map((lease) => lease.command)).toEqual(['up']);
    second.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a process that died, or whose pid another has now, is dropped', () => {
    const lease = takeLease(folder, 'export');
    const stale = join(folder, 'stale.json');
    writeFileSync(
      stale,
      JSON.stringify({ holder: { pid: process.pid, startedAt: 'before/1' }, command: 'export', taken_at: '' }),
    );
    const torn = join(folder, 'torn.json');
    writeFileSync(torn, '');
    expect(liveLeases(folder)).toHaveLength(1);
    expect(existsSync(stale) || existsSync(torn)).toBe(false);
    lease.release();
  });
});

describe('a process lock', () => {
  const holder = `
    const { takeProcessLock } = await import(process.argv[1]);
    const lock = takeProcessLock(process.argv[2]);
    process.stdout.write(lock ? 'held' : 'refused');
    setInterval(() => {}, 1000);`;

  it('is held by one process, and free again after that process was killed', async () => {
    const file = join(folder, 'lock');
    const module = new URL('../../../../src/core/environment/process-lock.ts', import.meta.url).href;
    const other = spawn(process.execPath, ['--input-type=module', '-e', holder, module, file]);
    other.stdout.setEncoding('utf8');
    expect((await once(other.stdout, 'data'))[0]).toBe('held');
    expect(takeProcessLock(file)).toBeNull();
    other.kill('SIGKILL');
    await once(other, 'exit');
    const lock = takeProcessLock(file);
    expect(lock).not.toBeNull();
    lock?.[Symbol.dispose]();
  });
});
