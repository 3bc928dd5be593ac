/** SEC's records of companies beside the filings: fetched, refreshed at their own pace, and no reason to lose a filing. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../../src/service/catalog/index.ts';
import { refreshEntityFiles } from '../../../../src/service/edgar-sync/entity-files.ts';
import { fetchSelected, selectFilings } from '../../../../src/service/edgar-sync/index.ts';
import { zipOf } from '../../../support/edgar/zip.ts';
import { DAY, HOUR, SimulatedEdgar } from './simulated-edgar.ts';

const PATH = '/submissions/CIK0000320193.json';
const RECORD = {
  cik: '320193',
  name: 'Example Orchards Inc',
  entityType: 'operating',
  sic: '0100',
  sicDescription: 'Crops',
  tickers: ['ORCH'],
  exchanges: ['Nasdaq'],
  category: 'Large accelerated filer',
  fiscalYearEnd: '0930',
  addresses: { business: { street1: '1 Grove', street2: null, city: 'Town', stateOrCountry: 'CA', zipCode: '95014' } },
  filings: { recent: { accessionNumber: [], filingDate: [], form: [] }, files: [] },
};

function entity(one: SimulatedEdgar): Record<string, unknown> {
  const catalog = Catalog.open(one.catalog);
  try {
    const { records } = catalog.entityLookup({ ciks: ['320193'], from: 0, to: 1 } as never);
    return JSON.parse(records[0]!);
  } finally {
    catalog.close();
  }
}

const timesAsked = (one: SimulatedEdgar) => one.edgar.asked.filter(({ path }) => path === PATH).length;

const fetch = (one: SimulatedEdgar) =>
  one.inSession(async (session) => {
    await fetchSelected(session, await selectFilings(session, { ciks: ['320193'], from: '2025-03-01' }));
  });

describe('fetch', () => {
  it('of a company brings its tickers, exchanges, category and type, once a week', async () => {
    await using one = await SimulatedEdgar.start();
    one.edgar.records.set(PATH, RECORD);
    one.publish(1);
    one.edgar.writeQuarter('2025/QTR1', '2025-03-04');
    await fetch(one);
    expect(entity(one)).toMatchObject({
      cik: '320193',
      tickers: ['ORCH'],
      exchanges: ['NASDAQ'],
      category: 'Large accelerated filer',
      entity_type: 'OPERATING',
      addresses: { business: { city: 'Town' } },
    });
    await fetch(one);
    expect(timesAsked(one)).toBe(1);
    one.clock.jump(8 * DAY);
    one.edgar.records.set(PATH, { ...RECORD, category: 'Non-accelerated filer' });
    await fetch(one);
    expect([timesAsked(one), entity(one).category]).toEqual([2, 'Non-accelerated filer']);
  });

  it.each([
    ['is not there', { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' }, 0],
    ['is damaged', { status: 200, type: 'application/json', body: '{"cik": 320193, "filings": 1}' }, 1],
    ['is behind a server that fails', { status: 500, body: '' }, 1],
  ])('stores the filings though the record %s', async (_, answer, gaps) => {
    await using one = await SimulatedEdgar.start();
    one.publish(1);
    one.edgar.writeQuarter('2025/QTR1', '2025-03-04');
    one.edgar.fault = (path) => (path === PATH ? answer : null);
    await fetch(one);
    expect([one.stored().length, one.eventsOf('gap').length]).toEqual([1, gaps]);
  });
});

describe('follow', () => {
  it('refreshes the records of companies, not of people, and again for a catalog that was made again', async () => {
    await using one = await SimulatedEdgar.start();
    one.edgar.records.set(PATH, RECORD);
    one.publish(1);
    one.publish(1, { form: '4', parties: [{ cik: '999998', name: 'A Person', role: 'Reporting' }] });
    await one.look();
    one.clock.jump(HOUR);
    await one.look();
    expect([timesAsked(one), entity(one).tickers]).toEqual([1, ['ORCH']]);
    expect(one.edgar.asked.filter(({ path }) => path.includes('CIK0000999998'))).toEqual([]);
    for (const name of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'packs'])
      rmSync(join(one.catalog, name), { recursive: true, force: true });
    await one.look();
    expect([timesAsked(one), entity(one).category]).toEqual([2, 'Large accelerated filer']);
  });
});

describe('the archive of all records', () => {
  const ARCHIVE = '/Archives/edgar/daily-index/bulkdata/submissions.zip';
  const asked = (one: SimulatedEdgar, path: string) => one.edgar.asked.filter((each) => each.path === path).length;
  const refresh = (one: SimulatedEdgar) => one.inSession((session) => refreshEntityFiles(session, null, 2));
  const companyRecord = (cik: string) => ({ ...RECORD, cik, name: `Company ${cik}`, tickers: [] });

  /** Two companies with filings, whose records are due; the archive has a third, too. */
  async function withArchive(archive?: Buffer): Promise<SimulatedEdgar> {
    const one = await SimulatedEdgar.start();
    one.publish(1);
    one.publish(1, { parties: [{ cik: '789019', name: 'Sample Windows Corp', role: 'Filer' }] });
    await one.look();
    one.clock.jump(8 * DAY);
    const records = ['320193', '789019', '1'].map((cik) => [
      `CIK${cik.padStart(10, '0')}.json`,
      Buffer.from(JSON.stringify(companyRecord(cik))),
    ]);
    records.push([
      'CIK0000320193-submissions-001.json',
      Buffer.from('{"accessionNumber": [], "filingDate": [], "form": []}'),
    ]);
    one.edgar.archives.set(ARCHIVE, archive ?? zipOf(Object.fromEntries(records)));
    return one;
  }

  const storedCiks = (one: SimulatedEdgar) => {
    const catalog = Catalog.open(one.catalog);
    try {
      const { records } = catalog.entityLookup({ ciks: ['320193', '789019', '1'], from: 0, to: 9 } as never);
      return records.map((record) => JSON.parse(record)).map(({ cik, category }) => [cik, category]);
    } finally {
      catalog.close();
    }
  };

  it('is fetched instead of many records, and only companies of the catalog are read from it', async () => {
    await using one = await withArchive();
    await refresh(one);
    expect(storedCiks(one)).toEqual([
      ['320193', 'Large accelerated filer'],
      ['789019', 'Large accelerated filer'],
    ]);
    await refresh(one);
    expect(asked(one, ARCHIVE)).toBe(1);
    expect(existsSync(join(one.catalog, 'edgar-archives', 'submissions.zip'))).toBe(false);
  });

  it.each([
    ['is damaged', Buffer.from('no archive')],
    [
      'is cut short',
      zipOf({ 'CIK0000320193.json': Buffer.from(JSON.stringify(companyRecord('320193'))) }).subarray(0, 90),
    ],
  ])('is replaced by single records if it %s, and not requested again for a day', async (_, archive) => {
    await using one = await withArchive(archive);
    one.edgar.records.set(PATH, RECORD);
    await refresh(one);
    expect(storedCiks(one)[0]).toEqual(['320193', 'Large accelerated filer']);
    expect(one.eventsOf('gap')).toHaveLength(1);
    one.clock.jump(8 * DAY - HOUR);
    await refresh(one);
    one.clock.jump(HOUR);
    await refresh(one);
    expect(asked(one, ARCHIVE)).toBe(2);
  });

  it('is replaced by single records if EDGAR does not have it', async () => {
    await using one = await withArchive();
    one.edgar.archives.delete(ARCHIVE);
    one.edgar.records.set(PATH, RECORD);
    await refresh(one);
    expect(storedCiks(one)[0]).toEqual(['320193', 'Large accelerated filer']);
  });
});
