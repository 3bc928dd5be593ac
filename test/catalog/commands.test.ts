import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, txtOf, writeFiles } from './made-up.ts';

const cli = join(import.meta.dirname, '../../src/cli/main.ts');
const filinglake = (...args: string[]) => spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });

const submission = txtOf({
  accession: '0000000007-24-000001',
  form: '8-K',
  date: '2024-05-06',
  parties: [{ cik: '7', name: 'Seven' }],
  documents: [{ content: 'Hello' }],
});

describe('filinglake ingest and catalog check', () => {
  it('print a summary for scripts, end with 3 where a file failed, and find the catalog sound', () => {
    const files = temporaryFolder();
    const catalog = join(temporaryFolder(), 'catalog');
    writeFiles(files, {
      'good.txt': submission,
      'cut.txt': submission.subarray(0, -60),
      'notes.md': Buffer.from('# notes'),
    });
    const ingested = filinglake('ingest', files, '--catalog', catalog, '--json');
    expect(ingested.status).toBe(3);
    expect(JSON.parse(ingested.stdout)).toMatchObject({
      filings: { new: 1, replaced: 0, unchanged: 0, deleted: 0 },
      documents: 1,
      skipped: { unknown: 1 },
      failures: [
        { path: join(files, 'cut.txt'), offset: expect.any(Number) as number, message: expect.any(String) as string },
      ],
    });
    const again = filinglake('ingest', join(files, 'good.txt'), '--catalog', catalog);
    expect(again.status).toBe(0);
    expect(again.stderr).toContain('1 unchanged');
    const checked = filinglake('catalog', 'check', '--catalog', catalog, '--json');
    expect([checked.status, JSON.parse(checked.stdout)]).toMatchObject([0, { ok: true, filings: 1 }]);
  });

  it('refuse what they can’t work with', () => {
    const folder = temporaryFolder();
    expect(filinglake('ingest', join(folder, 'nothing'), '--catalog', join(folder, 'c')).status).toBe(2);
    expect(filinglake('ingest', folder).status).toBe(2);
    const missing = filinglake('catalog', 'check', '--catalog', folder);
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('there is no catalog')]);
  });
});

describe('filinglake keys', () => {
  it('prints the key alone, or as JSON, and lists and revokes it by its beginning', () => {
    const catalog = temporaryFolder();
    const created = filinglake('keys', 'create', '--plan', 'free', '--catalog', catalog);
    expect(created.stdout).toMatch(/^fl_\w{40}\n$/);
    const json = JSON.parse(
      filinglake('keys', 'create', '--plan', 'unlimited', '--catalog', catalog, '--json').stdout,
    ) as { api_key: string };
    expect(json.api_key).toMatch(/^fl_\w{40}$/);
    const list = filinglake('keys', 'list', '--catalog', catalog).stdout;
    expect(list).toContain(created.stdout.slice(0, 11));
    expect(list).not.toContain(created.stdout.trim());
    expect(filinglake('keys', 'revoke', created.stdout.slice(0, 11), '--catalog', catalog).status).toBe(0);
    expect(filinglake('keys', 'list', '--catalog', catalog).stdout).toMatch(/revoked/);
    expect(filinglake('keys', 'create', '--plan', 'fre', '--catalog', catalog)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("did you mean 'free'?") as string,
    });
  });
});
