/** /v2/coverage over a real service: the days of `edgar days`, by the client. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FilingClient } from '../../../src/export/client/index.ts';
import { Catalog } from '../../../src/service/catalog/index.ts';
import { noteDay, proveDays } from '../../../src/service/edgar-sync/days.ts';
import { edgarDays, Ledger } from '../../../src/service/edgar-sync/index.ts';
import { ScriptedService } from '../../support/client/scripted-service.ts';
import { TestService } from '../../support/service/running-service.ts';

const NOW = Date.parse('2025-03-10T12:00:00Z');
const UNKNOWN = '0000000009-25-000001';

let service: TestService;
let client: FilingClient;
let stored: string[];

beforeAll(async () => {
  service = await TestService.start();
  client = new FilingClient({ baseUrl: service.service.url, apiKey: service.key });
  const { json } = await service.get('filing_lookup', 'to=3');
  stored = (json as { filings: { accession_number: string }[] }).filings.map((filing) => filing.accession_number);
  return async () => {
    await client.close();
    await service.stop();
  };
});

const folder = () => service.catalog.folder;

afterEach(() => {
  for (const name of readdirSync(folder())) if (name.startsWith('edgar.db')) rmSync(join(folder(), name));
});

/** Notes a day whose index names some filings. */
function note(ledger: Ledger, day: string, accessions: readonly string[]): void {
  const filings = accessions.map((accession_number) => {
    const path = `edgar/data/1/${accession_number}.txt`;
    return [accession_number, { accession_number, form_type: '8-K', filing_date: day, path, ciks: ['1'], names: [''] }];
  });
  noteDay(ledger, day, new Map(filings as never), NOW);
}

/** Three days: proven; one filing missing; an index that can't be read. */
function followed(): Ledger {
  const ledger = Ledger.open(folder());
  const feed = { form_type: '8-K', filing_date: '2025-03-04', path: '', source: 'feed' as const };
  ledger.note(
    stored.map((accession_number, n) => ({ ...feed, accession_number, accepted_at: NOW - (n + 1) * 1000 })),
    NOW,
  );
  for (const accession of stored) ledger.stored(accession, NOW);
  note(ledger, '2025-03-04', stored);
  note(ledger, '2025-03-05', [...stored, UNKNOWN]);
  ledger.db.prepare('INSERT INTO days VALUES (?, NULL, NULL)').run('2025-03-06');
  const clock = { now: () => NOW } as never;
  proveDays({ ledger, clock, catalogFolder: folder(), onEvent: () => {} } as never);
  return ledger;
}

describe('/v2/coverage', () => {
  it('has no days for a catalog that has never followed EDGAR', async () => {
    const { value } = await client.coverage();
    expect(value).toMatchObject({ count: 0, days: [], truncated: false });
  });

  it('answers the rows of `edgar days`, while EDGAR is followed beside it', async () => {
    const ledger = followed();
    try {
      const { value, notes } = await client.coverage();
      expect(value.days).toEqual(edgarDays(ledger, folder()));
      expect(value.days).toEqual([
        {
          day: '2025-03-04',
          expected: 3,
          in_catalog: 3,
          missing: 0,
          lag_p50_s: 2,
          lag_p99_s: 3,
          proven_at: '2025-03-10T12:00:00.000Z',
        },
        { day: '2025-03-05', expected: 4, in_catalog: 3, missing: 1, lag_p50_s: 2, lag_p99_s: 3, proven_at: null },
        {
          day: '2025-03-06',
          expected: null,
          in_catalog: 0,
          missing: 0,
          lag_p50_s: null,
          lag_p99_s: null,
          proven_at: null,
        },
      ]);
      expect(notes).toEqual({ unknownMembers: [], violations: [] });
      // What is noted later is in the next answer.
      note(ledger, '2025-03-07', [UNKNOWN]);
      expect((await client.coverage({ date_from: '2025-03-07' })).value).toMatchObject({
        count: 1,
        days: [{ day: '2025-03-07', expected: 1, missing: 1 }],
      });
    } finally {
      ledger.close();
    }
  });

  it('gives pages, ranges of days, and a page that was cut at the size limit', async () => {
    followed().close();
    const daysOf = async (query: string) => {
      const { json } = await service.get('coverage', query);
      const { count, days, truncated } = json as { count: number; days: { day: string }[]; truncated: boolean };
      return [count, days.map(({ day }) => day.slice(8)).join(' '), truncated];
    };
    expect(await daysOf('from=1&to=2')).toEqual([3, '05', false]);
    expect(await daysOf('from=0&to=0')).toEqual([3, '', false]);
    expect(await daysOf('date_from=2025-03-05&date_to=2025-03-05')).toEqual([1, '05', false]);
    const catalog = Catalog.open(folder());
    const { count, records, truncated } = catalog.coverage({}, { maxBytes: 200 });
    catalog.close();
    expect([count, records.length, truncated]).toEqual([3, 1, true]);
  });

  it('refuses days in the wrong order and a key that is none, and counts an answer as one request', async () => {
    const wrong = await service.get('coverage', 'date_from=2025-03-06&date_to=2025-03-05');
    expect([wrong.status, wrong.json]).toEqual([
      400,
      { error: 'date_from (2025-03-06) is after date_to (2025-03-05)' },
    ]);
    expect((await service.ask('/v2/coverage?api_key=none')).status).toBe(401);
    const key = service.newKey('free');
    await service.ask('/v2/coverage', { headers: { 'x-api-key': key } });
    expect(service.used(key).requests).toBe(1);
  });
});

describe('a client', () => {
  it('reports a service without it, and does not ask again', async () => {
    await using other = await ScriptedService.start({ status: 404, body: { error: 'no such path' } });
    await expect(other.client().coverage()).rejects.toMatchObject({
      message: expect.stringContaining('the service has no coverage'),
      remedy: expect.stringContaining('filinglake service'),
      transient: false,
    });
    expect(other.asked).toHaveLength(1);
  });
});
