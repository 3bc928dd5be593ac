/** Only the lake's storage knows its path. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake, lakeReport } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import type { ScratchFile } from '../../../src/lake/storage/storage.ts';
import { bring, filingRows, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const room = path.join(import.meta.dirname, '../../../src/lake');
const files = globSync('**/*.ts', { cwd: room }).filter((file) => !/^(tables|report)\//.test(file));
const source = (file: string) => readFileSync(path.join(room, file), 'utf8');

describe('the storage of a lake', () => {
  it('is the only one that opens files: no other file of the room imports node:fs, or anything that does it for it', () => {
    expect(files.length).toBeGreaterThan(30);
    const openers = files.filter((file) =>
      /from '(node:)?(fs|fs\/promises|child_process|worker_threads)'|process\.binding/.test(source(file)),
    );
    // The views' SQL is the program's, the folder of a release is its reader's, and a sandbox is a process: none is a file of the lake.
    expect(openers.filter((file) => !/^storage\/[\w-]+\//.test(file)).toSorted()).toEqual([
      'query/sandbox.ts',
      'release/compare-release.ts',
      'release/verify-release.ts',
      'release/write-release.ts',
      'views/views.ts',
    ]);
    expect(openers).toContain('storage/local/local-storage.ts');
  });

  it('in a bucket is not loaded with its SDK by those who open a lake on disk', () => {
    const importers = files.filter((file) => /^import (?!type).*'@aws-sdk/m.test(source(file)));
    expect(importers).toEqual([]);
  });

  it('writes files that nobody may overwrite only by `putOnce`, which reads back the existing file', () => {
    const callers = files.filter((file) => /\.putIfAbsent\(/.test(source(file)));
    // A storage hands the call on to its own parts.
    expect(callers.filter((file) => !/^storage\/[\w-]+\//.test(file))).toEqual(['storage/put-once.ts']);
  });

  it('alone knows its path, and gives DuckDB its paths: a lake elsewhere does everything that lakes do', async () => {
    const folder = temporaryFolder();
    const local = new LocalStorage(folder);
    const readable = new Set<string>();
    const answers: Record<PropertyKey, unknown> = {
      name: 's3://nowhere/lake',
      localFolder: null,
      readersPlace: 's3://nowhere/lake',
      makeReadable: async (paths: readonly string[]) => {
        for (const one of paths) readable.add(one);
      },
      url: (file: string) => {
        if (!readable.has(file)) throw new Error(`nobody made ${file} readable`);
        return local.url(file);
      },
      adopt: async (scratch: ScratchFile, file: string) => {
        readable.add(file);
        await local.adopt(scratch, file);
      },
      engineSetUp: async () => ["CREATE OR REPLACE MACRO of_the_place() AS 'set'"],
    };
    const elsewhere = new Proxy(local, {
      get(target, property) {
        if (property in answers) return answers[property];
        const member = Reflect.get(target, property, target) as unknown;
        return typeof member === 'function' ? (member as () => unknown).bind(target) : member;
      },
    });
    const lake = await openLake('s3://nowhere/lake', { create: true, storage: elsewhere });
    await lake.proveWritable();
    for (let n = 0; n < 12; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await bring(lake, { batch: 'c' }, filingRows(3, 'r2'), wholeFiling(3));
    await lake.compact({ memoryBytes: 2 ** 28 });
    expect(await lake.query('SELECT count(*) AS n FROM filings')).toEqual([{ n: 12 }]);
    expect(await lake.query('SELECT of_the_place() AS v')).toEqual([{ v: 'set' }]);
    expect(readFileSync(path.join(folder, 'lake.sql'), 'utf8')).toContain(
      "coalesce(getvariable('lake'), 's3://nowhere/lake')",
    );
    expect(await lake.query('SELECT count(*) AS n FROM filings', { at: 3 })).toEqual([{ n: 4 }]);
    expect((await checkLake(lake)).problems).toEqual([]);
    await lake.dropStaging('run');
    expect((await lake.vacuum({ nowMs: Date.now() + 30 * 86_400_000 })).parts.filings!.files).toBeGreaterThan(10);
    expect(await lakeReport(lake)).toMatchObject({ lake: 's3://nowhere/lake', filings: 12 });
    expect((await lake.log(3)).length + (await lake.versions(3)).length).toBe(6);
    await lake.close();
    expect(existsSync('s3:')).toBe(false);
  });
});
