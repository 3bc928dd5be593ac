/** The data card of a release: what a stranger reads first must be true, and stay Markdown whatever the author wrote. */
import { describe, expect, it } from 'vitest';
import { dataCard } from '../../../../src/lake/report/release/card.ts';
import type { ReleaseManifest } from '../../../../src/lake/report/release/manifest.ts';

const table = (rows: number, left_out: { column: string | null; why: string }[] = []) => ({
  meaning: 'Rows',
  key: ['id'],
  columns: [],
  rows,
  digest: null,
  left_out,
  parts: rows === 0 ? [] : [{ file: 'tables/x/0001.parquet', rows, bytes: 1, sha256: '' }],
});

const MANIFEST: ReleaseManifest = {
  format: 1,
  name: 'v1',
  method: '',
  digest: 'abc',
  released_at: '2026-01-02T00:00:00Z',
  note: 'For a paper.',
  lake: { id: 'x', version: 7, committed_at: '2026-01-01T00:00:00Z' },
  tables: {
    entities: table(3),
    filings: table(1234, [{ column: 'removed_at', why: 'when a run noticed it' }]),
    sections: table(0),
  },
  citation: { title: 'Reports:\n"all"', creators: ['A name', 'B name'], publisher: null, license: null, doi: '10.1/x' },
  versions: { filinglake: '0.1.0', mapping: 1 },
  exports: [
    {
      export: 'annual',
      first_started_at: null,
      run_id: 'r',
      state: 'completed',
      started_at: null,
      ended_at: null,
      service: 'catalog:/home/someone/catalog',
      definition: { select: { form_types: ['10-K`'] } },
    },
  ],
  coverage: {
    filings: { rows: 1234, removed: 2, first: '2020-01-01', last: '2024-12-31' },
    windows: { proven: 1, unproven: 4, expected: 1240, found: 1234 },
    edgar_days: [{ service: 's', days: 9, proven: 8, first: '2020-01-01', last: '2020-01-09', missing: 5 }],
    steps: { done: 1200, pending: 34 },
    unfetched: [],
    failures: [{ code: 'not-found', rows: 3, known: 3 }],
    doubts: { 'unknown-path': 12 },
  },
};

describe('the data card', () => {
  const card = dataCard(MANIFEST);

  it('states what is missing as plainly as what is there', () => {
    for (const fact of [
      '1,234 filings of SEC EDGAR, filed from 2020-01-01 to 2024-12-31',
      '1 window is proven complete, 4 not. The service counted 1,240 records, 1,234 were found.',
      'done 1,200, pending 34',
      'not-found 3',
      'unknown-path 12',
      'has since removed: 2',
      '8 of 9 are proven complete, from 2020-01-01 to 2020-01-09. 5 filings are missing.',
      '`filings.removed_at`: when a run noticed it.',
      '> A name; B name (2026): Reports: "all". Release v1. https://doi.org/10.1/x. Digest of rows: abc.',
      'It selects `{"form_types":["10-K"]}`.',
    ])
      expect(card).toContain(fact);
    expect(dataCard({ ...MANIFEST, coverage: { ...MANIFEST.coverage, edgar_days: [] } })).toContain('not recorded');
  });

  it('names no folder of the machine that wrote it, and no table without rows', () => {
    expect(card).not.toContain('/home');
    expect(card).not.toContain('`sections`');
    expect(card).toContain("read_parquet('tables/filings/*.parquet')");
  });

  it('keeps a title of several lines in its heading', () => {
    expect(card).toContain('\n# Reports: "all"\n');
    expect(card.split('\n').filter((line) => line === '---')).toHaveLength(2);
  });
});
