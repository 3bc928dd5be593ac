/** A lake in a bucket, read by the Python package: the same rows as on disk, by way of copies of the parts that a query needs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { S3Storage } from '../../../../src/lake/storage/s3/s3-storage.ts';
import { TABLES } from '../../../../src/lake/tables/index.ts';
import { startS3Stub } from '../../../support/lake/s3-stub.ts';
import { accession, bring, filingRows, together, wholeFiling } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { installPythonPackage } from '../../../support/python/installed-package.ts';

const installed = installPythonPackage();
const missing = 'missing' in installed ? installed.missing : null;
const { run } = installed as Exclude<typeof installed, { missing: string }>;
const NAMES = ['filings', 'documents', 'section_contents', 'coverage', 'ownership_transactions', 'ownership_owners'];

describe.skipIf(missing !== null)(`a lake in a bucket, in Python${missing ? ` (${missing})` : ''}`, () => {
  const place = `s3://bucket/${randomUUID()}/Über*?[a-z]{1} ’n’ Café%20`;
  let stub: Awaited<ReturnType<typeof startS3Stub>>;
  let lake: Lake;
  const env = { ...process.env };

  beforeAll(async () => {
    stub = await startS3Stub();
    Object.assign(process.env, stub.env(temporaryFolder()));
    const tables = TABLES.filter(({ name }) => NAMES.includes(name));
    lake = await openLake(place, { create: true, tables, storage: new S3Storage(place) });
    for (let n = 0; n < 52; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const accession_number = accession(60);
    await bring(
      lake,
      { batch: 'forms' },
      together(filingRows(60), {
        ownership_owners: [1, 2].map((owner) => ({ accession_number, owner, owner_cik: String(owner) })),
        ownership_transactions: [{ accession_number, derivative: false, line: 1 }],
      }),
    );
    await bring(lake, { batch: 'correction' }, filingRows(3, 'r2'), wholeFiling(3));
  });
  afterAll(async () => {
    await lake?.close();
    await stub?.stop();
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  });

  it('has the rows and versions, and copies only what a query names', async () => {
    stub.clear();
    const answer = await run(
      `
lake = filinglake.open(given)
seen = {
    "version": lake.version,
    "counts": lake.tables(),
    "filings": lake.sql("SELECT count(*), count(DISTINCT accession_number), max(entity_name) FROM filings").fetchall(),
    "before": lake.sql("SELECT count(*), max(entity_name) FROM filings", 49).fetchall(),
    "view": lake.sql("SELECT owner, line FROM ownership_owner_transactions ORDER BY 1").fetchall(),
    "columns": [name for name, _ in lake.columns("ownership_owner_transactions")][:3],
    "arrow": lake.arrow("filings").num_rows,
    "file": lake.files("filings")[0].startswith(given),
    "repr": repr(lake),
}
print(json.dumps(seen))
`,
      place,
    );
    expect(answer).toEqual({
      version: 53,
      counts: { coverage: 53, documents: 106, filings: 53, ownership_owners: 2, ownership_transactions: 1 },
      filings: [[53, 53, 'r2']],
      before: [[50, 'r1']],
      view: [
        [1, 1],
        [2, 1],
      ],
      columns: ['owner', 'owner_cik', 'owner_name'],
      arrow: 53,
      file: true,
      repr: `Lake('${place}', version=53)`,
    });
    expect(stub.seen.filter((line) => line.includes('/coverage/part-'))).toEqual([]);
  });

  it('says that there is no lake, that a part is missing, and that a version was removed', async () => {
    const [part] = [...(await lake.snapshot()).tables.get('documents')!.parts.keys()];
    await lake.storage.remove(`documents/${part}`);
    const errors = await run(
      `
print(json.dumps([
    code_of(lambda: filinglake.open(given["place"] + "-not")),
    code_of(lambda: filinglake.open(given["place"]).arrow("documents")),
    code_of(lambda: filinglake.open(given["place"], 999)),
]))
`,
      { place },
      { FILINGLAKE_S3_CACHE: temporaryFolder() },
    );
    expect((errors as { code: string }[]).map(({ code }) => code)).toEqual([
      'lake-missing',
      'part-missing',
      'lake-version-unknown',
    ]);
  });
});
