import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isSuitable, suitableNode } from '../../../../bin/suitable-node.mjs';
import { installPackages } from '../../../../scripts/install-packages.mjs';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const checkout = resolve(import.meta.dirname, '../../../..');
const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** An npm that writes each call's words to a file, then acts as the code says. */
function pretendNpm(code: string): { calls: () => string[] } {
  const log = join(folder, 'calls');
  const npm = join(folder, 'npm-cli.js');
  writeFileSync(
    npm,
    `const fs = require('node:fs');
     fs.appendFileSync(${JSON.stringify(log)}, process.argv[2] + '\\n');
     ${code}`,
  );
  appendFileSync(log, '');
  vi.stubEnv('npm_execpath', npm);
  return { calls: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) };
}

describe('a suitable Node', () => {
  it('is 24.15 or later', () => {
    expect(['24.15.0', '24.21.0', '26.0.0'].every(isSuitable)).toBe(true);
    expect(['18.20.0', '20.20.2', '24.14.9'].some(isSuitable)).toBe(false);
  });

  it('is this process’s own if that is new enough', async () => {
    expect(await suitableNode(() => {})).toBe(process.execPath);
  });

  it.skipIf(!existsSync('/proc/self/stat'))(
    'is not downloaded, nor waited for, if no cache can be created',
    async () => {
      vi.stubEnv('FILINGLAKE_CACHE', '/proc/filinglake/cache');
      await expect(suitableNode(() => {}, '20.0.0')).rejects.toThrow("can't write to /proc/filinglake/cache");
      // A command that needs no cache needs none.
      const command = join(checkout, 'bin', 'filinglake.mjs');
      const { stdout } = await run(process.execPath, [command, '--version'], { timeout: 120_000 });
      expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    },
  );

  it('that npm gives in place of the pinned one is refused, and nothing is left of it', async () => {
    vi.stubEnv('FILINGLAKE_CACHE', join(folder, 'cache'));
    const { calls } = pretendNpm(`
      const target = process.argv[process.argv.indexOf('--pack-destination') + 1];
      if (process.argv[2] === 'pack') fs.writeFileSync(target + '/node.tgz', 'something else');`);
    const said: string[] = [];
    await expect(suitableNode((line) => said.push(line), '20.20.2')).rejects.toThrow('is not what was published');
    expect(calls()).toEqual(['pack']);
    expect(said).toEqual([expect.stringMatching(/^fetching Node .* MB\)…$/)]);
    const { stdout } = await run('find', [join(folder, 'cache'), '-type', 'f']);
    expect(stdout).toBe('');
  });

  it('that can’t be fetched is an error with a reason and a remedy', async () => {
    vi.stubEnv('FILINGLAKE_CACHE', join(folder, 'cache'));
    pretendNpm(`console.error('npm error code ENOTFOUND\\nnpm error no such host'); process.exit(1);`);
    await expect(suitableNode(() => {}, '20.20.2')).rejects.toMatchObject({
      message: expect.stringContaining('ENOTFOUND, no such host'),
      remedy: expect.stringContaining('this one is 20.20.2'),
    });
  });
});

