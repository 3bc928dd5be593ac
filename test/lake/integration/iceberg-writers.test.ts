/** Several processes write Iceberg's metadata: the last one leaves the newest version, however slow another was. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { bring, FEW_TABLES, filingRows } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

it('a writer that slept while another committed and wrote does not take readers back', async () => {
  const folder = temporaryFolder();
  const other = await openLake(folder, { create: true, tables: FEW_TABLES });
  await bring(other, { batch: 'a' }, filingRows(1));
  let slept = false;
  const storage = new LocalStorage(folder);
  const replace = storage.replace.bind(storage);
  storage.replace = async (file, bytes) => {
    if (file.endsWith('filings/metadata/version-hint.text') && !slept) {
      slept = true;
      await bring(other, { batch: 'b' }, filingRows(2));
      await other.writeIceberg();
    }
    return replace(file, bytes);
  };
  const slow = await openLake(folder, { tables: FEW_TABLES, storage });
  const { version, tables } = await slow.writeIceberg();
  const metadata = path.join(folder, '_iceberg', 'filings', 'metadata');
  const hint = readFileSync(path.join(metadata, 'version-hint.text'), 'utf8');
  const { snapshots } = JSON.parse(readFileSync(path.join(metadata, `v${hint}.metadata.json`), 'utf8'));
  expect([hint, snapshots.length, version, tables.filings?.snapshot_id]).toEqual(['2', 2, 1, 2]);
  await Promise.all([slow.close(), other.close()]);
});
