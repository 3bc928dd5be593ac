import { afterEach, beforeEach, describe, expect } from 'vitest';
import { storedAmong } from '../../../../src/service/edgar-sync/catalog-contents.ts';
import { quickIt as it, slowIt } from '../../../support/tier-cases.ts';
import { EdgarCommand } from './command.ts';
import { LocalEdgar } from './local-edgar.ts';

const DAYS = ['2024-02-05', '2024-02-06', '2024-02-07'];
const RANGE = ['backfill', '--from', '2024-02-01', '--to', '2024-02-29', '--json'];

let edgar: LocalEdgar;
let command: EdgarCommand;

const stored = () => [...storedAmong(command.catalog, edgar.filings.keys())].sort();

beforeEach(async () => {
  edgar = await LocalEdgar.start();
  await edgar.publishDays(DAYS);
  command = new EdgarCommand(edgar.url);
});

afterEach(() => edgar.close());

describe('edgar backfill', () => {
  it('stores days from their archives, proves them, and requests nothing again', async () => {
    const { code, events } = await command.run(...RANGE);
    expect(code).toBe(0);
    expect(stored()).toEqual([...edgar.filings.keys()].sort());
    expect(edgar.downloads().size).toBe(0);
    expect(events.filter(({ event }) => event === 'day')).toMatchObject(
      DAYS.map((day) => ({ day, expected: 5, in_catalog: 5, missing: 0, proven_at: expect.any(String) })),
    );
    const before = edgar.asked.length;
    expect((await command.run(...RANGE)).events.at(-1)).toMatchObject({ stored: 0, missing: 0 });
    expect(edgar.asked.slice(before).filter(({ path }) => path.includes('/Feed/'))).toEqual([]);
    const days = await command.run('days', '--json');
    expect(JSON.parse(days.stdout)).toMatchObject(
      DAYS.map((day) => ({ day, expected: 5, in_catalog: 5, missing: 0, lag_p50_s: null })),
    );
  });

  slowIt(
    'fetches single filings that an archive lacks, and whole days whose archive is missing or damaged',
    async () => {
      await edgar.writeArchive(DAYS[0]!, { leaveOut: ['0000999999-24-000002'] });
      await edgar.writeArchive(DAYS[1]!, { damage: true });
      edgar.archives.delete([...edgar.archives.keys()].find((path) => path.includes('20240207'))!);
      const { code, events } = await command.run(...RANGE);
      expect(code).toBe(0);
      expect(stored()).toEqual([...edgar.filings.keys()].sort());
      const gaps = events.filter(({ event }) => event === 'gap').map(({ message }) => message);
      expect(gaps).toContainEqual(
        expect.stringMatching(/^2024-02-06\.nc\.tar\.gz: the archive is cut off here \(unexpected end of file\); /),
      );
      expect(gaps).toContain('EDGAR has no archive of 2024-02-07: its filings are fetched one by one');
    },
  );
});
