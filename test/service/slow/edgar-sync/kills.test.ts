/** `edgar follow`, ended by SIGKILL at twenty moments, leaves nothing lost, doubled or half done. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalog, checkCatalog } from '../../../../src/service/catalog/index.ts';
import { easternTime } from '../../../../src/service/edgar-sync/clock.ts';
import { Ledger } from '../../../../src/service/edgar-sync/index.ts';
import { quarterOf } from '../../../../src/service/edgar-sync/places.ts';
import { seeded } from '../../../support/seeded-chance.ts';
import { EdgarCommand } from '../../integration/edgar-sync/command.ts';
import { LocalEdgar, type LocalFiling } from '../../integration/edgar-sync/local-edgar.ts';

const KILLS = 20;
const FILINGS = 60;

let edgar: LocalEdgar;
let command: EdgarCommand;
const today = easternTime(Date.now()).date;

function filing(n: number, more: Partial<LocalFiling> = {}): LocalFiling {
  return {
    accession: `0000999999-26-${String(n).padStart(6, '0')}`,
    form: '8-K',
    filingDate: today,
    acceptedAt: Date.now() - n * 100,
    publishedOn: today,
    parties: [
      { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' },
      { cik: '789019', name: 'Sample Windows Corp', role: 'Filer' },
    ],
    text: `Text ${n} `.repeat(500),
    ...more,
  };
}

beforeAll(async () => {
  edgar = await LocalEdgar.start();
  for (let n = 0; n < FILINGS; n++) edgar.publish(filing(n, n % 7 === 0 ? { isLetter: true, form: 'UPLOAD' } : {}));
  edgar.writeDay(today);
  edgar.writeQuarter(quarterOf(today), today);
  command = new EdgarCommand(edgar.url);
});

afterAll(() => edgar.close());

describe(`edgar follow, killed ${KILLS} times`, () => {
  it('is whole at the end', async () => {
    const random = seeded(20);
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = command.start(['follow', '--interval', '1s', '--json']);
      const before = edgar.asked.length;
      // At a request and some milliseconds behind it: in a page, an index, a download, an ingest, or between.
      const requests = 1 + Math.floor(random() * 12);
      const delayMs = random() * 400;
      const watch = setInterval(() => {
        if (edgar.asked.length - before < requests) return;
        clearInterval(watch);
        setTimeout(() => child.kill('SIGKILL'), delayMs);
      }, 2);
      const { code } = await ended;
      clearInterval(watch);
      expect(code).toBe(null);
      // What EDGAR does meanwhile: some more filings, and one that is corrected.
      if (kill !== 10) continue;
      edgar.publish(filing(FILINGS), filing(1, { form: '8-K/A', text: 'Corrected.' }));
      edgar.writeDay(today);
      edgar.writeQuarter(quarterOf(today), today);
      // The hour between two looks at the days is not waited for.
      const ledger = Ledger.open(command.catalog);
      ledger.setMeta('days_checked_at', '0');
      ledger.close();
    }
    for (let tries = 0; tries < 3; tries++) {
      const { code, stderr } = await command.run('follow', '--once', '--json');
      expect([code, stderr]).toEqual([0, '']);
    }
    const catalog = Catalog.open(command.catalog);
    try {
      expect(catalog.totals().filings).toBe(FILINGS + 1);
      expect([...edgar.filings.keys()].filter((number) => catalog.isStored(number))).toHaveLength(FILINGS + 1);
      expect(String(catalog.mainDocument(filing(1).accession as never)?.read())).toContain('Corrected.');
    } finally {
      catalog.close();
    }
    expect((await checkCatalog(command.catalog)).problems).toEqual([]);
    const days = JSON.parse((await command.run('days', '--json')).stdout);
    const index = [...edgar.filings.values()].filter(({ publishedOn }) => publishedOn === today);
    expect(days).toMatchObject([
      { day: today, in_catalog: days[0].expected, missing: 0, proven_at: expect.any(String) },
    ]);
    expect(days[0].expected).toBeGreaterThanOrEqual(index.length - 1);
    // Six downloads at a time are on their way at most when a kill comes.
    const again = [...edgar.downloads().values()].reduce((sum, count) => sum + count - 1, 0);
    expect(again).toBeLessThanOrEqual(KILLS * 6 + 1);
  });
});
