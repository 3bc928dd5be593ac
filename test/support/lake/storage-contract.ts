/** Requirements of every storage of lakes. A test calls it for each kind of place. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { quoteText } from '../../../src/core/index.ts';
import { rowsOf } from '../../../src/lake/engine/duckdb.ts';
import { Engines } from '../../../src/lake/engine/duckdb-instances.ts';
import { openStorage } from '../../../src/lake/index.ts';
import { putOnce } from '../../../src/lake/storage/put-once.ts';
import type { LakeStorage } from '../../../src/lake/storage/storage.ts';

export const bytesOf = (text: string) => Buffer.from(text);
const textOf = async (storage: LakeStorage, file: string) => (await storage.read(file))?.toString('utf8') ?? null;

export interface StorageKind {
  name: string;
  /** A new place, and another opener of the same. */
  make: () => { one: LakeStorage; other: LakeStorage };
  /** Whether a file and a folder may have one name. */
  sharesNames: boolean;
  /** Before the first place is made. */
  start?: () => Promise<void>;
}

export function storageContract({ name, make, sharesNames, start = async () => {} }: StorageKind): void {
  describe(name, () => {
    beforeAll(start);

    it('reads the whole file, and null if there is none', async () => {
      const { one, other } = make();
      expect(await one.read('lake.json')).toBeNull();
      expect(await one.size('lake.json')).toBeNull();
      expect(await putOnce(one, 'a/b/lake.json', bytesOf('first'))).toBe(true);
      expect(await textOf(other, 'a/b/lake.json')).toBe('first');
      expect(await other.size('a/b/lake.json')).toBe(5);
      await other.replace('a/b/lake.json', bytesOf('second'));
      expect(await textOf(one, 'a/b/lake.json')).toBe('second');
      await one.replace('empty', new Uint8Array());
      expect(await one.size('empty')).toBe(0);
      expect((await one.read('empty'))?.length).toBe(0);
    });

    it('keeps the existing file when it is put again', async () => {
      const { one, other } = make();
      expect(await putOnce(one, 'f', bytesOf('first'))).toBe(true);
      expect(await putOnce(other, 'f', bytesOf('second'))).toBe(false);
      expect(await textOf(one, 'f')).toBe('first');
    });

    it('lets one of 32 parallel writers be first', async () => {
      const { one, other } = make();
      for (const file of ['_lake/0.json', '_lake/1.json']) {
        const writers = Array.from({ length: 32 }, (_, n) =>
          putOnce(n % 2 ? one : other, file, bytesOf(`writer ${n}`)),
        );
        const won = (await Promise.all(writers)).flatMap((first, n) => (first ? [n] : []));
        expect(won.length).toBe(1);
        expect(await textOf(one, file)).toBe(`writer ${won[0]}`);
      }
    });

    it('proves itself, and leaves nothing behind', async () => {
      const { one, other } = make();
      await one.proveFit();
      await one.proveWritable(['_lake', 'filings/_delta_log']);
      expect(await other.listNames('.').catch(() => [])).toEqual([]);
    });

    it('lists files and folders directly in a folder, with any names, sorted', async () => {
      const { one, other } = make();
      const names = ['*.json', 'a?b', 'b[0-9]', 'blank here', 'hash#1', 'perc%2Fent', 'plus+', 'tilde~', 'umläut', '€'];
      for (const name of names) await one.replace(`odd/${name}`, bytesOf(name));
      await one.replace('odd/under/x', bytesOf('x'));
      await one.replace('odd/ümlaut/x', bytesOf('x'));
      await one.replace('odder', bytesOf('x'));
      expect(await other.listNames('odd')).toEqual([...names].sort());
      expect(await other.listFolders('odd')).toEqual(['under', 'ümlaut']);
      expect((await other.list('odd')).map(({ name, bytes }) => [name, bytes])).toEqual(
        [...names].sort().map((name) => [name, Buffer.byteLength(name)]),
      );
      expect(Math.abs((await other.list('odd'))[0]!.modifiedAtMs - Date.now())).toBeLessThan(600_000);
      for (const name of names) expect(await textOf(other, `odd/${name}`)).toBe(name);
      expect(await other.listNames('nothing')).toEqual([]);
      expect(await other.listFolders('nothing')).toEqual([]);
    });

    it('deletes files and folders, and nothing beside them', async () => {
      const { one, other } = make();
      for (const file of ['s/run/a', 's/run/b/c', 's/run2/a', 's/run']) {
        if (file !== 's/run' || sharesNames) await one.replace(file, bytesOf('x'));
      }
      await other.remove('s/run/a');
      await other.remove('s/run/a');
      expect(await one.listNames('s/run')).toEqual([]);
      await other.removeFolder('s/run');
      await other.removeFolder('s/nothing');
      expect(await one.size('s/run/b/c')).toBeNull();
      expect(await textOf(one, 's/run2/a')).toBe('x');
      expect(await one.listFolders('s')).toEqual(['run2']);
    });

    it('adopts built files, even those of DuckDB, and gives DuckDB their paths', async () => {
      const { one, other } = make();
      const lines = one.openScratch();
      lines.append(bytesOf('{"n": 1}\n'));
      lines.append(bytesOf('{"n": 2}\n'));
      await one.adopt(lines, 't/lines.ndjson');
      await lines.discard();
      const built = one.openScratch();
      writeFileSync(built.localPath, randomBytes(40 * 2 ** 20));
      await one.adopt(built, 't/large');
      expect(await other.size('t/large')).toBe(40 * 2 ** 20);
      for (const storage of [one, other]) {
        await storage.makeReadable(['t/lines.ndjson', 't/absent.ndjson']);
        const engines = new Engines(storage, 2 ** 28);
        const connection = await (await engines.reader()).connect();
        const file = quoteText(storage.url('t/lines.ndjson'));
        expect(await rowsOf(connection, `SELECT sum(n)::INT AS n FROM read_json(${file})`)).toEqual([{ n: 3 }]);
        const seen = await rowsOf(connection, `SELECT DISTINCT filename FROM read_json(${file}, filename = true)`);
        expect(seen).toEqual([{ filename: storage.url('t/lines.ndjson') }]);
        const absent = quoteText(storage.url('t/absent.ndjson'));
        await expect(rowsOf(connection, `FROM read_json(${absent})`)).rejects.toThrow(/absent\.ndjson/);
        connection.closeSync();
        await engines.close();
      }
      const large = await other.read('t/large');
      expect(large?.length).toBe(40 * 2 ** 20);
      expect(await one.scratchFiles()).toEqual([]);
    });

    it('reads the current file, however often it was read before', async () => {
      const { one, other } = make();
      const read = async () => {
        await other.makeReadable(['f.ndjson']);
        const engines = new Engines(other, 2 ** 28);
        const connection = await (await engines.reader()).connect();
        const rows = await rowsOf(connection, `FROM read_json(${quoteText(other.url('f.ndjson'))})`).catch(() => null);
        connection.closeSync();
        await engines.close();
        return rows?.map(({ n }) => Number(n)) ?? null;
      };
      await one.replace('f.ndjson', bytesOf('{"n": 1}\n'));
      expect(await read()).toEqual([1]);
      await one.replace('f.ndjson', bytesOf('{"n": 2}\n'));
      expect(await read()).toEqual([2]);
      await one.remove('f.ndjson');
      expect(await read()).toBeNull();
    });

    it('shows others the synced bytes of a growing file', async () => {
      const { one, other } = make();
      const file = one.openGrowing('s/grows');
      file.append(bytesOf('a'));
      await file.sync();
      expect(await textOf(other, 's/grows')).toMatch(/^a/);
      file.append(bytesOf('b'));
      file.append(bytesOf('c'));
      await Promise.all([file.sync(), file.sync()]);
      file.close();
      await file.sync();
      expect(await textOf(other, 's/grows')).toBe('abc');
      await one.makeReadable(['s/grows']);
      const never = one.openGrowing('s/never');
      never.close();
      await never.sync();
      expect(await other.size('s/never')).toBeNull();
    });

    it('has a name that opens it from anywhere', () => {
      const { one } = make();
      expect(openStorage(one.name).name).toBe(one.name);
      expect(path.isAbsolute(one.scratchFolder)).toBe(true);
    });
  });
}
