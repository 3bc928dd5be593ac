/** Filings of daily archives have no time of acceptance in their header: SEC's submissions JSON gives it, in either order of ingest. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Catalog, ingest } from '../../../../src/service/catalog/index.ts';
import { ncOf, temporaryFolder, txtOf } from '../../../support/catalog/synthetic-filings.ts';

const NUMBERS = ['0000000007-24-000001', '0000000007-24-000002', '0000000007-24-000003'] as const;
const filing = (accession: string, acceptance: string | null = null) => ({
  accession,
  form: '8-K',
  date: '2024-07-02',
  acceptance,
  parties: [{ cik: '7', name: 'SAMPLE CORP' }],
  documents: [{ type: '8-K', content: 'Text.' }],
});
const JSON_FILE = JSON.stringify({
  cik: '7',
  name: 'SAMPLE CORP',
  entityType: 'operating',
  sic: '7372',
  filings: {
    recent: {
      accessionNumber: NUMBERS,
      filingDate: NUMBERS.map(() => '2024-07-02'),
      form: NUMBERS.map(() => '8-K'),
      acceptanceDateTime: ['2024-07-02T23:30:00.000Z', '2024-07-03T01:00:05.000Z', '2024-07-02T20:00:00.000Z'],
    },
  },
});

function seen(folder: string) {
  const catalog = Catalog.open(folder);
  try {
    const query = { sort_by: 'acceptance_date_time', sort_order: 'asc' } as const;
    const filings = JSON.parse(`[${Buffer.concat(catalog.filingLookup(query).pieces)}]`) as Record<string, unknown>[];
    return filings.map((record) => {
      const info = JSON.parse(catalog.filingInfoJson(record.accession_number as never)!.toString()) as typeof record;
      expect([info.acceptance_datetime, info.revision]).toEqual([record.acceptance_datetime, record.revision]);
      return [record.accession_number, record.acceptance_datetime, record.revision];
    });
  } finally {
    catalog.close();
  }
}

describe('a time of acceptance that only submissions JSON states', () => {
  it('is in all answers, whichever file comes first; the header’s own time stays', async () => {
    const root = temporaryFolder();
    const files = join(root, 'files');
    mkdirSync(files);
    const write = (name: string, content: string | Buffer) => writeFileSync(join(files, name), content);
    write('a.nc', ncOf(filing(NUMBERS[0])));
    write('b.nc', ncOf(filing(NUMBERS[1])));
    write('c.txt', txtOf(filing(NUMBERS[2], '2024-07-02T15:59:59')));
    write('CIK0000000007.json', JSON_FILE);
    const order = async (name: string, ...calls: string[][]) => {
      for (const call of calls)
        await ingest(
          call.map((file) => join(files, file)),
          join(root, name),
          { threads: 0 },
        );
      return seen(join(root, name));
    };
    const [submissions, json] = [['a.nc', 'b.nc', 'c.txt'], ['CIK0000000007.json']];
    const before = await order('without', submissions);
    const after = await order('after', submissions, json, json);
    expect(after.map(([number, at]) => [number, at])).toEqual([
      [NUMBERS[2], '2024-07-02T15:59:59'],
      [NUMBERS[0], '2024-07-02T19:30:00'],
      [NUMBERS[1], '2024-07-02T21:00:05'],
    ]);
    // An export must notice it.
    expect(after.map(([, , revision]) => revision)).not.toContain(before.at(-1)![2]);
    expect(await order('before', json, submissions, submissions)).toEqual(after);
    expect(await order('together', [...json, ...submissions])).toEqual(after);
  });
});
