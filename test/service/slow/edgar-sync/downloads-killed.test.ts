/** Downloads from EDGAR that are killed at any moment leave the catalog whole. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedAmong } from '../../../../src/service/edgar-sync/catalog-contents.ts';
import { EdgarCommand } from '../../integration/edgar-sync/command.ts';
import { LocalEdgar, type LocalFiling } from '../../integration/edgar-sync/local-edgar.ts';

const COMPANY = { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' };
const DAYS = ['2024-02-05', '2024-02-06', '2024-02-07'];
const RANGE = ['backfill', '--from', '2024-02-01', '--to', '2024-02-29', '--json'];

let edgar: LocalEdgar;
let command: EdgarCommand;

const stored = () => [...storedAmong(command.catalog, edgar.filings.keys())].sort();

beforeEach(async () => {
  edgar = await LocalEdgar.start();
  command = new EdgarCommand(edgar.url);
});

afterEach(() => edgar.close());

describe('edgar fetch', () => {
  it('is complete after kills at any moment, and downloads again at most the files in flight', async () => {
    const many: LocalFiling[] = [];
    for (let n = 0; n < 60; n++) {
      many.push({
        accession: `0000888888-24-${String(n).padStart(6, '0')}`,
        form: '8-K',
        filingDate: '2024-02-06',
        parties: [COMPANY],
        text: `Text ${n} `.repeat(2000),
        acceptedAt: Date.parse('2024-02-06T15:00:00Z'),
      });
    }
    edgar.publish(...many);
    edgar.writeQuarter('2024/QTR1', '2024-03-29');
    const select = ['fetch', '--forms', '8-K', '--from', '2024-02-06', '--to', '2024-02-06', '--json'];
    for (const killAt of [5, 20, 21, 45]) {
      const { child, ended } = command.start(select);
      const look = setInterval(() => edgar.downloads().size >= killAt && child.kill('SIGKILL'), 5);
      await ended;
      clearInterval(look);
    }
    const { code } = await command.run(...select);
    expect(code).toBe(0);
    expect(stored().filter((accession) => accession.startsWith('0000888888'))).toHaveLength(60);
    const counts = [...edgar.downloads().values()];
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    // Six downloads at a time.
    expect(counts.filter((count) => count === 2).length).toBeLessThanOrEqual(4 * 6);
  });
});

describe('edgar backfill', () => {
  it('is complete after kills', async () => {
    await edgar.publishDays(DAYS);
    for (const killAfter of [3, 6, 9]) {
      const { child, ended } = command.start(RANGE);
      const before = edgar.asked.length;
      const look = setInterval(() => edgar.asked.length - before >= killAfter && child.kill('SIGKILL'), 2);
      await ended;
      clearInterval(look);
    }
    expect((await command.run(...RANGE)).code).toBe(0);
    expect(stored()).toEqual([...edgar.filings.keys()].sort());
  });
});
