import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../../support/command-line.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const home = temporaryFolder();

const sample = async (...args: string[]) => {
  const { status: code, stdout, stderr } = await commandLine(['sample', ...args]);
  return { code, stdout, stderr };
};

describe('filinglake sample', () => {
  it('prints its summary as JSON, and does nothing the second time', async () => {
    const out = join(home, 'sample');
    const first = await sample('--filings', '12', '--seed', '3', '--out', out, '--json');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const summary = JSON.parse(first.stdout);
    expect(summary).toMatchObject({ filings: 12, unchanged: false });
    expect(Object.keys(summary).sort()).toEqual(['bytes', 'files', 'filings', 'seconds', 'unchanged']);
    const second = JSON.parse((await sample('--filings', '12', '--seed', '3', '--out', out, '--json')).stdout);
    expect(second).toMatchObject({ filings: 12, files: summary.files, bytes: summary.bytes, unchanged: true });
  });

  it('names the mistake in an option, and exits with 2', async () => {
    expect(await sample('--filings', 'many', '--out', home)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--filings must be a whole number from 1 to 10,000,000, not "many"'),
    });
    expect(await sample('--from', '2024-02-31', '--out', home)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('YYYY-MM-DD'),
    });
  });
});
