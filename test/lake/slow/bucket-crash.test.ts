/** A process that dies at any request to its bucket: before it, after it, or with its answer lost. No row is lost or doubled. */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { S3Storage } from '../../../src/lake/storage/s3/s3-storage.ts';
import { type S3Stub, startS3Stub } from '../../support/lake/s3-stub.ts';
import { bring, FEW_TABLES, filingRows, type Rows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { runs } from '../../support/property-runs.ts';

const TABLES = FEW_TABLES.filter(({ name }) => name === 'filings' || name === 'coverage');
/** `npm run test:all` tries every request. */
const STRIDE = runs(1) > 1 ? 1 : 9;

const stub: S3Stub = await startS3Stub();
afterAll(() => stub.stop());

function only(rows: Rows): Rows {
  return { filings: rows.filings!, coverage: rows.coverage! };
}

async function opened(place: string, create = false): Promise<Lake> {
  const env = stub.env(temporaryFolder());
  Object.assign(process.env, env);
  return openLake(place, { create, tables: TABLES, storage: new S3Storage(place, env) });
}

/** A lake with names that are patterns to others. At version 8: the next Delta commit of each table is its tenth. */
async function template(): Promise<string> {
  const place = `s3://bucket/${randomUUID()}/Über*?[a-z]{1}`;
  const lake = await opened(place, true);
  for (let n = 0; n < 9; n++) await bring(lake, { batch: `b${n}` }, only(together(filingRows(n), filingRows(n + 20))));
  await lake.close();
  return place;
}

const replace = wholeFiling(2, 40).filter(({ table }) => TABLES.some(({ name }) => name === table));
const correction = (lake: Lake) =>
  bring(
    lake,
    { batch: 'correction', base: 8, again: true },
    only(together(filingRows(2, 'r2'), filingRows(40, 'r2'))),
    replace,
  );

async function see(lake: Lake): Promise<unknown> {
  return [
    await lake.query('SELECT accession_number, entity_name AS revision FROM filings ORDER BY 1'),
    await lake.query('SELECT accession_number, revision FROM coverage ORDER BY 1'),
  ];
}

/** New rows, a replacement that rewrites parts, a Delta checkpoint, then a compaction. */
async function work(place: string): Promise<void> {
  const lake = await opened(place);
  try {
    await correction(lake);
    await lake.compact();
  } finally {
    await lake.close().catch(() => undefined);
  }
}

describe.each(['before', 'after', 'lost'] as const)('a process whose request is its last (%s)', (when) => {
  it('leaves the old or the new version, and a retry ends in the new one', async () => {
    const made = await template();
    const copied = () => {
      const place = made.replace(/[^/]+(?=\/[^/]+$)/, randomUUID());
      stub.copy('bucket', made.slice('s3://bucket/'.length), place.slice('s3://bucket/'.length));
      return place;
    };
    const reference = copied();
    const before = await opened(reference);
    const old = await see(before);
    await before.close();
    stub.clear();
    await work(reference);
    const requests = stub.seen.length;
    const after = await opened(reference);
    const expected = await see(after);
    await after.close();
    expect(requests).toBeGreaterThan(40);
    for (let at = 0; at < requests; at += STRIDE) {
      const place = copied();
      stub.clear();
      // A process that died sends nothing more: all later requests are refused, and nobody retries a refusal.
      stub.rule = ({ number }) => {
        if (number < at) return null;
        if (when === 'lost') return number === at ? 'lose' : null;
        return number === at && when === 'after' ? 'denied' : 403;
      };
      const failed = await work(place).then(
        () => null,
        (error: unknown) => error,
      );
      stub.rule = () => null;
      const name = `request ${at} (${stub.seen[at]})`;
      if (when === 'lost') expect(failed, name).toBeNull();
      await using other = await opened(place);
      const seen = await see(other);
      expect([JSON.stringify(old), JSON.stringify(expected)], name).toContain(JSON.stringify(seen));
      expect((await checkLake(other)).problems, name).toEqual([]);
      await correction(other);
      await other.compact();
      expect(await see(other), name).toEqual(expected);
      expect((await checkLake(other)).problems, name).toEqual([]);
    }
  }, 1_200_000);
});

describe('a store that answers 200 with an error in the body', () => {
  it('does not cut a large file short', async () => {
    const place = `s3://bucket/${randomUUID()}`;
    const env = stub.env(temporaryFolder());
    Object.assign(process.env, env);
    const storage = new S3Storage(place, env);
    let completed = 0;
    stub.rule = ({ method, url }) =>
      method === 'POST' && url.includes('uploadId=') && completed++ === 0 ? 'body-error' : null;
    const built = storage.openScratch();
    for (let n = 0; n < 40; n++) built.append(Buffer.alloc(2 ** 20, n));
    await storage.adopt(built, 't/large');
    stub.rule = () => null;
    expect(completed).toBeGreaterThan(1);
    const bytes = (await storage.read('t/large'))!;
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([40 * 2 ** 20, 0, 39]);
  });
});
