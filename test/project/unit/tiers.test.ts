import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG_FILES } from '../../support/durations.ts';
import { REPLACE_MODULES, TIERS, tiersOf } from '../../support/tiers.ts';

const checkout = join(import.meta.dirname, '../../..');
const files = globSync('test/**/*.test.ts', { cwd: checkout }).map((path) => path.replaceAll('\\', '/'));

describe('the tiers', () => {
  it('have each test file, in one tier only', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => tiersOf(file).length !== 1)).toEqual([]);
  });

  it('have separate folders: a test file is in one of them', () => {
    const folder = new RegExp(`^test/[a-z]+/(${TIERS.map(({ name }) => name).join('|')})/`);
    const elsewhere = files.filter((file) => !folder.test(file));
    expect(elsewhere).toEqual(['test/architecture.test.ts']);
  });

  it('know the seconds of files that exist', () => {
    expect(Object.keys(LONG_FILES).filter((file) => !files.includes(file))).toEqual([]);
  });

  it('know the files that replace a module', () => {
    const replacing = files.filter((file) => /^vi\.mock\(/m.test(readFileSync(join(checkout, file), 'utf8')));
    expect(replacing.sort()).toEqual(REPLACE_MODULES);
  });

  it('start no server in a unit test', () => {
    expect(() => createServer().listen(0)).toThrow('put its file in a folder integration');
  });

  it('take a file of no folder into integration, so that it runs', () => {
    expect(tiersOf('test/lake/new.test.ts')).toEqual(['integration']);
    expect(tiersOf('test/new.test.ts')).toEqual(['unit']);
    expect(tiersOf('test/lake/slow/new.test.ts')).toEqual(['slow']);
  });
});
