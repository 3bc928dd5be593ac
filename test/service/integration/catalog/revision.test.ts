/** The revision of a filing: it changes with the answers about the filing, and with nothing else. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { Catalog, checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import {
  contentOf,
  type MadeUpSubmission,
  ncOf,
  temporaryFolder,
  txtOf,
  writeFiles,
} from '../../../support/catalog/synthetic-filings.ts';
import { runs } from '../../../support/property-runs.ts';

const quick = { threads: 0 };

const BODY = '<html><body><p>Item 1. Business</p><p>We sell.</p><p>Item 1A. Risk Factors</p><p>Much.</p></body></html>';

function submission(n: number, changes: Partial<MadeUpSubmission> = {}): MadeUpSubmission {
  return {
    accession: `0000000007-24-${String(n).padStart(6, '0')}`,
    form: n === 1 ? '10-K' : '8-K',
    date: '2024-05-06',
    acceptance: '2024-05-06T10:11:12',
    parties: [{ cik: '7', name: 'Seven Seas Inc', sic: '4400', state: 'DE', city: 'PORT' }],
    documents: [
      { content: BODY, filename: 'main.htm' },
      { content: 'An exhibit', description: 'PRESS RELEASE' },
    ],
    ...changes,
  };
}

function revisionsOf(folder: string): Record<string, string> {
  const catalog = Catalog.open(folder);
  try {
    const { pieces } = catalog.filingLookup({});
    const filings = JSON.parse(`[${Buffer.concat(pieces)}]`) as Filing[];
    return Object.fromEntries(
      filings.map(({ accession_number, revision }) => {
        const info = JSON.parse(catalog.filingInfoJson(accession_number as never)!.toString()) as Filing;
        expect(info.revision).toBe(revision);
        return [accession_number.slice(-1), revision!];
      }),
    );
  } finally {
    catalog.close();
  }
}

async function ingested(files: Record<string, Buffer>, folder = join(temporaryFolder(), 'catalog')) {
  const input = temporaryFolder();
  writeFiles(input, files);
  const { filings } = await ingest([input], folder, quick);
  expect(checkCatalog(folder).problems).toEqual([]);
  return { folder, input, filings, revisions: revisionsOf(folder) };
}

function inDatabase(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, 'catalog.db'));
  db.exec(sql);
  db.close();
}

const base = submission(1);
const [main, exhibit] = base.documents;
const CORRECTIONS: Record<string, MadeUpSubmission> = {
  'a word of the main document': {
    ...base,
    documents: [{ ...main!, content: BODY.replace('sell', 'make') }, exhibit!],
  },
  'a word of an exhibit': { ...base, documents: [main!, { ...exhibit!, content: 'Another exhibit' }] },
  'a description': { ...base, documents: [main!, { ...exhibit!, description: 'RELEASE' }] },
  'a file name': { ...base, documents: [main!, { ...exhibit!, filename: 'other.txt' }] },
  'a type': { ...base, documents: [main!, { ...exhibit!, type: 'EX-10' }] },
  'one more document': { ...base, documents: [...base.documents, { content: 'More' }] },
  'one less': { ...base, documents: [main!] },
  'the form': { ...base, form: '10-K/A' },
  'the filing date': { ...base, date: '2024-05-07' },
  'the time of acceptance': { ...base, acceptance: '2024-05-06T10:11:13' },
  'the period': { ...base, period: '2024-03-31' },
  'the name of a party': { ...base, parties: [{ ...base.parties[0]!, name: 'Seven Seas Corp' }] },
  'an address': { ...base, parties: [{ ...base.parties[0]!, city: 'STARBOARD' }] },
  'a party': { ...base, parties: [...base.parties, { cik: '8', name: 'Eight', role: 'FILED BY' as const }] },
};

describe('the revision of a filing', () => {
  it('is a short text, in filing_lookup as in filing_info', async () => {
    const { revisions } = await ingested({ '1.txt': txtOf(base), '2.txt': txtOf(submission(2)) });
    expect(Object.keys(revisions)).toEqual(['1', '2']);
    for (const revision of Object.values(revisions)) expect(revision).toMatch(/^[\w-]{10}$/);
    expect(revisions['1']).not.toBe(revisions['2']);
  });

  it.each(Object.keys(CORRECTIONS))('changes with %s, and of that filing alone', async (what) => {
    const before = await ingested({ '1.txt': txtOf(base), '2.txt': txtOf(submission(2)) });
    const after = await ingested({ '1.txt': txtOf(CORRECTIONS[what]!) }, before.folder);
    expect(after.filings).toMatchObject({ replaced: 1 });
    expect(after.revisions['1']).not.toBe(before.revisions['1']);
    expect(after.revisions['2']).toBe(before.revisions['2']);
  });

  it('depends neither on the order of ingest, nor on what stood there before, nor on the bytes around the answers', async () => {
    const files = Object.entries({ a: txtOf(base), b: txtOf(submission(2)), c: txtOf(CORRECTIONS['one less']!) });
    const last = (order: typeof files) => Object.fromEntries(order.map(([name, bytes], i) => [`${i}${name}`, bytes]));
    const { revisions } = await ingested(last(files));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(files.slice(0, 2), { minLength: 2 }), async (before) => {
        expect((await ingested(last([...before, files[2]!]))).revisions).toEqual(revisions);
      }),
      { numRuns: runs(4) },
    );
    // A line of the header that no answer has.
    const again = Buffer.from(
      txtOf(base).toString().replace('DATE AS OF CHANGE:\t\t20240506', 'DATE AS OF CHANGE:\t\t20240601'),
    );
    expect(again.equals(txtOf(base))).toBe(false);
    const [one, other] = [await ingested({ '1.txt': txtOf(base) }), await ingested({ '1.txt': again })];
    expect(other.revisions).toEqual(one.revisions);
  });

  it('is the same for both dialects of a submission whose headers say the same', async () => {
    const plain = submission(2, { acceptance: null, parties: [{ cik: '7', name: 'Seven Seas Inc' }] });
    const [txt, nc] = [await ingested({ '2.txt': txtOf(plain) }), await ingested({ '2.nc': ncOf(plain) })];
    expect(nc.revisions).toEqual(txt.revisions);
    const both = await ingested({ '2.txt': txtOf(plain) }, nc.folder);
    expect([both.filings.replaced, both.revisions]).toEqual([1, txt.revisions]);
  });
});

describe('a catalog that an older release filled', () => {
  it('reads its submissions again with the next ingest of them, and replaces those that are read in another way', async () => {
    const files = { '1.txt': txtOf(base), '2.txt': txtOf(submission(2)) };
    const { folder, input, revisions } = await ingested(files);
    const fresh = contentOf(folder);
    const used = checkCatalog(folder).unused_pack_bytes;
    inDatabase(folder, "UPDATE filings SET readers = '0.0.0'");
    expect((await ingest([input], folder, quick)).filings).toMatchObject({ replaced: 0, unchanged: 2 });
    expect(checkCatalog(folder).unused_pack_bytes).toBe(used);
    expect(contentOf(folder)).toEqual(fresh);
    inDatabase(
      folder,
      `UPDATE filings SET readers = '0.0.0';
       UPDATE filing_records SET record = replace(record, '${revisions['1']}', 'otherwise!')`,
    );
    expect((await ingest([input], folder, quick)).filings).toMatchObject({ replaced: 1, unchanged: 1 });
    expect(contentOf(folder)).toEqual(fresh);
    expect((await ingest([input], folder, quick)).filings).toMatchObject({ replaced: 0, unchanged: 2 });
  });
});
