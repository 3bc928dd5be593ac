/** Files and folders that can't be used: the messages, and that they come at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolders, systemErrorWords } from '../../../src/core/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const main = new URL('../../../src/cli/main.ts', import.meta.url).pathname;
/** Below it mkdir reports "no such file" though the parent exists: Node's recursive mkdir loops for ever. */
const UNMAKEABLE = '/proc/filinglake/x';
const onProc = existsSync('/proc/self/stat');

interface Ended {
  code: number | null;
  stderr: string;
}

/** In this process: for what can't hang. */
async function command(...args: string[]): Promise<Ended> {
  const env = { FILINGLAKE_HOME: path.join(folder, 'home'), TEMPORAL_ADDRESS: '' };
  const { status: code, stderr } = await commandLine(args, { cwd: folder, env });
  return { code, stderr };
}

/** Ends a command that hangs, and gives null as its code. */
function filinglake(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((settle) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      timeout: 120_000,
      env: { ...process.env, NO_COLOR: '1', FILINGLAKE_HOME: path.join(cwd, 'home'), TEMPORAL_ADDRESS: '', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString();
    });
    child.on('close', (code) => settle({ code, stderr }));
  });
}

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(path.join(folder, 'file'), 'some text');
  mkdirSync(path.join(folder, 'empty'));
});

describe('a folder that can’t be made', () => {
  it.skipIf(!onProc)('is refused at once by each command that would make it', async () => {
    const commands: [args: string[], env?: Record<string, string>][] = [
      [['ingest', 'empty', '--catalog', UNMAKEABLE]],
      [['keys', 'create', '--plan', 'free', '--catalog', UNMAKEABLE]],
      [['sample', '--filings', '3', '--out', UNMAKEABLE]],
      [['status'], { FILINGLAKE_HOME: UNMAKEABLE }],
    ];
    const ended = await Promise.all(commands.map(([args, env]) => filinglake(args, folder, env)));
    for (const [i, { code, stderr }] of ended.entries()) {
      const [name] = commands[i]![0];
      const expected = [name, name === 'sample' ? 2 : 1, expect.stringContaining(UNMAKEABLE)];
      expect([name, code, stderr]).toEqual(expected);
      expect(stderr).toContain('no folder can be created there\n');
    }
  });

  it.skipIf(!onProc)('is refused at once by a lake', async () => {
    const refused = openLake(UNMAKEABLE, { create: true });
    await expect(refused).rejects.toMatchObject({
      code: 'lake-unwritable',
      message: `${UNMAKEABLE}/lake.json can't be written: no folder can be created there`,
    });
  });

  it('is distinguished from a file in its place', async () => {
    const { code, stderr } = await command('sample', '--filings', '3', '--out', 'file');
    expect(code).toBe(2);
    expect(stderr).toContain("file can't be written: a file is in the place of the folder");
  });

  it('may be made by somebody else meanwhile', () => {
    const made = new Set(['/']);
    const mkdirSync = (one: string) => {
      made.add(one);
      if (one === '/a') throw Object.assign(new Error('there'), { code: 'EEXIST' });
    };
    const statSync = (one: string) => ({ isDirectory: () => made.has(one) });
    makeFolders('/a/b/c', { statSync, mkdirSync, dirname: path.posix.dirname });
    expect([...made]).toEqual(['/', '/a', '/a/b', '/a/b/c']);
  });
});

describe('standard output that is full', () => {
  it.skipIf(!existsSync('/dev/full'))('ends a command with a message, not with a stack trace', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [main, 'schema'], { stdio: ['ignore', full, 'pipe'] });
    const said = text(child.stderr!);
    const [code] = (await once(child, 'close')) as [number];
    closeSync(full);
    expect(code).toBe(1);
    expect(await said).toMatch(/^error: standard output can't be written: no space is left on the disk\n.*\n$/);
  });
});

describe('a file of the wrong kind', () => {
  it('is named, with the expected kind', async () => {
    for (const [dir, file] of [
      ['no-lake', 'lake.json'],
      ['no-catalog', 'catalog.db'],
    ] as const) {
      mkdirSync(path.join(folder, dir));
      writeFileSync(path.join(folder, dir, file), 'hello\n');
    }
    const lake = await command('lake', 'check', '--lake', 'no-lake');
    const ingest = await command('ingest', 'empty', '--catalog', 'no-catalog');
    expect(lake.code).toBe(1);
    expect(lake.stderr).toContain(`${path.join('no-lake', 'lake.json')} does not describe a lake\n`);
    expect(ingest.code).toBe(1);
    expect(ingest.stderr).toContain("no-catalog/catalog.db can't be read: it is damaged (file is not a database)\n");
  });
});

describe('a lake to which nothing was ever committed', () => {
  it('is not called complete by its check', async () => {
    const empty = path.join(folder, 'never-committed');
    (await openLake(empty, { create: true })).close();
    const check = (...more: string[]) => commandLine(['lake', 'check', '--lake', empty, ...more], { cwd: folder });
    for (const strict of [[], ['--strict']]) {
      const { status, stdout } = await check(...strict);
      expect([status, stdout]).toEqual([
        3,
        expect.stringContaining('no version, is empty: nothing was ever committed'),
      ]);
      expect(stdout).not.toContain('complete');
    }
    expect(JSON.parse((await check('--json')).stdout)).toMatchObject({ ok: true, version: -1, verdict: 'empty' });
  });
});

describe('a file that can’t be read or written', () => {
  it.each<[args: string[], code: number, said: string]>([
    [['plan', 'nothing.yaml'], 2, "nothing.yaml can't be read: there is no such file or folder\n"],
    [['export', 'empty'], 2, "empty can't be read: it is a folder, not a file\n"],
    [['sql', '--file', 'nothing.sql'], 2, "nothing.sql can't be read: there is no such file or folder\n"],
    [['ingest', 'nothing', '--catalog', 'catalog'], 2, "nothing can't be read: there is no such file or folder\n"],
    [['ingest', 'file/x', '--catalog', 'other'], 2, "file/x can't be read: its path uses a file as a"],
    [['sections', 'empty'], 2, "empty can't be read: it is a folder, not a file\n"],
    [['keys', 'list', '--catalog', 'catalog', '--plans', 'empty'], 2, "empty can't be read: it is a folder, not a f"],
    [['doctor', 'nothing.yaml'], 2, "nothing.yaml can't be read: there is no such file or folder\n"],
  ])('is named with the reason in words and what to do, by %j', async (args, expected, said) => {
    const { code, stderr } = await command(...args);
    expect(code).toBe(expected);
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
    // The remedy.
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  });

  it('of a service does not stop exports from a catalog, and doctor says so', async () => {
    const env = { FILINGLAKE_HOME: path.join(folder, 'home'), FILINGLAKE_BASE_URL: 'http://127.0.0.1:9' };
    const { status, stdout } = await commandLine(['doctor'], { cwd: folder, env });
    expect(status).toBe(1);
    expect(stdout).toMatch(/exports cannot run yet\. For a catalog, name a definition: filinglake doctor FILE\n$/);
  });

  it('keeps its own words for an unknown code', () => {
    expect(systemErrorWords(Object.assign(new Error('EXDEV: cross-device link'), { code: 'EXDEV' }))).toContain(
      'EXDEV',
    );
    expect(systemErrorWords(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' }))).toBe(
      'no space is left on the disk',
    );
  });
});
