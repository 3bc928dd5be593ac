/** Lines that hold rows of several tables give the same tables as rows that are written one by one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealedSegments } from '../../../src/lake/commit/staging.ts';
import { type CommitResult, type Lake, type LinesShape, openLake, type SegmentRef } from '../../../src/lake/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { failingFiles } from '../../support/lake/failing-files.ts';
import { accession, FEW_TABLES } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { runs } from '../../support/property-runs.ts';

const FETCHED_AT = '2024-03-01T00:00:00Z';
const SHAPE: LinesShape = {
  filings: {},
  documents: { each: 'documents', ofLine: ['accession_number'] },
  coverage: { constants: { step: 'filing', selector: "it's", status: 'done', fetched_at: FETCHED_AT } },
};

interface Filing {
  n: number;
  revision: string;
  entity_name: string | null;
  size: number | null;
  documents: { sequence: number; filename: string; size?: number }[];
}

function recordOf({ n, entity_name, size, documents }: Filing) {
  const accession_number = accession(n);
  const filing_date = '2024-02-29';
  return {
    accession_number,
    cik: n % 2 === 0 ? null : '77',
    form_type: n % 3 === 0 ? '10-K/A' : '10-K',
    filing_date,
    acceptance_datetime: '2024-02-29T23:59:59',
    entity_name,
    report_date: null,
    size,
    documents: documents.map((document) => ({ document_id: `${accession_number}-${document.sequence}`, ...document })),
  };
}

type Way = 'lines' | 'rows';

function write(writer: ReturnType<Lake['openStaging']>, filing: Filing, way: Way): void {
  const { documents, ...row } = recordOf(filing);
  const { accession_number } = row;
  const { revision } = filing;
  if (way === 'lines') {
    const bytes = Buffer.from(`[${JSON.stringify({ ...row, documents })}]`);
    const place = { bytes, start: 1, end: bytes.length - 1 };
    const members = `"revision":${JSON.stringify(revision)}`;
    const rows = { documents: documents.length };
    writer.appendRecord('a', SHAPE, 'accession_number', { ...place, members, key: accession_number, rows });
    return;
  }
  writer.append('filings', row);
  for (const document of documents) writer.append('documents', { accession_number, ...document });
  writer.append('coverage', { accession_number, revision, ...SHAPE.coverage!.constants });
}

async function see(lake: Lake) {
  const seen: Record<string, unknown> = {};
  for (const table of ['filings', 'documents', 'coverage'])
    seen[table] = await lake.query(`FROM ${table} ORDER BY ALL`);
  return seen;
}

/** One batch of several segments. */
async function bring(lake: Lake, segments: readonly (readonly Filing[])[], wayOf: (filing: Filing) => Way) {
  const sealed: SegmentRef[] = [];
  for (const filings of segments) {
    const writer = lake.openStaging('run', 'batch', 1);
    for (const filing of filings) write(writer, filing, wayOf(filing));
    const segment = await writer.seal();
    if (segment) sealed.push(segment);
  }
  return lake.commitBatch({ run_id: 'run', batch_id: 'batch', base_version: -1, segments: sealed });
}

/** What a commit reports of its tables, except the bytes, which vary. */
function rowsTold({ tables }: CommitResult) {
  return Object.entries(tables).map(([table, { bytes: _, ...told }]) => [table, told]);
}

const filing: fc.Arbitrary<Filing> = fc.record({
  n: fc.nat(9),
  revision: fc.constantFrom('a', 'b"c'),
  entity_name: fc.oneof(fc.constant(null), fc.constantFrom('Größe "AG"', 'line\nend \u2028 \\ 😀', 'x'.repeat(3_000))),
  size: fc.oneof(fc.constant(null), fc.nat()),
  documents: fc.uniqueArray(
    fc.record(
      { sequence: fc.integer({ min: 1, max: 12 }), filename: fc.string() },
      { requiredKeys: ['sequence', 'filename'] },
    ),
    { selector: ({ sequence }) => sequence, maxLength: 4 },
  ),
});

