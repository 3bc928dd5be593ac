import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { LocalStorage, storageError } from '../../../src/lake/storage/local/local-storage.ts';
import { openRun } from '../../../src/pipeline/commit/run-lifecycle.ts';
import { FEW_TABLES } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { definitionOf, dependenciesOf, runOf } from '../../support/pipeline/activity-harness.ts';

/** A disk on which one folder belongs to somebody else. */
class WithForeignFolder extends LocalStorage {
  foreign = '';

  override async proveWritable(folders: readonly string[]): Promise<void> {
    const refused = Object.assign(new Error('EACCES'), { code: 'EACCES' });
    for (const folder of [...folders, '_scratch']) {
      if (folder === this.foreign) throw storageError(this.name, 'write', this.url(folder), refused);
    }
    await super.proveWritable(folders);
  }
}

describe('the opening of a run', () => {
  it.each(['_lake', '_staging', '_scratch', 'documents', 'documents/_delta_log'])(
    'refuses a lake if %s can’t be written, before a request is spent',
    async (foreign) => {
      const folder = temporaryFolder();
      const storage = new WithForeignFolder(folder);
      const lake = await openLake(folder, { create: true, tables: FEW_TABLES, storage });
      const run = runOf(definitionOf('e', 'documents'), 'r', lake);
      storage.foreign = foreign;
      await expect(openRun(dependenciesOf(lake), run)).rejects.toMatchObject({
        code: 'lake-unwritable',
        message: `${folder}/${foreign} can't be written: you have no permission`,
      });
      expect(readdirSync(folder)).not.toContain('_staging');
      storage.foreign = '';
      expect(await openRun(dependenciesOf(lake), run)).toEqual({ lake_version: -1, lake_id: lake.id });
      await lake.close();
    },
  );
});
