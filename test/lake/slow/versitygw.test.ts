/** The requirements of storages on versitygw, whose conditional puts are atomic without a lock of ours; and a lake in it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { S3Storage } from '../../../src/lake/storage/s3/s3-storage.ts';
import { startVersitygw } from '../../support/lake/s3-server.ts';
import { bring, FEW_TABLES, filingRows } from '../../support/lake/small-lake.ts';
import { storageContract } from '../../support/lake/storage-contract.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const folder = temporaryFolder();
// As docker-compose.bucket.yml makes its bucket.
mkdirSync(join(folder, 'lakes'));
const server = await startVersitygw(folder);
const isMissing = 'missing' in server;
if (isMissing) console.warn(`versitygw is not tested: ${server.missing}`);
const bucket = isMissing ? '' : await server.makeBucket();
afterAll(async () => {
  if (!isMissing) await server.stop();
});

function storage(url: string): S3Storage {
  const env = isMissing ? {} : server.env();
  Object.assign(process.env, env);
  return new S3Storage(url, env);
}

if (!isMissing) {
  storageContract({
    name: 'a bucket of versitygw',
    // It keeps objects as files.
    sharesNames: false,
    make: () => {
      const url = `s3://${bucket}/${randomUUID()}/lake`;
      return { one: storage(url), other: storage(url) };
    },
  });
}

describe.skipIf(isMissing)('a lake in versitygw', () => {
  it('lies in a bucket that was made as a folder before the server started', async () => {
    const url = 's3://lakes/annual-reports';
    await using lake = await openLake(url, { create: true, tables: FEW_TABLES, storage: storage(url) });
    await bring(lake, { run: 'r', batch: 'b', base: -1 }, filingRows(10));
    expect(await lake.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 1 }]);
  });

  it('takes the commits of eight writers of one run at a time, each once', async () => {
    const url = `s3://${bucket}/${randomUUID()}/Über*?[a]`;
    const open = (create = false) => openLake(url, { create, tables: FEW_TABLES, storage: storage(url) });
    const first = await open(true);
    const lakes: Lake[] = [first, ...(await Promise.all(Array.from({ length: 7 }, () => open())))];
    const write = async (lake: Lake, writer: number) => {
      for (let n = 0; n < 3; n++) await bring(lake, { batch: `${writer}-${n}`, base: -1 }, filingRows(10 * writer + n));
    };
    await Promise.all(lakes.map(write));
    expect(await first.currentVersion()).toBe(23);
    expect(
      await first.query('SELECT count(*)::INT AS n, count(DISTINCT accession_number)::INT AS d FROM filings'),
    ).toEqual([{ n: 24, d: 24 }]);
    expect((await checkLake(first)).problems).toEqual([]);
    await Promise.all(lakes.map((lake) => lake.close()));
  });
});

if (isMissing) it.skip(`versitygw: ${server.missing}`, () => undefined);