describe('lines that hold rows of several tables', () => {
  it('give the tables that rows of each table give, one filing in several segments and both ways at once too', async () => {
    const segments = fc.array(fc.array(filing, { maxLength: 5 }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(segments, fc.constantFrom<'all' | 'some'>('all', 'some'), async (given, share) => {
        const wayOf = ({ n }: Filing): Way => (share === 'all' || n % 2 === 0 ? 'lines' : 'rows');
        const expected = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
        const actual = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
        const byRows = await bring(expected, given, () => 'rows');
        const byLines = await bring(actual, given, wayOf);
        expect(await see(actual)).toEqual(await see(expected));
        expect(rowsTold(byLines)).toEqual(rowsTold(byRows));
        await Promise.all([expected.close(), actual.close()]);
      }),
      { numRuns: runs(12) },
    );
  });

  it.each<Way>(['lines', 'rows'])('have the columns that follow from others worked out: %s', async (way) => {
    await using lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    const of = (n: number): Filing => ({ n, revision: 'a', entity_name: null, size: null, documents: [] });
    await bring(lake, [[of(1), of(2), of(3)]], () => way);
    const folder = 'https://www.sec.gov/Archives/edgar/data/77';
    expect(await lake.query('SELECT url, is_amendment FROM filings ORDER BY accession_number')).toEqual([
      { url: `${folder}/000000000124000001/0000000001-24-000001-index.htm`, is_amendment: false },
      { url: null, is_amendment: false },
      { url: `${folder}/000000000124000003/0000000001-24-000003-index.htm`, is_amendment: true },
    ]);
  });

  it('need no sorting if they come in the order of their key', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    const all = [1, 2, 3].map((n) => ({ n, revision: 'a', entity_name: null, size: null, documents: [] }));
    for (const [name, order] of Object.entries({ ascending: [0, 1, 2], not: [0, 2, 1], repeated: [0, 1, 1] })) {
      const writer = lake.openStaging('run', name, 1);
      for (const i of order) write(writer, all[i]!, 'lines');
      await writer.seal();
      const [segment] = await sealedSegments(new LocalStorage(lake.root), 'run', name);
      expect(segment).toMatchObject({
        tables: { filings: { rows: 3 }, documents: { rows: 0 }, coverage: { rows: 3 } },
      });
      expect(segment!.ascending).toEqual(name === 'ascending' ? ['filings', 'coverage'] : []);
    }
  });

  it('may be longer than the memory kept for them', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    const names = [100, 600_000, 100, 18_000_000].map((length) => 'é'.repeat(length));
    const filings = names.map((entity_name, n) => ({ n, revision: 'a', entity_name, size: null, documents: [] }));
    await bring(lake, [filings], () => 'lines');
    const found = await lake.query('SELECT length(entity_name)::INT AS n FROM filings ORDER BY accession_number');
    expect(found.map(({ n }) => n)).toEqual([100, 600_000, 100, 18_000_000]);
  });

  it('leave nothing of a segment whose write failed, and are complete afterwards', async () => {
    const filings = [1, 2].map((n) => ({
      n,
      revision: 'a',
      entity_name: null,
      size: 1,
      documents: [{ sequence: 1, filename: 'f' }],
    }));
    let failed = 0;
    for (let at = 1; ; at++) {
      const folder = temporaryFolder();
      await (await openLake(folder, { create: true, tables: FEW_TABLES })).close();
      const lake = await openLake(folder, { tables: FEW_TABLES });
      const files = failingFiles(at, 'refusal');
      const failing = await openLake(folder, { tables: FEW_TABLES, storage: new LocalStorage(folder, files) });
      const writer = failing.openStaging('run', 'batch', 1);
      const writeAll = async () => {
        for (const one of filings) write(writer, one, 'lines');
        await writer.seal();
      };
      const before = files.calls();
      if (before >= at) continue;
      try {
        await writeAll();
      } catch {
        failed++;
        await writer.abandon();
        await writeAll();
      }
      const isThrough = files.calls() < at;
      // Two if the first was sealed, and its seal reported a failure.
      const segments = await lake.sealedSegments('run', 'batch');
      await lake.commitBatch({ run_id: 'run', batch_id: 'batch', base_version: -1, segments });
      expect(await lake.query('SELECT count(*)::INT AS n FROM documents')).toEqual([{ n: 2 }]);
      await Promise.all([lake.close(), failing.close()]);
      if (isThrough) break;
    }
    expect(failed).toBeGreaterThan(3);
  });
});
