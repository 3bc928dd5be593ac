import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { mayOverlap, partStatistics } from '../../../src/lake/log/statistics.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { accession, bring, FEW_TABLES } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const filings = TABLES.find(({ name }) => name === 'filings')!;
const coverage = TABLES.find(({ name }) => name === 'coverage')!;

describe('statistics of a part', () => {
  it('leave out dates and times that Delta readers have no word for', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    const odd = ['0000-12-31', '2024-01-01'].map((filing_date, n) => ({
      accession_number: accession(n),
      filing_date,
      report_date: '0001-01-01',
      acceptance_datetime: n === 0 ? '0000-12-31T00:00:00' : '2024-01-01T00:00:00',
    }));
    await bring(lake, { batch: 'b' }, { filings: odd });
    const [part] = [...(await lake.snapshot()).tables.get('filings')!.parts.values()];
    const { minValues, maxValues } = part!.stats;
    expect(Object.keys(minValues)).not.toContain('filing_date');
    expect(Object.keys(maxValues)).not.toContain('acceptance_datetime');
    expect(minValues.report_date).toBe('0001-01-01');
    expect(await lake.query("SELECT count(*)::INT AS n FROM filings WHERE filing_date < DATE '0001-01-01'")).toEqual([
      { n: 1 },
    ]);
  });

  it('hold the smallest and largest value of each column, and its nulls', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    await bring(
      lake,
      { batch: 'b' },
      {
        filings: [
          {
            accession_number: accession(2),
            acceptance_datetime: '2024-01-02T03:04:05',
            size: 10,
            filing_date: '1993-01-01',
          },
          { accession_number: accession(1), acceptance_datetime: null, size: 9, filing_date: '2024-12-31' },
        ],
        section_contents: [{ accession_number: accession(1), section: '1A', html: 'a', text: 'b' }],
      },
    );
    const snapshot = await lake.snapshot();
    const [part] = [...snapshot.tables.get('filings')!.parts.values()];
    expect(part!.stats).toMatchObject({
      numRecords: 2,
      minValues: {
        accession_number: accession(1),
        size: 9,
        filing_date: '1993-01-01',
        acceptance_datetime: '2024-01-02T03:04:05.000',
      },
      maxValues: {
        accession_number: accession(2),
        size: 10,
        filing_date: '2024-12-31',
        acceptance_datetime: '2024-01-02T03:04:05.000',
      },
      nullCount: { accession_number: 0, acceptance_datetime: 1, cik: 2 },
    });
    const [wide] = [...snapshot.tables.get('section_contents')!.parts.values()];
    expect(Object.keys(wide!.stats.minValues)).toEqual(['accession_number', 'section']);
  });

  it('round times that are finer than milliseconds outwards, and leave long text out', () => {
    const raw = new Map([
      ['fetched_at', { min: '2024-01-01 00:00:00.123456+00', max: '2024-01-01 00:00:00.123456+00', null_count: '0' }],
      ['selector', { min: 'a', max: 'x'.repeat(65), null_count: '0' }],
    ]);
    const stats = partStatistics(coverage, 1, raw);
    expect(stats.minValues).toEqual({ fetched_at: '2024-01-01T00:00:00.123Z' });
    expect(stats.maxValues).toEqual({ fetched_at: '2024-01-01T00:00:00.124Z' });
  });

  it('never rule out a part that holds a value in the range', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 70 });
    const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), text, text, (values, one, other) => {
        const sorted = [...values].sort(byBytes);
        const raw = new Map([['cik', { min: sorted[0]!, max: sorted.at(-1)!, null_count: '0' }]]);
        const stats = partStatistics(filings, values.length, raw);
        const [min, max] = [one, other].sort(byBytes) as [string, string];
        const held = values.some((value) => byBytes(min, value) <= 0 && byBytes(value, max) <= 0);
        expect(!held || mayOverlap(stats, 'cik', min, max)).toBe(true);
      }),
    );
  });

  it('rule out a part whose column is null throughout', () => {
    const stats = partStatistics(filings, 3, new Map([['cik', { null_count: '3' }]]));
    expect(mayOverlap(stats, 'cik', 'a', 'b')).toBe(false);
    expect(mayOverlap(stats, 'form_type', 'a', 'b')).toBe(true);
  });
});
