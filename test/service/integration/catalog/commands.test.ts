import { closeSync, cpSync, existsSync, mkdirSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyRegister, loadPlans } from '../../../../src/service/accounts/index.ts';
import { Catalog, checkCatalog, requireReadable } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder, txtOf, writeFiles } from '../../../support/catalog/synthetic-filings.ts';
import { commandLine } from '../../../support/command-line.ts';

const filinglake = (...args: string[]) => commandLine(args);

const submission = txtOf({
  accession: '0000000007-24-000001',
  form: '8-K',
  date: '2024-05-06',
  parties: [{ cik: '7', name: 'Seven' }],
  documents: [{ content: 'Hello' }],
});

describe('filinglake ingest and catalog check', () => {
  it('print a summary for scripts, exit with 3 if a file failed, and find the catalog sound', async () => {
    const files = temporaryFolder();
    const catalog = join(temporaryFolder(), 'catalog');
    writeFiles(files, {
      'good.txt': submission,
      'cut.txt': submission.subarray(0, -60),
      'notes.md': Buffer.from('# notes'),
    });
    const ingested = await filinglake('ingest', files, '--catalog', catalog, '--json');
    expect(ingested.status).toBe(3);
    expect(JSON.parse(ingested.stdout)).toMatchObject({
      filings: { new: 1, replaced: 0, unchanged: 0, deleted: 0 },
      documents: 1,
      skipped: { unknown: 1 },
      failures: [
        { path: join(files, 'cut.txt'), offset: expect.any(Number) as number, message: expect.any(String) as string },
      ],
    });
    const again = await filinglake('ingest', join(files, 'good.txt'), '--catalog', catalog);
    expect(again.status).toBe(0);
    expect(again.stderr).toContain('1 unchanged');
    const checked = await filinglake('catalog', 'check', '--catalog', catalog, '--json');
    expect([checked.status, JSON.parse(checked.stdout)]).toMatchObject([0, { ok: true, filings: 1 }]);
  });

  it('name what was skipped, and take an empty file or an error page under a submission’s name for a failure', async () => {
    const files = temporaryFolder();
    const page = '<html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head></html>';
    writeFiles(files, {
      '0000000001-24-000007.txt': Buffer.alloc(0),
      '0000000001-24-000008.txt': Buffer.from(page),
      'good.txt': submission,
      'notes.md': Buffer.from('# notes'),
      'blocked.html': Buffer.from(page),
    });
    const catalog = join(temporaryFolder(), 'catalog');
    const ingested = await filinglake('ingest', files, '--catalog', catalog, '--json');
    expect(ingested.status).toBe(3);
    const summary = JSON.parse(ingested.stdout) as {
      failures: { path: string; message: string }[];
      skipped_files: unknown;
    };
    expect(summary.failures.map(({ path, message }) => [path.slice(-6, -4), message.slice(0, 14)]).sort()).toEqual([
      ['07', 'it is empty; f'],
      ['08', 'it is a web pa'],
    ]);
    expect(summary.skipped_files).toEqual(
      expect.arrayContaining([
        { path: join(files, 'blocked.html'), kind: 'page' },
        { path: join(files, 'notes.md'), kind: 'unknown' },
      ]),
    );
    const shown = await filinglake(
      'ingest',
      join(files, 'notes.md'),
      join(files, 'good.txt'),
      '--catalog',
      `${catalog}2`,
    );
    expect(shown.stderr).toContain(`${join(files, 'notes.md')} (unknown)`);
    expect(shown.stderr).toContain('tickers and exchanges are empty');
  });

  it('say what a replaced and a superseded file are', async () => {
    const files = temporaryFolder();
    const catalog = join(temporaryFolder(), 'catalog');
    const other = txtOf({
      accession: '0000000007-24-000001',
      form: '8-K',
      date: '2024-05-06',
      parties: [{ cik: '7', name: 'Seven' }],
      documents: [{ content: 'Other words' }],
    });
    writeFiles(files, { '1.txt': submission, '2.txt': other });
    const first = await filinglake('ingest', files, '--catalog', catalog);
    expect(first.stderr).toContain('1 new, 1 replaced (by another file of the same filing), 0 unchanged');
    const again = await filinglake('ingest', files, '--catalog', catalog);
    expect(again.stderr).toContain('0 replaced, 1 unchanged');
    expect(again.stderr).toContain('1 superseded_submission (another file of the same filing is stored)');
  });

  it('refuse invalid input', async () => {
    const folder = temporaryFolder();
    expect((await filinglake('ingest', join(folder, 'nothing'), '--catalog', join(folder, 'c'))).status).toBe(2);
    expect((await filinglake('ingest', folder)).status).toBe(2);
    const missing = await filinglake('catalog', 'check', '--catalog', folder);
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('there is no catalog')]);
  });
});