describe('installing packages', () => {
  const lock = {
    lockfileVersion: 3,
    packages: { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } },
  };
  const ci = `
    if (process.argv[2] === 'ci') {
      const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
      delete lock.packages[''];
      fs.mkdirSync('node_modules', { recursive: true });
      fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));
    }`;

  let clone: string;
  beforeEach(() => {
    clone = join(folder, 'clone');
    mkdirSync(join(clone, 'bin'), { recursive: true });
    writeFileSync(join(clone, 'bin', 'filinglake.mjs'), '');
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(lock));
  });
  const install = () => installPackages(clone, process.execPath, () => {});

  it('runs npm ci once, however many commands start at the same time, and not again', async () => {
    const { calls } = pretendNpm(ci);
    await Promise.all([install(), install(), install()]);
    await install();
    expect(calls().filter((call) => call === 'ci')).toHaveLength(1);
    expect(readlinkSync(join(clone, 'node_modules', '.bin', 'filinglake'))).toBe('../../bin/filinglake.mjs');
  });

  it('runs npm ci again when the lock file has changed, unless someone has installed by hand', async () => {
    const { calls } = pretendNpm(ci);
    await install();
    const changed = structuredClone(lock);
    changed.packages['node_modules/a'].version = '1.0.1';
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(changed));
    await install();
    expect(calls().filter((call) => call === 'ci')).toHaveLength(2);
    changed.packages['node_modules/a'].version = '1.0.2';
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(changed));
    writeFileSync(join(clone, 'node_modules', '.package-lock.json'), JSON.stringify(changed));
    await install();
    expect(calls().filter((call) => call === 'ci')).toHaveLength(2);
  });

  it('takes over the lock of a command that died', async () => {
    pretendNpm(ci);
    const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(dead, 'exit');
    mkdirSync(join(clone, '.filinglake'));
    writeFileSync(join(clone, '.filinglake', 'installing.lock'), String(dead.pid));
    await install();
    expect(existsSync(join(clone, '.filinglake', 'installing.lock'))).toBe(false);
    expect(existsSync(join(clone, 'node_modules', '.filinglake-installed'))).toBe(true);
  });

  it('that fails reports why, and is tried again the next time', async () => {
    pretendNpm(`if (process.argv[2] === 'ci') { console.error('npm error code E500'); process.exit(1); }`);
    await expect(install()).rejects.toMatchObject({ message: expect.stringContaining('E500') });
    pretendNpm(ci);
    await install();
    expect(existsSync(join(clone, 'node_modules', '.filinglake-installed'))).toBe(true);
  });
});

describe('with-node', () => {
  const withNode = join(checkout, 'scripts', 'with-node.mjs');

  it('runs a script with its arguments, this Node first on PATH, and passes its exit code on', async () => {
    const script = join(folder, 'script.ts');
    writeFileSync(
      script,
      `const first: string = process.env.PATH!.split(':')[0]!;
       console.log(JSON.stringify({ args: process.argv.slice(2), first }));
       process.exitCode = 7;`,
    );
    const failure = (await run(process.execPath, [withNode, script, 'a', '--b']).catch((error: unknown) => error)) as {
      code: number;
      stdout: string;
    };
    expect(failure.code).toBe(7);
    expect(JSON.parse(failure.stdout)).toEqual({ args: ['a', '--b'], first: dirname(process.execPath) });
  });

  it('passes a signal on, and ends as the script ends', async () => {
    const script = join(folder, 'script.ts');
    writeFileSync(
      script,
      `let count = 0;
       process.on('SIGINT', () => { console.log('counted ' + ++count); });
       process.on('SIGTERM', () => { console.log('interrupted ' + count); process.exit(130); });
       setInterval(() => {}, 1000);
       console.log('ready');`,
    );
    const child = spawn(process.execPath, [withNode, script], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8');
    expect((await once(child.stdout, 'data'))[0]).toBe('ready\n');
    child.kill('SIGINT');
    // Signals of two kinds that come at once may be delivered in either order.
    expect((await once(child.stdout, 'data'))[0]).toBe('counted 1\n');
    child.kill('SIGTERM');
    const [[said], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
    expect([said, code]).toEqual(['interrupted 1\n', 130]);
  });
});

describe('the filinglake command', () => {
  it('runs in the checkout, and its exit codes are the program’s', async () => {
    const command = join(checkout, 'bin', 'filinglake.mjs');
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
    expect((await run(process.execPath, [command, '--version'])).stdout.trim()).toBe(version);
    await expect(run(process.execPath, [command, 'no-such-command'])).rejects.toMatchObject({ code: 2 });
  });
});

describe('the lock file', () => {
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string; optionalDependencies?: Record<string, string> }>;
  };

  it('names no registry', () => {
    expect(Object.keys(packages).filter((path) => packages[path]!.resolved !== undefined)).toEqual([]);
  });

  it('names the optional packages of every platform, without which npm ci refuses it on the others', () => {
    const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
    expect(optional.length).toBeGreaterThan(0);
    expect(optional.filter((name) => packages[`node_modules/${name}`] === undefined)).toEqual([]);
  });
});
