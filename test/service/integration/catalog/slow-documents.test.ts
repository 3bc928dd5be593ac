import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AccessionNumber } from '../../../../src/filings/api/index.ts';
import { Catalog, checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder, txtOf } from '../../../support/catalog/synthetic-filings.ts';

const ACCESSION = '0000000001-20-000001' as AccessionNumber;
const NEXT = '0000000001-20-000002' as AccessionNumber;

describe('a document that takes longer than the time limit of a step', () => {
  it('is stored whole, and the record states the parts that were not read', async () => {
    const folder = temporaryFolder();
    const party = { cik: '1', name: 'SLOW CO' };
    const slow = txtOf({
      accession: ACCESSION,
      form: '10-K',
      date: '2020-01-02',
      parties: [party],
      documents: [
        { type: '10-K', filename: 'a.txt', content: '3\n'.repeat(1_500_000) },
        { type: 'EX-99', filename: 'b.txt', content: 'gadgets' },
      ],
    });
    const quick = txtOf({
      accession: NEXT,
      form: '10-K',
      date: '2020-01-03',
      parties: [party],
      documents: [{ type: '10-K', filename: 'a.txt', content: 'Widgets' }],
    });
    writeFileSync(join(folder, 'slow.txt'), slow);
    writeFileSync(join(folder, 'quick.txt'), quick);
    const catalogFolder = join(folder, 'catalog');

    const summary = await ingest([join(folder, 'slow.txt'), join(folder, 'quick.txt')], catalogFolder, {
      threads: 1,
      stepTimeLimitMs: 1_000,
    });

    expect(summary.failures).toEqual([]);
    expect(summary.filings.new).toBe(2);
    const sections = `sections of ${ACCESSION}-1 left out: it took too long to read`;
    expect(summary.warnings.map(({ message }) => message)).toContain(sections);
    const catalog = Catalog.open(catalogFolder);
    const left = { part: 'sections', document_id: `${ACCESSION}-1`, reason: 'it took too long to read' };
    expect(catalog.filing(ACCESSION)?.not_read).toContainEqual(left);
    expect(catalog.filing(NEXT)).not.toHaveProperty('not_read');
    expect(catalog.document(`${ACCESSION}-1` as never)?.read().length).toBe(3_000_001);
    expect(catalog.fulltextSearch({ query: 'gadgets' }).total).toBe(1);
    catalog.close();
    expect((await checkCatalog(catalogFolder)).problems).toEqual([]);
  });
});
