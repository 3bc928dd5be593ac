import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleSubmissions } from '../../../../src/cli/sample/index.ts';
import { ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder, writeFiles } from '../../../support/catalog/synthetic-filings.ts';
import { catalogDigest } from '../../../support/catalog-digest.ts';

describe('the content of a catalog', () => {
  it('is the same to the byte with threads and without them', async () => {
    const files = temporaryFolder();
    for (const { path, bytes } of sampleSubmissions({ filings: 40, seed: 3 }))
      writeFiles(files, { [path.replaceAll('/', '-')]: bytes });
    const catalogs = [0, 2].map((threads) => ({ threads, folder: join(temporaryFolder(), 'catalog') }));
    for (const { threads, folder } of catalogs) await ingest([files], folder, { threads });
    const [alone, threaded] = catalogs.map(({ folder }) => catalogDigest(folder));
    expect(threaded).toEqual(alone);
  });

  it('has another digest after one more filing', async () => {
    const files = temporaryFolder();
    const folder = join(temporaryFolder(), 'catalog');
    const [first, second] = [...sampleSubmissions({ filings: 2, seed: 3 })];
    writeFiles(files, { 'a.txt': first!.bytes });
    await ingest([files], folder, { threads: 0 });
    const before = catalogDigest(folder);
    writeFiles(files, { 'b.txt': second!.bytes });
    await ingest([files], folder, { threads: 0 });
    const after = catalogDigest(folder);
    expect(after.filings).not.toBe(before.filings);
    expect(after.document_texts).not.toBe(before.document_texts);
  });
});