describe('a catalog that is damaged', () => {
  const PAGE = 4096;
  const zeros = Buffer.alloc(PAGE);
  const damages: [name: string, file: string, damage: (file: string) => void, why: string][] = [
    ['cut in the middle', 'catalog.db', (file) => truncateSync(file, 20 * PAGE), 'is malformed'],
    ['without its first page', 'catalog.db', (file) => overwrite(file, zeros), 'file is not a database'],
    [
      'with another header',
      'catalog.db',
      (file) => overwrite(file, Buffer.from('PK\x03\x04 archive')),
      'not a database',
    ],
    ['that is empty', 'catalog.db', (file) => truncateSync(file), 'it holds no catalog'],
    ['that is a folder', 'catalog.db', asFolder, 'it is a folder, not a file'],
    ['cut in the middle', 'accounts.db', (file) => truncateSync(file, 2 * PAGE), 'is malformed'],
    ['that is a folder', 'accounts.db', asFolder, 'it is a folder, not a file'],
  ];
  const whole = join(temporaryFolder(), 'catalog');
  beforeAll(async () => {
    const files = temporaryFolder();
    writeFiles(files, { 'good.txt': submission });
    expect((await filinglake('ingest', files, '--catalog', whole)).status).toBe(0);
    expect((await filinglake('keys', 'create', '--plan', 'free', '--catalog', whole)).status).toBe(0);
  });

  const damaged = (file: string, damage: (file: string) => void): string => {
    const folder = join(temporaryFolder(), 'catalog');
    cpSync(whole, folder, { recursive: true });
    damage(join(folder, file));
    return folder;
  };

  it.each(damages)('(%s: %s) is refused by its file’s name, with what to do', (_name, file, damage, why) => {
    const folder = damaged(file, damage);
    const error = {
      code: 'catalog-unreadable',
      exitCode: 1,
      message: expect.stringMatching(`^${join(folder, file)} can't be read: .*${why}`) as string,
      remedy: expect.stringContaining('away') as string,
    };
    const readers = [() => Catalog.open(folder), () => requireReadable(folder), () => checkCatalog(folder)];
    for (const read of file === 'accounts.db' ? [() => KeyRegister.open(folder, loadPlans())] : readers) {
      expect(read).toThrow(expect.objectContaining(error));
    }
  });

  it('is refused by every command that reads it', async () => {
    const folder = damaged('catalog.db', (file) => truncateSync(file, 20 * PAGE));
    const commands = [
      ['keys', 'list'],
      ['keys', 'create', '--plan', 'free'],
      ['serve', '--port', '0'],
      ['catalog', 'check'],
    ];
    for (const command of commands) {
      const { status, stdout, stderr } = await filinglake(...command, '--catalog', folder);
      expect([command, status, stdout]).toEqual([command, 1, '']);
      expect(stderr).toContain(`error: ${join(folder, 'catalog.db')} can't be read: it is damaged (`);
      expect(stderr.trimEnd().split('\n')).toHaveLength(2);
    }
  });

  it('is whole again with its keys if the remedy is followed', async () => {
    const folder = damaged('catalog.db', (file) => overwrite(file, zeros));
    const files = temporaryFolder();
    writeFiles(files, { 'good.txt': submission });
    expect((await filinglake('ingest', files, '--catalog', folder)).stderr).toContain('Move it and packs/ away');
    rmSync(join(folder, 'catalog.db'));
    rmSync(join(folder, 'packs'), { recursive: true });
    expect((await filinglake('ingest', files, '--catalog', folder)).status).toBe(0);
    expect((await filinglake('catalog', 'check', '--catalog', folder)).status).toBe(0);
    expect((await filinglake('keys', 'list', '--catalog', folder)).stdout).toMatch(/free .* active/);
  });

  it('is checked as far as it can be read', async () => {
    const folder = damaged('catalog.db', () => {});
    const file = join(folder, 'catalog.db');
    // The tables' roots stay: SQLite opens it.
    const db = new DatabaseSync(file);
    const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'documents'").get()!;
    db.close();
    overwrite(file, Buffer.alloc(PAGE, 0xff), (Number(rootpage) - 1) * PAGE);
    const { status, stdout, stderr } = await filinglake('catalog', 'check', '--catalog', folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining('1 filing, ')]);
    expect(stdout).toContain('database-damaged  catalog.db');
  });

  it('can still have a key revoked', async () => {
    const folder = damaged('catalog.db', asFolder);
    const [, prefix] = /^(fl_\w+)/m.exec((await filinglake('keys', 'list', '--catalog', whole)).stdout)!;
    expect(await filinglake('keys', 'revoke', prefix!, '--catalog', folder)).toMatchObject({ status: 0 });
  });
});

function overwrite(file: string, bytes: Buffer, at = 0): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

function asFolder(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

describe('filinglake keys', () => {
  it('create nothing if there is no catalog and none is requested', async () => {
    const folder = join(temporaryFolder(), 'mistyped');
    for (const command of [['list'], ['revoke', 'fl_12345678'], ['revoke', '--close', 'fl_12345678']]) {
      const { status, stderr } = await filinglake('keys', ...command, '--catalog', folder);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`there is no catalog in ${folder}\n`)]);
    }
    expect(existsSync(folder)).toBe(false);
  });

  it('prints the key alone, or as JSON, and lists and revokes it by its beginning', async () => {
    const catalog = temporaryFolder();
    const created = await filinglake('keys', 'create', '--plan', 'free', '--catalog', catalog);
    expect(created.stdout).toMatch(/^fl_\w{40}\n$/);
    const json = JSON.parse(
      (await filinglake('keys', 'create', '--plan', 'unlimited', '--catalog', catalog, '--json')).stdout,
    ) as { api_key: string };
    expect(json.api_key).toMatch(/^fl_\w{40}$/);
    const list = (await filinglake('keys', 'list', '--catalog', catalog)).stdout;
    expect(list).toContain(created.stdout.slice(0, 11));
    expect(list).not.toContain(created.stdout.trim());
    expect((await filinglake('keys', 'revoke', created.stdout.slice(0, 11), '--catalog', catalog)).status).toBe(0);
    expect((await filinglake('keys', 'list', '--catalog', catalog)).stdout).toMatch(/revoked/);
    expect(await filinglake('keys', 'create', '--plan', 'fre', '--catalog', catalog)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("did you mean 'free'?") as string,
    });
  });
});
